"""Protection that changes values: controlled rounding, controlled adjustment, cell keys."""
