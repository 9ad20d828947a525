"""Intervals for shares and for the ratio of two shares."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtri

from confide.errors import IntruderError
from confide.typing import FloatArray


def deviate(level: float) -> float:
    """Give the normal deviate of a two-sided level.

    >>> round(deviate(0.95), 4)
    1.96
    """
    if not 0 < level < 1:
        raise IntruderError(f"level must lie between 0 and 1, found {level}; 0.95 is common")
    return float(ndtri(0.5 + level / 2))


def wilson(x: Any, n: Any, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Give the score interval of a share, x of n (Wilson 1927).

    It holds for sums of numbers between 0 and 1, too, and is then wider than need be.

    >>> low, high = wilson(8, 10)
    >>> round(float(low), 4), round(float(high), 4)
    (0.4902, 0.9433)
    """
    z = deviate(level)
    x, n = np.asarray(x, dtype=np.float64), np.asarray(n, dtype=np.float64)
    centre = (x + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * np.sqrt(x * (n - x) / n + z**2 / 4)
    # at the ends the limits are 0 and 1, but for rounding
    low, high = np.where(x == 0, 0.0, centre - half), np.where(x == n, 1.0, centre + half)
    return np.asarray(np.clip(low, 0.0, 1.0)), np.asarray(np.clip(high, 0.0, 1.0))


def ratio_limits(x1: Any, n1: Any, x0: Any, n0: Any, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Give the score interval of the ratio of two shares, (x1 / n1) / (x0 / n0) (Koopman 1984).

    All ratios are kept at which the difference p1 - φ p0 is within the deviate of nought, its variance taken at the most
    likely shares with that ratio. The limits are 0 where x1 is 0, and infinite where x0 is 0.

    >>> low, high = ratio_limits(36, 40, 16, 80)
    >>> round(float(low), 2), round(float(high), 2)
    (2.94, 7.15)
    """
    z = deviate(level)
    x1, n1, x0, n0 = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (x1, n1, x0, n0)))
    low = _crossing(x1, n1, x0, n0, z)
    high = _crossing(x1, n1, x0, n0, -z)
    return np.where(x1 == 0, 0.0, low), np.where(x0 == 0, np.inf, high)


def _crossing(x1: FloatArray, n1: FloatArray, x0: FloatArray, n0: FloatArray, z: float) -> FloatArray:
    """Find the ratio at which the score, which falls, crosses z: bisection of φ / (1 + φ)."""
    low, high = np.zeros(x1.shape), np.ones(x1.shape)
    for _ in range(50):
        middle = (low + high) / 2
        above = _score(middle / (1 - middle), x1, n1, x0, n0) > z
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    middle = (low + high) / 2
    return np.asarray(middle / (1 - middle))


def _score(ratio: FloatArray, x1: FloatArray, n1: FloatArray, x0: FloatArray, n0: FloatArray) -> FloatArray:
    """Give the standardised difference p1 - φ p0, the variance at the most likely shares with p1 = φ p0."""
    a = ratio * (n1 + n0)
    b = ratio * (n1 + x0) + x1 + n0
    root = np.sqrt(np.maximum(b**2 - 4 * a * (x1 + x0), 0.0))
    # the smaller root of a p0² - b p0 + x1 + x0, written so that nothing cancels
    p0 = np.clip(2 * (x1 + x0) / (b + root), 0.0, 1.0)
    p1 = np.clip(ratio * p0, 0.0, 1.0)
    variance = p1 * (1 - p1) / n1 + ratio**2 * p0 * (1 - p0) / n0
    gap = x1 / n1 - ratio * x0 / n0
    without = np.where(gap > 0, np.inf, np.where(gap < 0, -np.inf, 0.0))
    return np.where(variance > 0, gap / np.sqrt(np.where(variance > 0, variance, 1.0)), without)
