"""Normal probabilities in log space, without cancellation."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
GAUSS_5 = np.column_stack(np.polynomial.legendre.leggauss(5))
"""Nodes and weights of five-point Gauss-Legendre quadrature."""


@njit(cache=True, nogil=True)
def log_phi(x: float) -> float:
    """Give log Phi(x), also far in the lower tail."""
    if x > -30.0:
        return math.log(0.5 * math.erfc(-x / math.sqrt(2.0)))
    u = 1.0 / (x * x)
    return -0.5 * x * x - HALF_LOG_2PI - math.log(-x) + math.log1p(-u * (1.0 - u * (3.0 - u * (15.0 - 105.0 * u))))


@njit(cache=True, nogil=True)
def log_phi_between(a: float, b: float) -> float:
    """Give log(Phi(b) - Phi(a)) for a <= b, without cancellation."""
    if not a < b:
        return -math.inf
    if a + b > 0:
        a, b = -b, -a
    width, middle = b - a, 0.5 * (a + b)
    if width * max(1.0, abs(middle)) < 1e-2:
        m, w = middle * middle, width * width
        series = (m - 1.0) * w / 24.0 + (m * m - 6.0 * m + 3.0) * w * w / 1920.0
        return -0.5 * m - HALF_LOG_2PI + math.log(width) + math.log1p(series)
    upper = log_phi(b)
    lower = log_phi(a) if a > -math.inf else -math.inf
    return upper + math.log1p(-math.exp(lower - upper))


@njit(cache=True, nogil=True)
def log_kernel(a: float, b: float, c: float, per_sd: float, log_sd: float) -> float:
    """Give the log density at a, or the log mass between a and b, of a normal with centre c."""
    if a == b:
        d = (a - c) * per_sd
        return -0.5 * d * d - log_sd
    return log_phi_between((a - c) * per_sd, (b - c) * per_sd)


@njit(cache=True, nogil=True)
def _overshoot(x: float) -> float:
    """Give the integral of Phi from minus infinity to x."""
    if math.isinf(x):
        return max(x, 0.0)
    return x * 0.5 * math.erfc(-x / math.sqrt(2.0)) + math.exp(-0.5 * x * x - HALF_LOG_2PI)


@njit(cache=True, nogil=True)
def log_blurred(a: float, b: float, c: float, per_sd: float, half: float) -> float:
    """Give the same when the centre is uniform within `half` of c.

    For an interval no wider than the noise the density at its middle and curvature suffice; wider
    ones use the integral of Phi.
    """
    if a == b:
        return log_phi_between((a - c - half) * per_sd, (a - c + half) * per_sd) - math.log(2 * half)
    if (b - a) * per_sd < 0.1:
        total, top = 0.0, log_phi_between((0.5 * (a + b) - c - half) * per_sd, (0.5 * (a + b) - c + half) * per_sd)
        for k in range(5):
            z = 0.5 * (a + b) + 0.5 * (b - a) * GAUSS_5[k, 0]
            value = log_phi_between((z - c - half) * per_sd, (z - c + half) * per_sd)
            total += 0.5 * GAUSS_5[k, 1] * math.exp(value - top)
        return top + math.log(total) + math.log(b - a) - math.log(2 * half)
    above = _overshoot((c + half - a) * per_sd) - _overshoot((c - half - a) * per_sd) if a > -math.inf else 2 * half * per_sd
    beyond = _overshoot((c + half - b) * per_sd) - _overshoot((c - half - b) * per_sd) if b < math.inf else 0.0
    mass = (above - beyond) / (2 * half * per_sd)
    return math.log(mass) if mass > 1e-300 else -math.inf
