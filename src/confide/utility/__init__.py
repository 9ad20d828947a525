"""What a release is still good for: measures with a direction and bounds."""
