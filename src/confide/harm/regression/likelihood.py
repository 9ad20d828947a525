"""The likelihood of released attributes under a logistic model of the true ones (Lambert 1993, section 6.2).

With eta_k = z'beta_k, zero for level 0, and M[k, x] = Pr(released x | true k), a record adds

    log sum_k M[k, x] exp(eta_k) - log sum_k exp(eta_k).

Its slope in eta_k is the posterior of level k, eq. (3), less its prior. Its curvature is the variance of the level
under the posterior less that under the prior: the information of the complete data less what misrecording takes away
(the missing information of Orchard and Woodbury 1972). For two levels this is the likelihood of the paper, with the terms
for x = 0 that it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import HarmError
from confide.harm.regression.design import covariates
from confide.harm.regression.misclassification import chances, evidence
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Likelihood:
    """The log likelihood of coefficients, levels 1 to K - 1 by covariates, and its slopes."""

    rows: FloatArray
    """Covariates by records, a row of ones first."""
    weights: FloatArray
    """What each record counts."""
    chance: FloatArray
    """log Pr(released level of the record | true level), true levels by records."""
    ridge: float = 0.0
    """The precision of a normal prior on the difference between the slopes of any two levels."""

    @property
    def shape(self) -> tuple[int, int]:
        """Levels but one, and covariates."""
        return self.chance.shape[0] - 1, self.rows.shape[0]

    def move(self, theta: FloatArray, out: FloatArray | None = None) -> FloatArray:
        """Give theta times the covariates; threads would only slow down so slim a product."""
        return np.einsum("kp,pn->kn", theta, self.rows, out=out)

    def value(self, theta: FloatArray) -> float:
        """Give the log likelihood, less the ridge."""
        eta = self._predictor(theta)
        found = float(np.sum(self.weights * (log_sum(eta + self.chance) - log_sum(eta))))
        return found - 0.5 * float(np.sum(theta * self._penalty(theta)))

    def beliefs(self, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give the prior and the posterior probability of each true level, levels by records."""
        eta = self._predictor(theta)
        return _shares(eta), _shares(eta + self.chance)

    def gradient(self, theta: FloatArray, prior: FloatArray, posterior: FloatArray) -> FloatArray:
        """Give the slopes of the log likelihood."""
        found = np.einsum("kn,pn->kp", (posterior - prior)[1:] * self.weights, self.rows)
        return np.asarray(found - self._penalty(theta), dtype=np.float64)

    def information(self, prior: FloatArray, posterior: FloatArray, kept: float = 1.0) -> FloatArray:
        """Give minus the curvature; `kept` is the share of the missing information that is taken away."""
        levels, width = self.shape
        out = np.empty((levels, width, levels, width))
        for k, m, prior_part in _covariances(prior):
            part = prior_part - kept * _covariance(posterior, k, m) if kept else prior_part
            block = (self.rows * (self.weights * part)) @ self.rows.T
            out[k, :, m, :] = block
            out[m, :, k, :] = block
        slopes = np.arange(1, width)
        out[:, slopes, :, slopes] += 2.0 * self.ridge * (np.eye(levels) - 1.0 / (levels + 1))
        return out.reshape(levels * width, levels * width)

    def _predictor(self, theta: FloatArray) -> FloatArray:
        eta = np.zeros(self.chance.shape)
        self.move(theta, out=eta[1:])
        return eta

    def _penalty(self, theta: FloatArray) -> FloatArray:
        out = 2.0 * self.ridge * (theta - theta.sum(axis=0) / (theta.shape[0] + 1))
        out[:, 0] = 0.0
        return np.asarray(out, dtype=np.float64)


def misclassified_log_likelihood(beta: Any, Z: Any, x: Any, q: Any) -> float:  # noqa: N803
    """Give the log likelihood of logistic coefficients when the outcome is misrecorded (Lambert 1993, section 6.2).

    Both outcomes enter: log(q P + (1 - q)(1 - P)) for x = 1, and log((1 - q) P + q (1 - P)) for x = 0,
    which the paper leaves out. P is P[Y = 1 | z], with logit beta[0] + z'beta[1:].

    Args:
        beta: the intercept, then a coefficient for each covariate.
        Z: covariates, records by covariates.
        x: the released outcome, 0 or 1.
        q: the probability that x is right; or (sensitivity, specificity); or Pr(released | true), 2 x 2.

    >>> round(misclassified_log_likelihood([0.0, 1.0], [[0.0], [1.0]], [0, 1], 0.9), 6)
    -1.071707
    """
    z = covariates(Z)
    given = np.asarray(beta, dtype=np.float64)
    if given.shape != (z.shape[1] + 1,) or not bool(np.isfinite(given).all()):
        raise HarmError(f"give {z.shape[1] + 1} finite coefficients, the intercept first; found shape {given.shape}")
    chance = evidence(chances(q)[None], x)
    if chance.shape[1] != z.shape[0]:
        raise HarmError(f"{chance.shape[1]:,} outcomes for {z.shape[0]:,} rows of covariates")
    rows = np.vstack([np.ones(z.shape[0]), z.T])
    return Likelihood(rows, np.ones(z.shape[0]), chance).value(given[None])


def log_sum(logs: FloatArray) -> FloatArray:
    """Give the logarithm of the sum over the first axis."""
    top = logs.max(axis=0)
    return np.asarray(top + np.log(np.exp(logs - top).sum(axis=0)), dtype=np.float64)


def _shares(logs: FloatArray) -> FloatArray:
    """Turn logarithms into probabilities over the first axis."""
    out = np.exp(logs - logs.max(axis=0))
    out /= out.sum(axis=0)
    return np.asarray(out, dtype=np.float64)


def _covariance(p: FloatArray, k: int, m: int) -> FloatArray:
    """Give the covariance of being in levels k + 1 and m + 1."""
    if k != m:
        return np.asarray(-p[k + 1] * p[m + 1], dtype=np.float64)
    others = p[0] if p.shape[0] == 2 else np.delete(p, k + 1, axis=0).sum(axis=0)
    return np.asarray(p[k + 1] * others, dtype=np.float64)


def _covariances(p: FloatArray) -> Iterator[tuple[int, int, FloatArray]]:
    """Go through all pairs of levels but the first."""
    levels = p.shape[0] - 1
    return ((k, m, _covariance(p, k, m)) for k in range(levels) for m in range(k + 1))
