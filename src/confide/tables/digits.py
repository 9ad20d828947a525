"""Published numbers without what binary arithmetic left behind their last digit."""

from __future__ import annotations

import numpy as np

from confide.typing import FloatArray

MOST_DECIMALS = 12
"""Numbers with more decimals keep fifteen digits."""
NOISE = 1e-13
"""Sums of floating numbers may be off by so much of the largest one."""


def as_written(values: FloatArray) -> FloatArray:
    """Give numbers with the fewest decimals that all of them have, but for rounding; NaN where they are NaN.

    Sums of amounts in cents are amounts in cents. Where no number of decimals fits all, each keeps fifteen digits, which
    is what a floating number holds.

    >>> as_written(np.array([316775.94000000006, 0.1 + 0.2])).tolist()
    [316775.94, 0.3]
    >>> as_written(np.array([1 / 3, 2.0])).tolist()
    [0.333333333333333, 2.0]
    """
    known = values[np.isfinite(values)]
    largest = float(np.abs(known).max(initial=0.0))
    for decimals in range(MOST_DECIMALS + 1):
        if largest * 10.0**decimals >= 2.0**53:
            break
        if bool(np.all(np.abs(known - np.round(known, decimals)) <= NOISE * largest)):
            return np.round(values, decimals) + 0.0
    short = [x if not np.isfinite(x) else float(f"{x:.15g}") for x in values.tolist()]
    return np.array(short, dtype=np.float64)
