"""Files, roles, kinds, examples."""
