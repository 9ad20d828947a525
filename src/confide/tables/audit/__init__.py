"""What an attacker can deduce of suppressed cells."""
