"""Models of true values given what is visible, one file each."""
