"""The map of additive noise by formula: eqs (1) to (10), and what they approximate."""
