"""A target that is the sample's own percentile or extreme: the masked and the true value move together.

Eqs (6) and (9) keep the target fixed. Over samples, the k-th smallest value X_(k) and the k-th smallest masked value Y_(k)
are strongly correlated, and the risk is 1/E(X_(k) - Y_(k))².
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import ndtr, ndtri, owens_t

from confide.errors import MapError
from confide.rumap import check
from confide.rumap.analytic.order import legendre, order_range
from confide.rumap.kernels import crossed
from confide.typing import FloatArray

NODES = (96, 48)
"""Nodes along the values and along their difference."""
MOST_WORK = 3e10
"""Elementary operations an exact answer may take, some 30 seconds."""


def exact_sample_risk(n: int, rank: int, sigma2: float, lambda2: float | FloatArray) -> FloatArray:
    """Give 1/E(X_(k) - Y_(k))² for normal values and normal noise; k = n is the sample's own maximum.

    The mean squared error is 2 ∬ P(X_(k) ≤ x, Y_(k) > x + d) + P(Y_(k) ≤ x, X_(k) > x + d) dx dd over d > 0. The
    probabilities are sums over the counts of values and masked values above the cuts; the integral is a Gauss-Legendre
    quadrature with a relative error below 1e-6. Without noise the risk is infinite.

    Args:
        n: the sample size.
        rank: k, the place of the target from below.
        sigma2: the variance of the values.
        lambda2: the variance of the noise, one or several.

    >>> [round(float(r), 2) for r in exact_sample_risk(200, 200, 1.0, np.array([0.05, 0.2]))]
    [22.87, 5.26]
    """
    n = check.size(n)
    if not 1 <= rank <= n:
        raise MapError(f"rank is a place from 1 to n = {n}, found {rank!r}")
    sigma2, noise = check.positive("sigma2", sigma2), check.noise(lambda2)
    r = min(n - rank, rank - 1)  # normal values are symmetric: count from the nearer end
    squared = [sigma2 * _squared(n, r, float(v) / sigma2) for v in noise.ravel()]
    return check.reciprocal(np.asarray(squared, dtype=np.float64).reshape(noise.shape))


def sample_percentile_risk(n: int, p: float, sigma2: float, lambda2: float | FloatArray) -> FloatArray:
    """Give 1/E(X_(np) - Y_(np))² for large n: the sample's own percentile.

    Both order statistics are asymptotically normal around their percentiles, with covariance
    (P(X ≤ ξ_X, Y ≤ ξ_Y) - p²)/(n f_X f_Y). The paper prints no such form: (6) needs the sample.

    >>> round(float(sample_percentile_risk(200, 0.5, 1.0, 0.2)), 2)
    213.75
    """
    n, p = check.size(n), check.share("p", p)
    sigma, noise = np.sqrt(check.positive("sigma2", sigma2)), check.noise(lambda2)
    spread, z = np.sqrt(sigma2 + noise), ndtri(p)
    together = p - _below_above(np.full(noise.shape, z * sigma), z * spread, sigma, np.sqrt(noise))
    both = p * (1 - p) * (sigma**2 + spread**2) - 2 * sigma * spread * (together - p**2)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    squared = both / (n * density**2) + z**2 * (spread - sigma) ** 2
    return check.reciprocal(np.where(noise == 0, 0.0, squared))


@lru_cache(maxsize=4096)
def _squared(n: int, r: int, lambda2: float) -> float:
    """Give E(X_(n-r) - Y_(n-r))² for standard normal values."""
    if lambda2 == 0:
        return 0.0
    lam, spread = float(np.sqrt(lambda2)), float(np.sqrt(1 + lambda2))
    width = 40.0 * np.sqrt((r + 1.0) * (1 - r / n)) + 1  # about how many counts matter
    work = 2.0 * (NODES[0] * NODES[1] + 12 * NODES[0]) * min(r + 1, width) * n
    if work > MOST_WORK:
        raise MapError(
            f"the exact risk of rank {n - r:,} in a sample of {n:,} would take about {work:.0e} operations; "
            "at this size AsymptoticForm() is close"
        )
    low, high = order_range(n, n - r)
    low, high = min(low, low * spread), max(high, high * spread)
    far = lam * -float(ndtri(1e-18 / n))  # no order statistic moves more than the largest noise
    start = _gap(n, r, np.zeros(1), lam, low, high)[0]
    while _gap(n, r, np.array([far / 2]), lam, low, high)[0] < 1e-15 * start:
        far /= 2
    t, w = legendre(NODES[1])
    return 2.0 * far * float(w @ _gap(n, r, far * t, lam, low, high))


def _gap(n: int, r: int, d: FloatArray, lam: float, low: float, high: float) -> FloatArray:
    """Give E(|X_(k) - Y_(k)| - d)+ for each d: the integral over x of both orders."""
    t, w = legendre(NODES[0])
    x = np.broadcast_to(low + (high - low) * t, (d.size, t.size)).ravel()
    far = x + np.repeat(d, t.size)
    spread = np.sqrt(1 + lam**2)
    # X at most x, Y above x + d
    other = _below_above(x, far, 1.0, lam)
    total = crossed(n, r, ndtr(-x), np.maximum(ndtr(-far / spread) - other, 0.0), other)
    # Y at most x, X above x + d
    other = ndtr(-far) - ndtr(-x / spread) + _below_above(far, x, 1.0, lam)
    other = np.maximum(other, 0.0)
    total += crossed(n, r, ndtr(-x / spread), np.maximum(ndtr(-far) - other, 0.0), other)
    return np.asarray((high - low) * (total.reshape(d.size, t.size) @ w))


def _below_above(x: FloatArray, y: FloatArray, sigma: float, lam: float | FloatArray) -> FloatArray:
    """Give P(X ≤ x, X + ε > y) by Owen's function; the differences are formed before they are divided."""
    spread = np.sqrt(sigma**2 + np.square(lam))
    x, y = np.where(x == 0, 1e-200, x), np.where(y == 0, 1e-200, y)
    h, k = x / sigma, y / spread
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        first = (y - x) / (h * lam)
        second = (x * np.square(lam) + sigma**2 * (x - y)) / (sigma * k * spread * lam)
    half = np.where(h * k < 0, 0.5, 0.0)
    found = 0.5 * (ndtr(h) - ndtr(k)) + owens_t(h, first) + owens_t(k, second) + half
    return np.asarray(np.clip(found, 0.0, 1.0))
