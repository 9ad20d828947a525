"""Distances between released and source records, and the records that are nearest."""
