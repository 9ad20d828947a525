"""Measures of the whole file and of single respondents."""
