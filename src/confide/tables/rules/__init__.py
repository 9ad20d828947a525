"""Sensitivity rules: which cells of a table tell too much about a respondent."""
