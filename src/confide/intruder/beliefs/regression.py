"""Linear regression of amounts, on the log scale where they are positive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class AmountModel:
    """A fitted regression of an amount."""

    coefficients: FloatArray
    """One per covariate."""
    sd: float
    """The residual standard deviation."""
    log_scale: bool
    """Whether the logarithm (of the absolute value) was fitted."""

    def mean(self, x: FloatArray) -> FloatArray:
        """Give the mean, on the scale of the fit."""
        return np.asarray(x @ self.coefficients, dtype=np.float64)


def fit_amount(x: FloatArray, y: FloatArray) -> AmountModel:
    """Fit an amount by least squares; its logarithm when all amounts have the same sign.

    >>> model = fit_amount(np.ones((3, 1)), np.exp([1.0, 2.0, 3.0]))
    >>> model.log_scale, round(float(model.coefficients[0]), 6), round(model.sd, 6)
    (True, 2.0, 1.0)
    """
    log_scale = bool(np.all(y > 0) or np.all(y < 0))
    target = np.log(np.abs(y)) if log_scale else y
    coefficients, _, rank, _ = np.linalg.lstsq(x, target, rcond=None)
    residual = target - x @ coefficients
    free = max(int(y.size) - int(rank), 1)
    sd = float(np.sqrt(residual @ residual / free))
    floor = 1e-6 * (1.0 + float(np.abs(target).max(initial=0.0)))
    return AmountModel(np.asarray(coefficients, dtype=np.float64), max(sd, floor), log_scale)
