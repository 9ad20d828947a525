"""The most even distribution of noise: mean 0, a given variance, on given whole numbers (Giessing 2016)."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from confide.errors import InternalError, TableError
from confide.typing import FloatArray, IntArray

EXACT = 1e-10
"""How far sum, mean and variance of a distribution may be off."""


def variances(support: IntArray) -> tuple[float, float]:
    """Give the least and the largest variance of noise with mean 0 on a support; raise where there is none.

    >>> variances(np.array([-1, 2, 3]))
    (2.0, 3.0)
    """
    if not support.size or support.min() > 0 or support.max() < 0:
        raise TableError("noise on this support cannot have mean 0: it goes in one direction only; allow larger noise")
    below, above = int(support[support <= 0].max()), int(support[support >= 0].min())
    return float(-below * above), float(-int(support.min()) * int(support.max()))


def most_even(support: IntArray, variance: float, rounds: int = 300) -> FloatArray:
    """Maximise the entropy of noise with mean 0 and a variance that the support allows, by Newton steps on the dual.

    The distribution is exp(a v + b v^2) but for its sum; at the ends of what is possible it has one or two values.

    >>> most_even(np.array([-2, -1, 0, 1, 2]), 2.0).round(6).tolist()
    [0.2, 0.2, 0.2, 0.2, 0.2]
    >>> most_even(np.array([-1, 2, 3]), 2.0).round(6).tolist()
    [0.666667, 0.333333, 0.0]
    """
    least, most = variances(support)
    slack = 1e-9 * max(most, 1.0)
    if not least - slack <= variance <= most + slack:
        raise TableError(f"noise on this support has a variance from {least:g} to {most:g}; asked for {variance:g}")
    if variance <= least + slack:
        return _two(support, int(support[support <= 0].max()), int(support[support >= 0].min()))
    if variance >= most - slack:
        return _two(support, int(support.min()), int(support.max()))
    size = float(np.abs(support).max())
    t = np.stack([support / size, (support.astype(np.float64) ** 2 - variance) / size**2])
    at = np.zeros(2)
    value = float(logsumexp(at @ t))
    p = np.full(support.size, 1.0 / support.size)
    for _ in range(rounds):
        p = np.exp(at @ t - value)
        slope = t @ p
        if np.abs(slope).max() * size**2 <= EXACT / 100:
            break
        centred = t - slope[:, None]
        step = np.linalg.lstsq((centred * p) @ centred.T, slope, rcond=None)[0]
        length = 1.0
        while length > 1e-12:
            new = float(logsumexp((at - length * step) @ t))
            if new <= value - 1e-4 * length * float(slope @ step) or abs(new - value) < 1e-15:
                break
            length /= 2
        at = at - length * step
        value = float(logsumexp(at @ t))
    p = np.exp(at @ t - value)
    checked(support, p, variance)
    return p


def checked(support: IntArray, p: FloatArray, variance: float) -> None:
    """Raise when sum, mean or variance are off."""
    off = abs(float(p.sum()) - 1), abs(float(p @ support)), abs(float(p @ support.astype(np.float64) ** 2) - variance)
    if max(off) > EXACT * max(1.0, variance):
        raise InternalError(f"noise of variance {variance:g} was not found: off by {max(off):.1e}")


def _two(support: IntArray, below: int, above: int) -> FloatArray:
    """Put all on two values, or on 0, with mean 0."""
    if below == above == 0:
        return np.equal(support, 0).astype(np.float64)
    p = np.where(support == below, above, 0.0) + np.where(support == above, -below, 0.0)
    return np.asarray(p / (above - below))
