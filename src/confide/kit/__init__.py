"""What every room needs: files that are read and written, and the secret that masking hangs on."""
