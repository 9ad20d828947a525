"""Random numbers inside compiled loops: SplitMix64, as in `confide.seeds`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, inline="always")
def after(s: Any) -> Any:
    """Give the next state of the generator.

    >>> hex(after(np.uint64(0)))
    '0x9e3779b97f4a7c15'
    """
    return s + np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, nogil=True, inline="always")
def uniform(s: Any) -> float:
    """Give the number in [0, 1) that belongs to a state.

    >>> round(uniform(after(np.uint64(0))), 6)
    0.883311
    """
    x = (s ^ (s >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return float(x >> np.uint64(11)) * 2.0**-53
