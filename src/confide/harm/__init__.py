"""What the intruder learns about respondents, and whom it hurts."""
