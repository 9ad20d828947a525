"""Which further cells must be suppressed so that sensitive ones stay unknown."""
