"""How the intruder believes each respondent's record would appear if it were released; one belief per file."""
