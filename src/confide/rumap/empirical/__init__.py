"""The map of one file by repeated masking: section V, eqs (11) to (14)."""
