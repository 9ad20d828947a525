"""What a released record tells about its owner's true value, one way each."""
