"""A target at a percentile of the population: eqs (5) and (8), and the risk that (8) approximates."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from confide.rumap import check
from confide.rumap.analytic.order import order_statistic_moments
from confide.rumap.targets import AtPercentile
from confide.typing import FloatArray


def percentile_risk(n: int, p: float, f_y: float | FloatArray, xi_y: float | FloatArray, xi_x: float) -> FloatArray:
    """Give R of eq. (5): the p-th population percentile, estimated by that of the masked sample, any distribution.

    Args:
        n: the sample size.
        p: the share below the percentile.
        f_y: the density of masked values at their percentile.
        xi_y: the percentile of the masked values, mu + l_Yp √(σ² + λ²).
        xi_x: the percentile of the values, mu + sigma l_Xp.

    >>> round(float(percentile_risk(100, 0.9, f_y=0.12, xi_y=2.4, xi_x=2.1)), 6)
    6.557377
    """
    p = check.share("p", p)
    variance = p * (1 - p) / (check.size(n) * np.square(f_y))
    return np.asarray(1.0 / (variance + np.square(np.subtract(xi_y, xi_x))))


def normal_percentile_risk(n: int, p: float, sigma2: float, lambda2: float | FloatArray) -> FloatArray:
    """Give R of eq. (8): (5) for normal values and normal noise. An approximation for large n.

    At n = 200 and p = .99 it is 19 to 39 per cent below the risk (`exact_percentile_risk`), since the value of rank 198
    lies around the quantile 198/201.

    >>> round(float(normal_percentile_risk(200, 0.99, 1.0, 0.2)), 5)
    7.52313
    """
    sigma, z = np.sqrt(check.positive("sigma2", sigma2)), ndtri(check.share("p", p))
    spread = np.sqrt(sigma2 + check.noise(lambda2))
    return percentile_risk(n, p, np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) / spread, z * spread, float(z * sigma))


def exact_percentile_risk(n: int, p: float, sigma2: float, lambda2: float | FloatArray) -> FloatArray:
    """Give 1/E(Y_(np) - ξ_Xp)² with the exact moments of the order statistic: what (8) approximates.

    The rank np is rounded to a whole number.

    >>> round(float(exact_percentile_risk(200, 0.99, 1.0, 0.2)), 4)
    12.2617
    """
    sigma = np.sqrt(check.positive("sigma2", sigma2))
    spread = np.sqrt(sigma2 + check.noise(lambda2))
    n = check.size(n)
    mean, variance = order_statistic_moments(n, AtPercentile(p).rank(n))
    return np.asarray(1.0 / (variance * spread**2 + (mean * spread - ndtri(p) * sigma) ** 2))
