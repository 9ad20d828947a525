"""The likelihood of released attributes under a logistic model of the true ones (Lambert 1993, section 6.2).

With eta_k = z'beta_k, zero for level 0, and M[k, x] = Pr(released x | true k), a record adds

    log sum_k M[k, x] exp(eta_k) - log sum_k exp(eta_k).

Its slope in eta_k is the posterior of level k, eq. (3), less its prior. Its curvature is the variance of the level
under the posterior less that under the prior: the information of the complete data less what misrecording takes away
(the missing information of Orchard and Woodbury 1972). For two levels this is the likelihood of the paper, with the terms
for x = 0 that it leaves out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import HarmError
from confide.harm.regression.design import covariates
from confide.harm.regression.misclassification import chances, evidence
from confide.typing import FloatArray, IntArray

CHUNK = 4096
"""So many rows of covariates are multiplied at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Likelihood:
    """The log likelihood of coefficients, levels 1 to K - 1 by covariates, and its slopes."""

    rows: FloatArray
    """Covariates by distinct rows of them, a row of ones first."""
    starts: IntArray
    """Where the records with each row of covariates start."""
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
        before, after = log_sum(eta), log_sum(self.spread(eta) + self.chance)
        found = float(np.sum(self.weights * (after - self.spread(before))))
        return found - 0.5 * float(np.sum(theta * self._penalty(theta)))

    def beliefs(self, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give the probability of each true level before (by rows of covariates) and after (by records) release."""
        eta = self._predictor(theta)
        return _shares(eta), _shares(self.spread(eta) + self.chance)

    def gradient(self, theta: FloatArray, prior: FloatArray, posterior: FloatArray) -> FloatArray:
        """Give the slopes of the log likelihood."""
        surplus = self.gather(posterior[1:] * self.weights) - prior[1:] * self.gather(self.weights)
        found = np.einsum("kn,pn->kp", surplus, self.rows)
        return np.asarray(found - self._penalty(theta), dtype=np.float64)

    def information(self, prior: FloatArray, posterior: FloatArray | None) -> FloatArray:
        """Give minus the curvature; without a posterior that of the complete data, none of it missing."""
        levels, width = self.shape
        total = self.gather(self.weights)
        pairs = [(k, m) for k in range(levels) for m in range(k + 1)]
        parts = np.empty((len(pairs), self.starts.size))
        for at, (k, m) in enumerate(pairs):
            parts[at] = total * _covariance(prior, k, m)
            if posterior is not None:
                parts[at] -= self.gather(self.weights * _covariance(posterior, k, m))
        out = np.empty((levels, width, levels, width))
        for (k, m), block in zip(pairs, _crossed(self.rows, parts), strict=True):
            out[k, :, m, :] = out[m, :, k, :] = block
        slopes = np.arange(1, width)
        out[:, slopes, :, slopes] += 2.0 * self.ridge * (np.eye(levels) - 1.0 / (levels + 1))
        return out.reshape(levels * width, levels * width)

    def spread(self, values: FloatArray) -> FloatArray:
        """Give each record what its row of covariates has."""
        if self.starts.size == self.weights.size:
            return values
        times = np.diff(self.starts, append=self.weights.size)
        return np.asarray(np.repeat(values, times, axis=-1), dtype=np.float64)

    def gather(self, values: FloatArray) -> FloatArray:
        """Sum over the records of each row of covariates."""
        if self.starts.size == self.weights.size:
            return values
        return np.asarray(np.add.reduceat(values, self.starts, axis=-1), dtype=np.float64)

    def _predictor(self, theta: FloatArray) -> FloatArray:
        eta = np.zeros((self.chance.shape[0], self.starts.size))
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
    return Likelihood(rows, np.arange(z.shape[0]), np.ones(z.shape[0]), chance).value(given[None])


def log_sum(logs: FloatArray) -> FloatArray:
    """Give the logarithm of the sum over the first axis."""
    top = logs.max(axis=0)
    return np.asarray(top + np.log(np.exp(logs - top).sum(axis=0)), dtype=np.float64)


def _shares(logs: FloatArray) -> FloatArray:
    """Turn logarithms into probabilities over the first axis."""
    out = np.exp(logs - logs.max(axis=0))
    out /= out.sum(axis=0)
    return np.asarray(out, dtype=np.float64)


def _crossed(rows: FloatArray, parts: FloatArray) -> FloatArray:
    """Give rows diag(part) rows' for each part."""
    width = rows.shape[0]
    if parts.shape[0] == 1:
        return np.asarray(((rows * parts[0]) @ rows.T)[None], dtype=np.float64)
    i, j = np.tril_indices(width)
    out = np.zeros((parts.shape[0], width, width))
    for start in range(0, rows.shape[1], CHUNK):
        some = slice(start, start + CHUNK)
        out[:, i, j] += parts[:, some] @ (rows[i, some] * rows[j, some]).T
    out[:, j, i] = out[:, i, j]
    return out


def _covariance(p: FloatArray, k: int, m: int) -> FloatArray:
    """Give the covariance of being in levels k + 1 and m + 1."""
    if k != m:
        return np.asarray(-p[k + 1] * p[m + 1], dtype=np.float64)
    others = p[0] if p.shape[0] == 2 else np.delete(p, k + 1, axis=0).sum(axis=0)
    return np.asarray(p[k + 1] * others, dtype=np.float64)
