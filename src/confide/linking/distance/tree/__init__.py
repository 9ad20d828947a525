"""A tree over records of mixed variables that finds the nearest ones exactly."""
