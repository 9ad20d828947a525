"""The proof by calibration: what is stated against what is true."""
