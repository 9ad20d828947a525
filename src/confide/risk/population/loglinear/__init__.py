"""Poisson log-linear models of the counts of keys (Skinner and Shlomo 2008), one idea per file."""
