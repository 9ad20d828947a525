"""Logistic and multinomial regression by maximum likelihood."""

from __future__ import annotations

import numpy as np

from confide.errors import HarmError
from confide.harm.model.fit import Fit, Standardised, check_size
from confide.harm.regression.levels import fit_misclassified_levels
from confide.intruder.beliefs.multinomial import log_probabilities
from confide.typing import FloatArray, IntArray


def fit_categories(
    x: FloatArray, y: IntArray, classes: int, weights: FloatArray, names: tuple[str, ...], file: str, *, weighted: bool
) -> Fit:
    """Fit log Pr(y = k)/Pr(y = 0) = x b_k by maximum likelihood; two categories give logistic regression.

    Standard errors come from the observed information. With survey weights the pseudo-likelihood is
    maximised, and standard errors are those of the sandwich, with the factor n/(n - 1) of linearisation.

    Args:
        x: covariates, the intercept first.
        y: the category of each record, from 0.
        classes: the number of categories.
        weights: the weights, one on average.
        names: the names of the covariates.
        file: what the file is called in messages.
        weighted: whether the weights are survey weights.

    >>> y = np.array([0, 1, 1, 1])
    >>> fit = fit_categories(np.ones((4, 1)), y, 2, np.ones(4), ("(intercept)",), "source file", weighted=False)
    >>> bool(np.isclose(fit.estimates[0], np.log(3))), bool(np.isclose(fit.se[0] ** 2, 1 + 1 / 3))
    (True, True)
    """
    n, p = x.shape
    check_size(p * (classes - 1))
    Standardised.of(x, weights, names, file)
    try:
        fit = fit_misclassified_levels(x[:, 1:], y, np.eye(classes), weights=weights, names=names[1:])
    except HarmError as error:
        what = str(error).split(". ")[0]
        raise HarmError(f"in the {file}, {what}; leave the term out, or join rare categories") from None
    estimates, covariance = fit.coefficients.ravel(), fit.covariance
    if weighted:
        own = np.eye(classes)[y]
        left = weights[:, None] * (own - np.exp(probabilities(x, estimates)))
        covariance = covariance @ _squares(x, left[:, 1:]) @ covariance * (n / (n - 1))
    return Fit(estimates, covariance)


def probabilities(x: FloatArray, estimates: FloatArray) -> FloatArray:
    """Give the log probabilities of all categories, records by categories."""
    b = estimates.reshape(-1, x.shape[1]).T
    return log_probabilities(x, np.column_stack([np.zeros(x.shape[1]), b]))


def _squares(x: FloatArray, left: FloatArray) -> FloatArray:
    """Give the squares of the scores, summed over records: categories by covariates, in the order of the coefficients."""
    score = (left[:, :, None] * x[:, None, :]).reshape(x.shape[0], -1)
    return np.asarray(score.T @ score, dtype=np.float64)
