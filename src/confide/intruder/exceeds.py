"""When a probability exceeds a threshold: the one comparison that every count of perceived identifications makes."""

from __future__ import annotations

from typing import Any

import numpy as np

from confide.typing import BoolArray

ROUNDING = 1e-9
"""Probabilities that differ by no more than this share of themselves are equal; so close, records are tied, too."""


def exceeds(p: Any, threshold: float) -> BoolArray:
    """Say where a probability exceeds a threshold beyond rounding (convention 8: a threshold is strict).

    A probability is computed with an error that is a share of itself, so the slack is a share of the threshold: one fifth
    does not exceed 0.2, whichever way it was rounded, and every positive probability exceeds 0.

    >>> exceeds([0.1 + 0.2, 0.3000001, 1e-300], 0.3).tolist(), bool(exceeds(1e-300, 0.0))
    ([False, True, False], True)
    """
    return np.asarray(np.asarray(p, dtype=np.float64) > threshold * (1 + ROUNDING), dtype=np.bool_)
