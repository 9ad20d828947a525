"""Partial moments of the normal and the lognormal that keep their digits far in a tail and for a tiny sd.

Beyond a point a of the standard normal every partial moment is phi(a) times an integral of
exp(-a u - u²/2), a >= 0, in which nothing cancels.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import log_ndtr, ndtr

from confide.typing import FloatArray

FAR = 6.0
"""From so many sds on the closed form loses more digits than the integral."""
GONE = 40.0
"""Beyond so many sds the density is zero in floating point."""
WIDE = 0.3
"""From this sd of the logarithm on the closed form keeps its digits."""
DECAY = 90.0
"""Twice the exponent at which the integral is cut: exp(-45) is 3e-20."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(32)
FEW_NODES, FEW_WEIGHTS = np.polynomial.legendre.leggauss(10)


def density(z: FloatArray) -> FloatArray:
    """Give the standard normal density.

    >>> density(np.array([0.0, np.inf])).round(6).tolist()
    [0.398942, 0.0]
    """
    return np.asarray(np.exp(-0.5 * np.minimum(np.abs(z), GONE) ** 2) / np.sqrt(2 * np.pi), dtype=np.float64)


def decaying(a: FloatArray, factor: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Integrate factor(u) exp(-a u - u²/2) over u >= 0, for a >= 0, by 32 nodes of Gauss and Legendre.

    >>> decaying(np.array([0.0]), np.ones_like).round(12).tolist()
    [1.253314137316]
    """
    end = DECAY / (a + np.sqrt(a * a + DECAY))
    total = np.zeros_like(a)
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        u = 0.5 * (1.0 + node) * end
        total += weight * factor(u) * np.exp(-u * (a + 0.5 * u))
    return np.asarray(0.5 * end * total, dtype=np.float64)


def below_zero(z: FloatArray, power: int) -> FloatArray:
    """Give E[max(0, Z + z)^power] of a standard normal Z, for z <= 0 and power 1 or 2.

    >>> below_zero(np.array([0.0, -50.0]), 2).tolist()
    [0.5, 0.0]
    """
    z = np.maximum(z, -GONE)
    phi, big = density(z), ndtr(z)
    found = np.asarray(z * big + phi if power == 1 else (z * z + 1) * big + z * phi, dtype=np.float64)
    far = z < -FAR
    if bool(far.any()):
        found[far] = phi[far] * decaying(-z[far], lambda u: u**power)
    return found


def interval(start: FloatArray, width: FloatArray) -> FloatArray:
    """Give P[start <= Z <= start + width] of a standard normal Z, also for a narrow interval.

    >>> [f"{p:.6g}" for p in interval(np.array([-1.0, 0.0]), np.array([2.0, 1e-15]))]
    ['0.682689', '3.98942e-16']
    """
    stop = start + width
    left, right = np.where(start > 0, -stop, start), np.where(start > 0, -start, stop)
    found = np.asarray(ndtr(right) - ndtr(left), dtype=np.float64)
    narrow = width < 0.5
    if bool(narrow.any()):
        total = np.zeros(int(narrow.sum()))
        for node, weight in zip(FEW_NODES, FEW_WEIGHTS, strict=True):
            total += weight * density(start[narrow] + 0.5 * (1.0 + node) * width[narrow])
        found[narrow] = 0.5 * width[narrow] * total
    return found


def upper(d: FloatArray, s: FloatArray, power: int) -> FloatArray:
    """Give E[max(0, exp(W) - 1)^power] of W normal(d, s), where d <= 0, s > 0 and power 1 or 2.

    >>> upper(np.array([0.0]), np.array([1.0]), 1).round(9).tolist()
    [0.887142979]
    """
    z = np.maximum(d / s, -GONE)
    found = np.empty_like(d)
    small = s < WIDE
    if bool(small.any()):
        sd = s[small]
        found[small] = density(z[small]) * decaying(-z[small], lambda u: np.expm1(sd * u) ** power)
    if not bool(small.all()):
        x, sd = d[~small], s[~small]
        p0, p1 = ndtr(x / sd), _moment(1, x, sd, 1.0)
        found[~small] = p1 - p0 if power == 1 else _moment(2, x, sd, 1.0) - 2 * p1 + p0
    return np.maximum(found, 0.0)


def lower(d: FloatArray, s: FloatArray, power: int) -> FloatArray:
    """Give E[max(0, 1 - exp(W))^power] of W normal(d, s), where d >= 0, s > 0 and power 1 or 2.

    >>> lower(np.array([0.0]), np.array([1.0]), 1).round(9).tolist()
    [0.238421708]
    """
    z = np.minimum(d / s, GONE)
    found = np.empty_like(d)
    small = s < WIDE
    if bool(small.any()):
        sd = s[small]
        found[small] = density(z[small]) * decaying(z[small], lambda u: (-np.expm1(-sd * u)) ** power)
    if not bool(small.all()):
        x, sd = d[~small], s[~small]
        p0, p1 = ndtr(-x / sd), _moment(1, x, sd, -1.0)
        found[~small] = p0 - p1 if power == 1 else _moment(2, x, sd, -1.0) - 2 * p1 + p0
    return np.maximum(found, 0.0)


def relative_shortfall(d: FloatArray, s: FloatArray) -> FloatArray:
    """Give E[max(0, 1 - exp(W))] of W normal(d, s), s > 0, for d of either sign.

    >>> relative_shortfall(np.array([0.0, -100.0]), np.array([1.0, 1.0])).round(9).tolist()
    [0.238421708, 1.0]
    """
    found = lower(np.maximum(d, 0.0), s, 1)
    below, wide = d < 0, s >= WIDE
    if bool((below & wide).any()):
        x, sd = d[below & wide], s[below & wide]
        found[below & wide] = ndtr(-x / sd) - _moment(1, x, sd, -1.0)
    if bool((below & ~wide).any()):
        x, sd = d[below & ~wide], s[below & ~wide]
        found[below & ~wide] = upper(x, sd, 1) - np.expm1(x + 0.5 * sd**2)
    return found


def _moment(k: int, d: FloatArray, s: FloatArray, side: float) -> FloatArray:
    """E[exp(k W); W > 0], or W < 0 for side -1; its logarithm, so that a large factor and a small one may meet."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(k * d + 0.5 * (k * s) ** 2 + log_ndtr(side * (d / s + k * s))), dtype=np.float64)
