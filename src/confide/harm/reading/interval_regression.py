"""Linear regression of amounts of which some are only known to lie in a range."""

from __future__ import annotations

import numpy as np

from confide.release.noisy import log_mass
from confide.typing import FloatArray

ROUNDS = 200
CLOSE = 1e-8


def interval_regression(x: FloatArray, low: FloatArray, high: FloatArray) -> tuple[FloatArray, float]:
    """Fit coefficients and the residual variance by maximum likelihood (the EM algorithm of the tobit model).

    Amounts in a range stand with their mean and variance within it, given the fit so far. Without ranges this is least
    squares, the variance divided by the degrees of freedom.

    Args:
        x: covariates, with a column of ones.
        low: the lower end of each range, -inf: none.
        high: the upper end; equal to the lower one for a known amount.

    >>> b, v = interval_regression(np.ones((4, 1)), np.array([1.0, 2.0, 3.0, 6.0]), np.array([1.0, 2.0, 3.0, 6.0]))
    >>> b.tolist(), round(v, 6)
    ([3.0], 4.666667)
    """
    n = low.size
    known = low == high
    start = np.where(known, low, np.where(np.isinf(low), high, np.where(np.isinf(high), low, 0.5 * (low + high))))
    squares = x.T @ x
    rank = int(np.linalg.matrix_rank(squares, hermitian=True))
    turn = np.linalg.pinv(squares, hermitian=True)

    def least_squares(y: FloatArray) -> FloatArray:
        return np.asarray(turn @ (x.T @ y), dtype=np.float64)

    b = least_squares(start)
    variance = float(np.sum((start - x @ b) ** 2)) / max(n - rank, 1)
    if bool(known.all()) or variance == 0:
        return b, variance
    for _ in range(ROUNDS):
        fitted, sd = x @ b, np.sqrt(variance)
        mean, spread = within((low - fitted) / sd, (high - fitted) / sd)
        y = np.where(known, start, fitted + sd * mean)
        before, b = b, least_squares(y)
        old, inside = variance, variance * float(np.sum(np.where(known, 0.0, spread)))
        variance = (float(np.sum((y - x @ b) ** 2)) + inside) / max(n - rank, 1)
        if abs(variance - old) <= CLOSE * old and float(np.max(np.abs(x @ (b - before)))) <= CLOSE * sd:
            break
    return b, variance


def within(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the mean and variance of a standard normal between a and b; what equal ends give means nothing.

    >>> mean, variance = within(np.array([0.0]), np.array([np.inf]))
    >>> round(float(mean[0]), 6), round(float(variance[0]), 6)
    (0.797885, 0.36338)
    """
    wide = np.where(a == b, np.inf, b)
    log_z = log_mass(a, wide)
    with np.errstate(invalid="ignore", over="ignore"):
        at_a = np.where(np.isinf(a), 0.0, np.exp(-0.5 * a**2 - 0.5 * np.log(2 * np.pi) - log_z))
        at_b = np.where(np.isinf(wide), 0.0, np.exp(-0.5 * wide**2 - 0.5 * np.log(2 * np.pi) - log_z))
        mean = at_a - at_b
        ends = np.where(np.isinf(a), 0.0, a * at_a) - np.where(np.isinf(wide), 0.0, wide * at_b)
    # narrow ranges and far tails lose digits: the mean lies inside, the variance is at most that of a uniform
    mean = np.clip(np.nan_to_num(mean), np.where(np.isinf(a), -1e300, a), np.where(np.isinf(wide), 1e300, wide))
    width = wide - a
    variance = np.clip(np.nan_to_num(1 + ends - mean**2), 0.0, np.where(np.isfinite(width), width**2 / 12, 1.0))
    return mean, variance
