"""Uniqueness and frequency: the classical counts of an agency, one idea per file."""
