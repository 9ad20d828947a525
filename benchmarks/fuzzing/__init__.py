"""Inputs that nobody would write, and what the command line makes of them."""
