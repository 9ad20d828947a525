"""Attacks on a released file, beside the same attacks on people who are not in it."""
