"""Linear regression, with classical or sandwich standard errors."""

from __future__ import annotations

import numpy as np

from confide.errors import HarmError
from confide.harm.model.fit import Fit, Standardised
from confide.typing import FloatArray

EXACT = 1e-10
"""A residual sd of less than this part of the sd of the response is rounding."""


def fit_linear(
    x: FloatArray, y: FloatArray, weights: FloatArray, names: tuple[str, ...], file: str, *, weighted: bool
) -> Fit:
    """Fit by least squares.

    Standard errors are the classical ones, s^2 (X'X)^-1. With survey weights the estimates solve the weighted
    equations, and standard errors are those of the sandwich, with the factor n/(n - 1) of linearisation.

    Args:
        x: covariates, the intercept first.
        y: the response.
        weights: the weights, one on average.
        names: the names of the covariates.
        file: what the file is called in messages.
        weighted: whether the weights are survey weights.

    >>> x, y = np.ones((4, 1)), np.array([1.0, 2.0, 3.0, 6.0])
    >>> fit = fit_linear(x, y, np.ones(4), ("(intercept)",), "source file", weighted=False)
    >>> fit.estimates.tolist(), round(float(fit.se[0]), 6), round(float(y.std(ddof=1) / 2), 6)
    ([3.0], 1.080123, 1.080123)
    """
    n, p = x.shape
    mean = float(weights @ y / weights.sum())
    spread = float(np.sqrt(weights @ (y - mean) ** 2 / weights.sum()))
    if spread <= 1e-12 * abs(mean):
        raise HarmError(f"the response is constant in the {file}; there is nothing to explain")
    scaled = Standardised.of(x, weights, names, file)
    inverse = np.linalg.inv(scaled.root)
    bread = inverse @ inverse.T
    b = bread @ (scaled.z.T @ (weights * y))
    # one step of refinement makes up for squaring the condition
    b += bread @ (scaled.z.T @ (weights * (y - scaled.z @ b)))
    residual = y - scaled.z @ b
    squares = float(weights @ residual**2)
    sd = float(np.sqrt(squares / weights.sum() * n / (n - p)))
    if sd <= EXACT * spread:
        raise HarmError(
            f"the model fits the {file} without error, so that standard errors are zero and no closeness can be told; "
            "is the response made of the terms?"
        )
    if weighted:
        scores = scaled.z * (weights * residual)[:, None]
        covariance = bread @ (scores.T @ scores) @ bread * (n / (n - 1))
    else:
        covariance = sd**2 * bread
    back = scaled.back
    return Fit(back @ b, back @ covariance @ back.T, sd)
