"""Probabilistic linkage: agreement patterns of pairs, and what they say about matches (Fellegi and Sunter 1969)."""
