"""What every room needs: files that are read and written, memory, and the secret that masking hangs on."""
