"""Evidence and link probabilities, with the null link."""
