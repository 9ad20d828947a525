"""Sample uniques and special uniques: which sets of keys single a record out."""
