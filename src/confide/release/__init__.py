"""Masking methods, each a channel with two faces, and what becomes of a file."""
