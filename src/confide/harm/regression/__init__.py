"""What a released attribute says of the true one: eq. (3) of Lambert (1993) and the models behind its prior."""
