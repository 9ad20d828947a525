"""Risk and harm of every release against every intruder, in one table."""
