"""The joint posterior: all released records compete for all respondents (Duncan and Lambert 1987, eq. 4.1)."""
