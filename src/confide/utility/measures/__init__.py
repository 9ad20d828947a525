"""Measures of utility, one small file each."""
