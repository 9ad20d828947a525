"""A target at an extreme whose value is taken as fixed: eqs (9) and (10)."""

from __future__ import annotations

import numpy as np

from confide.rumap import check
from confide.rumap.analytic.order import order_statistic_moments
from confide.typing import FloatArray

GAMMA = 0.57722
"""Euler's constant, as the paper rounds it."""


def extreme_constants(n: int) -> tuple[float, float]:
    """Give K_n1 and K_n2: mean and variance of the largest of n standard normals, for large n (section 4.3).

    At n = 200 they are 1.5 per cent too large and 3.4 per cent too small; see `order_statistic_moments`.

    >>> [round(k, 6) for k in extreme_constants(200)]
    [2.787699, 0.155232]
    """
    log = np.log(check.size(n, least=2))
    root = np.sqrt(2 * log)
    first = root - (np.log(log) + np.log(4 * np.pi) - 2 * GAMMA) / (2 * root)
    return float(first), float(np.pi**2 / (12 * log))


def maximum_risk(n: int, mu: float, sigma2: float, lambda2: float | FloatArray, x_max: float) -> FloatArray:
    """Give R of eq. (9): the sample maximum x_(n) is estimated by the largest masked value.

    The variance of the largest masked value is that over samples, although x_(n) is taken as given.

    >>> round(float(maximum_risk(200, 0.0, 1.0, 0.3, x_max=3.1)), 5)
    4.80866
    """
    first, second = extreme_constants(n)
    masked = check.positive("sigma2", sigma2) + check.noise(lambda2)
    return np.asarray(1.0 / (second * masked + (x_max - (mu + first * np.sqrt(masked))) ** 2))


def expected_maximum_risk(n: int, sigma2: float, lambda2: float | FloatArray) -> FloatArray:
    """Give R of eq. (10): (9) for a target fixed at the maximum that is expected.

    It is not the risk of the sample's own maximum, which moves with the masked one: that is `exact_sample_risk`, and at
    n = 200 and λ² = .05 σ² it is four times as high.

    >>> round(float(expected_maximum_risk(200, 1.0, 0.2)), 5)
    3.88995
    """
    first, _ = extreme_constants(n)
    return maximum_risk(n, 0.0, sigma2, lambda2, float(first * np.sqrt(check.positive("sigma2", sigma2))))


def exact_expected_maximum_risk(n: int, sigma2: float, lambda2: float | FloatArray) -> FloatArray:
    """Give the risk that (10) approximates: a target fixed at the exact mean of the maximum, with exact moments.

    >>> round(float(exact_expected_maximum_risk(200, 1.0, 0.2)), 4)
    3.8232
    """
    n = check.size(n)
    mean, variance = order_statistic_moments(n, n)
    sigma, masked = np.sqrt(check.positive("sigma2", sigma2)), sigma2 + check.noise(lambda2)
    return check.reciprocal(variance * masked + mean**2 * (np.sqrt(masked) - sigma) ** 2)
