"""Population uniques from a sample: how many of those who stand alone in the file stand alone among all people."""
