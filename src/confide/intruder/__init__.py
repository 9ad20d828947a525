"""What is known, believed and understood; whom the intruder looks for."""
