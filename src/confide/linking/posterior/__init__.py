"""From evidence to link probabilities, one model each."""
