"""The map of any release, any intruder and any use of the data."""
