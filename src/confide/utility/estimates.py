"""Estimates that users make of a file, each with its variance; NaN where it is undefined.

Letters: x values, w weights (one without survey weights), n records. Variances are those of sampling with replacement,
by linearisation where there are weights; without weights they are the textbook ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confide.typing import FloatArray

WIDE = 1.959963984540054
"""Woodruff's interval reaches this many standard errors to both sides."""
ROUNDING = 1e-12
"""A spread of less than this part of the values themselves is rounding."""


class Estimate(NamedTuple):
    """An estimate and its variance."""

    value: float
    """The estimate; NaN where there is no value to make it of."""
    variance: float
    """Its variance; NaN where there are fewer than two values."""


UNDEFINED = Estimate(np.nan, np.nan)


def mean_of(x: FloatArray, w: FloatArray) -> Estimate:
    """Give the weighted mean and its variance: s^2/n without weights.

    >>> mean_of(np.array([1.0, 2.0, 6.0]), np.ones(3))
    Estimate(value=3.0, variance=2.3333333333333335)
    """
    total, n = float(w.sum()), x.size
    if not total > 0:
        return UNDEFINED
    mean = float(w @ x) / total
    if n < 2:
        return Estimate(mean, np.nan)
    return Estimate(mean, _floor(float(np.square(w * (x - mean)).sum()) / total**2 * n / (n - 1), mean))


def total_of(x: FloatArray, w: FloatArray, n: int) -> Estimate:
    """Give the weighted total over a group of a file of n records, and its variance.

    >>> total_of(np.array([1.0, 2.0, 6.0]), np.ones(3), 3)
    Estimate(value=9.0, variance=21.0)
    """
    if not x.size:
        return UNDEFINED
    z = w * x
    total = float(z.sum())
    if n < 2:
        return Estimate(total, np.nan)
    inside = float(np.square(z - total / n).sum()) + (n - x.size) * (total / n) ** 2
    return Estimate(total, _floor(inside * n / (n - 1), total))


def in_order(x: FloatArray, w: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give values in order, and what each of them counts.

    >>> [v.tolist() for v in in_order(np.array([3.0, 1.0]), np.array([7.0, 2.0]))]
    [[1.0, 3.0], [2.0, 7.0]]
    """
    if x.size and w.min() == w.max():
        return np.sort(x), w
    order = np.argsort(x)
    return x[order], w[order]


def quantile_of(ordered: FloatArray, w: FloatArray, p: float) -> Estimate:
    """Give the smallest value with a share of at least p at or below it, and its variance after Woodruff (1952).

    The variance is ((Q(p + d) - Q(p - d)) / (2 * 1.96))^2, d being 1.96 standard errors of a share of p. It may be zero
    where many values are equal.

    Args:
        ordered: the values, in order.
        w: what each of them counts.
        p: the share, between 0 and 1.

    >>> quantile_of(np.arange(1.0, 101.0), np.ones(100), 0.5).value
    50.0
    """
    total = float(w.sum())
    if not total > 0:
        return UNDEFINED
    below = np.cumsum(w) / total
    spread = WIDE * np.sqrt(p * (1 - p) * float(np.square(w).sum())) / total
    # a share that the sum should reach exactly may miss it by rounding
    wanted = np.clip(np.array([p - spread, p, p + spread]), 0.0, 1.0) * (1 - ROUNDING)
    low, value, high = ordered[np.minimum(np.searchsorted(below, wanted), ordered.size - 1)].tolist()
    return Estimate(value, ((high - low) / (2 * WIDE)) ** 2 if ordered.size > 1 else np.nan)


def covariance_of(x: FloatArray, y: FloatArray, w: FloatArray) -> Estimate:
    """Give the weighted covariance, n/(n - 1) times the mean product of deviations, and its variance by linearisation.

    >>> covariance_of(np.array([1.0, 2.0, 6.0]), np.array([1.0, 2.0, 6.0]), np.ones(3)).value
    7.0
    """
    total, n = float(w.sum()), x.size
    if not total > 0 or n < 2:
        return UNDEFINED
    mean_x, mean_y = float(w @ x) / total, float(w @ y) / total
    product = (x - mean_x) * (y - mean_y)
    found = mean_of(product, w)
    size = float(np.sqrt(w @ x**2) * np.sqrt(w @ y**2)) / total
    value = found.value * n / (n - 1)
    return Estimate(0.0 if abs(value) <= ROUNDING * size else value, _floor(found.variance, size))


def variance_of(x: FloatArray, w: FloatArray) -> float:
    """Give the weighted variance, n/(n - 1) times the mean squared deviation; 0 where all values are equal.

    >>> variance_of(np.array([1.0, 2.0, 6.0]), np.ones(3))
    7.0
    """
    mean = float(w @ x / w.sum())
    return _floor(float(w @ np.square(x - mean) / w.sum()) * x.size / (x.size - 1), mean)


def _floor(variance: float, scale: float) -> float:
    """Give zero for a variance that is rounding."""
    return 0.0 if variance <= (ROUNDING * scale) ** 2 else variance
