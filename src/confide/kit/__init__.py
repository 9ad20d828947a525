"""What every room needs of the machine: files that are read and files that are written."""
