"""Disclosure risk against data utility: the R-U confidentiality map (Duncan, Keller-McNulty and Stokes 2001)."""
