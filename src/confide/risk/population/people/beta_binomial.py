"""E(1/F) when F - f is beta-binomial(m; f - alpha, total - f + alpha)."""

from __future__ import annotations

import numpy as np

from confide.risk.population.ewens_pitman import expected_inverse
from confide.typing import FloatArray


def beta_binomial_inverses(f: FloatArray, alpha: float, total: float, m: float) -> FloatArray:
    """Give E(1/F) for each f of 1 or more, total being theta + n.

    With I_f the expectation and rho = (f - alpha) / (total - f - 1 + alpha),

        I_(f+1) = ((1 + rho) - f I_f) / (rho (m + f + 1)),

    where errors shrink by about total / m. For larger samples the sum over F, which then has few terms.
    """
    distinct, place = np.unique(f, return_inverse=True)
    if m == 0:
        found = 1 / distinct
    elif total <= m:
        found = _by_recursion(int(distinct[-1]), alpha, total, m)[distinct.astype(np.int64) - 1]
    else:
        found = np.array([_by_sum(x, alpha, total, m) for x in distinct])
    return np.asarray(found[place.ravel()], dtype=np.float64)


def _by_recursion(most: int, alpha: float, total: float, m: float) -> FloatArray:
    """Give E(1/F) for f = 1 to most."""
    found = np.empty(most)
    found[0] = last = expected_inverse(total - 1, alpha, 1, 1 + m)
    for f in range(1, most):
        rho = (f - alpha) / (total - f - 1 + alpha)
        found[f] = last = (1 + rho - f * last) / (rho * (m + f + 1))
    return found


def _by_sum(f: float, alpha: float, total: float, m: float) -> float:
    """Give E(1/F) as a sum; for m < total, F - f is short-tailed, and what is left out is below rounding."""
    a, b = f - alpha, total - f + alpha
    mean = m * a / total
    spread = np.sqrt(mean * b / total * (total + m) / (total + 1))
    x = np.arange(min(m, np.ceil(mean + 12 * spread + 200)))
    step = np.log((m - x) * (a + x)) - np.log((x + 1) * (b + m - x - 1))
    log = np.concatenate([[0.0], np.cumsum(step)])
    weight = np.exp(log - log.max())
    return float((weight / (f + np.arange(log.size))).sum() / weight.sum())
