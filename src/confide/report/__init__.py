"""The record of what was run, tables and pictures, and the report that holds them."""
