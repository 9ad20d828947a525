"""Exact mean and variance of normal order statistics, by quadrature."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from scipy.special import betainccinv, betaincinv, log_ndtr, ndtri

from confide.errors import MapError
from confide.rumap import check
from confide.typing import FloatArray

NODES = 200
"""Nodes of the quadrature; 300 change no moment by more than 1e-12 of itself."""
TAIL = 1e-18
"""The probability left out at either end."""


@cache
def legendre(nodes: int) -> tuple[FloatArray, FloatArray]:
    """Give the nodes and weights of Gauss and Legendre between 0 and 1.

    >>> x, w = legendre(4)
    >>> bool(abs(w @ x**7 - 1 / 8) < 1e-15)
    True
    """
    x, w = np.polynomial.legendre.leggauss(nodes)
    return np.asarray((x + 1.0) / 2.0), np.asarray(w / 2.0)


def order_range(n: int, k: int) -> tuple[float, float]:
    """Give where the k-th smallest of n standard normals lies, but for a negligible probability at either end.

    >>> low, high = order_range(1, 1)
    >>> bool(low < -8), bool(high > 8)
    (True, True)
    """
    low, above = float(betaincinv(k, n - k + 1, TAIL)), float(betaincinv(n - k + 1, k, TAIL))
    # Uniform order statistics near 1 are told by what lies above them.
    low = float(ndtri(low)) if low < 0.5 else -float(ndtri(betainccinv(n - k + 1, k, TAIL)))
    high = -float(ndtri(above)) if above < 0.5 else float(ndtri(betainccinv(k, n - k + 1, TAIL)))
    return low, high


def order_statistic_moments(n: int, k: int) -> tuple[float, float]:
    """Give the mean and the variance of the k-th smallest of n standard normals.

    The density is integrated numerically; the relative error is below 1e-10.

    >>> mean, variance = order_statistic_moments(200, 200)
    >>> round(mean, 6), round(variance, 6)
    (2.746042, 0.160724)
    """
    n = check.size(n)
    if not 1 <= k <= n:
        raise MapError(f"k is a rank from 1 to n = {n}, found {k!r}")
    return _moments(n, int(k))


@lru_cache(maxsize=256)
def _moments(n: int, k: int) -> tuple[float, float]:
    """Integrate the density, and divide by its own integral so that no factorial is needed."""
    low, high = order_range(n, k)
    t, w = legendre(NODES)
    z = low + (high - low) * t
    log = (k - 1) * log_ndtr(z) + (n - k) * log_ndtr(-z) - z**2 / 2
    density = w * np.exp(log - log.max())
    density /= density.sum()
    mean = float(density @ z)
    return mean, float(density @ (z - mean) ** 2)
