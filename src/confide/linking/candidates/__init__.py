"""Which respondents could have produced a record: found by the house, never a fixed number of them."""
