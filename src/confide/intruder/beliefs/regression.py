"""Linear regression of amounts, on the log scale where they are positive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.typing import FloatArray, IntArray

LEAST = 1e-6
"""The least residual standard deviation, as a share of the spread of the amounts: a perfect fit is no certainty."""


@dataclass(frozen=True, slots=True, eq=False)
class AmountModel:
    """A fitted regression of an amount."""

    coefficients: FloatArray
    """One per covariate."""
    sd: float
    """The residual standard deviation."""
    log_scale: bool
    """Whether the logarithm (of the absolute value) was fitted."""
    negative: bool = False
    """Whether all amounts are below zero."""

    def mean(self, x: FloatArray) -> FloatArray:
        """Give the mean, on the scale of the fit."""
        return np.asarray(x @ self.coefficients, dtype=np.float64)


def fit_amount(x: FloatArray, cell: IntArray, y: FloatArray) -> AmountModel:
    """Fit an amount by least squares; its logarithm when all amounts have the same sign.

    Args:
        x: distinct rows of covariates; the first is an intercept.
        cell: the row of each unit.
        y: the amount of each unit.

    >>> model = fit_amount(np.ones((1, 1)), np.zeros(3, dtype=np.int64), np.exp([1.0, 2.0, 3.0]))
    >>> model.log_scale, round(float(model.coefficients[0]), 6), round(model.sd, 6)
    (True, 2.0, 1.0)
    """
    log_scale = bool(np.all(y > 0) or np.all(y < 0))
    target = np.log(np.abs(y)) if log_scale else y
    # neither the unit of measurement nor where zero lies may change the fit
    middle = float(target.mean()) if target.size else 0.0
    unit = float(np.abs(target - middle).max(initial=0.0))
    target = (target - middle) / (unit or 1.0)
    counts = np.bincount(cell, minlength=x.shape[0]).astype(np.float64)
    means = np.bincount(cell, weights=target, minlength=x.shape[0]) / np.maximum(counts, 1.0)
    root = np.sqrt(counts)
    coefficients, _, rank, _ = np.linalg.lstsq(x * root[:, None], means * root, rcond=None)
    # spread within cells, plus what the fit leaves between them
    within = target - means[cell]
    between = means - x @ coefficients
    squares = float(within @ within) + float(counts @ (between * between))
    sd = unit * max(float(np.sqrt(squares / max(int(y.size) - int(rank), 1))), LEAST)
    if unit == 0.0:
        sd = LEAST * (1.0 if log_scale else abs(middle) or 1.0)
    coefficients = coefficients * (unit or 1.0)
    coefficients[0] += middle
    negative = log_scale and bool(np.any(y < 0))
    return AmountModel(np.asarray(coefficients, dtype=np.float64), sd, log_scale, negative)
