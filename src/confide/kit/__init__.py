"""What every room needs of the machine: its memory."""
