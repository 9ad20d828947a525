"""The mean as estimate, and the linked record: eqs (1) to (4) of Duncan, Keller-McNulty and Stokes.

The data are a sample of n from a population with mean mu and variance sigma2; noise of variance lambda2 is added. The user
estimates mu by the mean of the masked values. All functions take one lambda2 or an array of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.errors import MapError
from confide.rumap import check
from confide.typing import FloatArray


def mean_utility(n: int, sigma2: float, lambda2: float | FloatArray) -> FloatArray:
    """Give U = n/(σ² + λ²): 1 over the user's mean squared error in the mean (section 4.1).

    >>> round(float(mean_utility(200, 1.0, 0.21)), 1)
    165.3
    """
    return np.asarray(check.size(n) / (check.positive("sigma2", sigma2) + check.noise(lambda2)))


def relative_utility(lambda2: float | FloatArray, sigma2: float = 1.0) -> FloatArray:
    """Give 1/(1 + λ²/σ²): the utility as a share of that without masking (section III, Figure 1).

    >>> float(relative_utility(9.0))
    0.1
    """
    return np.asarray(1.0 / (1.0 + check.noise(lambda2) / check.positive("sigma2", sigma2)))


def mean_attack_risk(n: int, sigma2: float, lambda2: float | FloatArray, mu: float, tau: float) -> FloatArray:
    """Give R = n/(σ² + λ² + n(μ - τ)²), eq. (1): the target value τ is estimated by the mean.

    >>> round(float(mean_attack_risk(50, 4.0, 1.0, mu=10.0, tau=13.0)), 6)
    0.10989
    """
    n = check.size(n)
    return np.asarray(n / (check.positive("sigma2", sigma2) + check.noise(lambda2) + n * (mu - tau) ** 2))


def typical_target_risk(n: int, sigma2: float, lambda2: float | FloatArray) -> FloatArray:
    """Give R = n/((n + 1)σ² + λ²), eq. (2): (1) on average over targets of the population.

    >>> round(float(typical_target_risk(200, 1.0, 0.0)), 6)
    0.995025
    """
    n = check.size(n)
    return np.asarray(n / ((n + 1) * check.positive("sigma2", sigma2) + check.noise(lambda2)))


def sample_average_risk(
    x: Sequence[float] | FloatArray, mu: float, sigma2: float, lambda2: float | FloatArray
) -> FloatArray:
    """Give R = n/(σ² + λ² + Σ(μ - x_i)²), eq. (3): (1) on average over the values of a sample.

    >>> round(float(sample_average_risk([1.0, 2.0, 4.0, 9.0], 3.5, 2.0, 0.5)), 6)
    0.096386
    """
    values = np.asarray(x, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or not bool(np.all(np.isfinite(values))):
        raise MapError("x must be a row of finite numbers, at least one")
    spread = float(np.sum((mu - values) ** 2))
    return np.asarray(values.size / (check.positive("sigma2", sigma2) + check.noise(lambda2) + spread))


def sample_target_risk(n: int, sigma2: float, lambda2: float | FloatArray) -> FloatArray:
    """Give R = n/((n - 1)σ² + λ²): the target is one of the sample and is estimated by the mean.

    The paper gives (2) for this state of knowledge, too. But the mean leans towards its own members: E(X_i - Y̅)² is
    ((n - 1)σ² + λ²)/n.

    >>> round(float(sample_target_risk(20, 1.0, 0.5)), 6)
    1.025641
    """
    n = check.size(n)
    return check.reciprocal(((n - 1) * check.positive("sigma2", sigma2) + check.noise(lambda2)) / n)


def linked_record_risk(lambda2: float | FloatArray) -> FloatArray:
    """Give R = 1/λ², eq. (4): the target's masked record is known. Without noise it is infinite.

    >>> float(linked_record_risk(0.2)), float(linked_record_risk(0.0))
    (5.0, inf)
    """
    return check.reciprocal(check.noise(lambda2))
