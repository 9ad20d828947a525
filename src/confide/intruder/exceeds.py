"""When a probability exceeds a threshold, or reaches it: the one comparison that every count at a threshold makes."""

from __future__ import annotations

from typing import Any

import numpy as np

from confide.typing import BoolArray

ROUNDING = 1e-9
"""Probabilities that differ by no more than this share of themselves are equal; so close, records are tied, too."""


def exceeds(p: Any, threshold: float) -> BoolArray:
    """Say where a probability exceeds a threshold beyond rounding (convention 8: a threshold is strict).

    A probability is computed with an error that is a share of itself, so the slack is a share of the threshold: one fifth
    does not exceed 0.2, whichever way it was rounded, and every positive probability exceeds 0. Certainty exceeds every
    threshold below 1: the slack is never more than half of what the threshold leaves.

    >>> exceeds([0.1 + 0.2, 0.3000001, 1e-300], 0.3).tolist(), bool(exceeds(1e-300, 0.0)), bool(exceeds(1.0, 1 - 1e-12))
    ([False, True, False], True, True)
    """
    return np.asarray(np.asarray(p, dtype=np.float64) - threshold > _slack(threshold), dtype=np.bool_)


def reaches(p: Any, threshold: float) -> BoolArray:
    """Say where a probability is a threshold or more, up to rounding (conventions 5 and 6).

    >>> reaches([0.1 + 0.2, 0.7 - 0.4, 0.2999999], 0.3).tolist()
    [True, True, False]
    """
    return np.asarray(np.asarray(p, dtype=np.float64) - threshold >= -_slack(threshold), dtype=np.bool_)


def _slack(threshold: float) -> float:
    """Give by how much a probability may miss a threshold and count as equal to it."""
    return min(threshold * ROUNDING, (1 - threshold) / 2) if threshold < 1 else ROUNDING
