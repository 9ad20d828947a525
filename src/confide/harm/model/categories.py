"""Logistic and multinomial regression by maximum likelihood."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from confide.errors import HarmError
from confide.harm.model.fit import Fit, Standardised, check_size
from confide.intruder.beliefs.multinomial import log_probabilities
from confide.typing import FloatArray, IntArray

MOST_STEPS = 40
"""Newton's method needs fewer where finite estimates exist."""
SMALL = 1e-7
"""The last step of Newton's method; the error left is about its square."""


def fit_categories(
    x: FloatArray, y: IntArray, classes: int, weights: FloatArray, names: tuple[str, ...], file: str, *, weighted: bool
) -> Fit:
    """Fit log Pr(y = k)/Pr(y = 0) = x b_k by Newton's method; two categories give logistic regression.

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
    scaled = Standardised.of(x, weights, names, file)
    z = scaled.z
    own = np.eye(classes)[y]
    b: FloatArray = np.zeros((p, classes))
    share = weights @ own / weights.sum()
    b[0] = np.log(share / share[0])
    step: FloatArray = np.zeros((p, classes - 1))
    value = _likelihood(z, b, own, weights)
    for _ in range(MOST_STEPS):
        probability = np.exp(log_probabilities(z, b))
        gradient = z.T @ (weights[:, None] * (own - probability)[:, 1:])
        information = _information(z, probability, weights)
        try:
            np.linalg.cholesky(information)
        except np.linalg.LinAlgError:
            break
        step = np.asarray(np.linalg.solve(information, gradient.T.ravel()), dtype=np.float64).reshape(classes - 1, p).T
        b, value = _climb(z, b, step, own, weights, value)
        if float(np.abs(step).max()) <= SMALL * (1.0 + float(np.abs(b).max())):
            probability = np.exp(log_probabilities(z, b))
            covariance = np.linalg.inv(_information(z, probability, weights))
            if weighted:
                meat = _squares(z, (weights[:, None] * (own - probability))[:, 1:])
                covariance = covariance @ meat @ covariance * (n / (n - 1))
            back = np.kron(np.eye(classes - 1), scaled.back)
            return Fit(back @ b[:, 1:].T.ravel(), back @ covariance @ back.T)
    raise HarmError(_separated(step, names, file))


def probabilities(x: FloatArray, estimates: FloatArray) -> FloatArray:
    """Give the log probabilities of all categories, records by categories."""
    b = estimates.reshape(-1, x.shape[1]).T
    return log_probabilities(x, np.column_stack([np.zeros(x.shape[1]), b]))


def _climb(
    z: FloatArray, b: FloatArray, step: FloatArray, own: FloatArray, weights: FloatArray, value: float
) -> tuple[FloatArray, float]:
    """Take the step, or a shorter one where the likelihood would fall."""
    for halving in range(30):
        tried = b.copy()
        tried[:, 1:] += step * 0.5**halving
        now = _likelihood(z, tried, own, weights)
        if now >= value - 1e-10 * (1.0 + abs(value)):
            return tried, now
    return b, value


def _likelihood(z: FloatArray, b: FloatArray, own: FloatArray, weights: FloatArray) -> float:
    """Give the log likelihood."""
    return float(weights @ np.sum(own * log_probabilities(z, b), axis=1))


def _information(z: FloatArray, probability: FloatArray, weights: FloatArray) -> FloatArray:
    """Give the observed information, class by class."""

    def spread(a: int, c: int) -> FloatArray:
        mine, other = probability[:, a + 1], probability[:, c + 1]
        return np.asarray(weights * (mine * (1.0 - mine) if a == c else -mine * other), dtype=np.float64)

    return _blocks(z, probability.shape[1] - 1, spread)


def _squares(z: FloatArray, left: FloatArray) -> FloatArray:
    """Give the squares of the scores, summed over records."""
    return _blocks(z, left.shape[1], lambda a, c: left[:, a] * left[:, c])


def _blocks(z: FloatArray, k: int, spread: Callable[[int, int], FloatArray]) -> FloatArray:
    """Fill a symmetric matrix with z' diag(spread) z, for every pair of k classes."""
    p = z.shape[1]
    out = np.empty((k * p, k * p))
    for a in range(k):
        for c in range(a + 1):
            block = z.T @ (spread(a, c)[:, None] * z)
            out[a * p : (a + 1) * p, c * p : (c + 1) * p] = block
            out[c * p : (c + 1) * p, a * p : (a + 1) * p] = block.T
    return out


def _separated(step: FloatArray, names: tuple[str, ...], file: str) -> str:
    """Say that no finite estimate exists, and which term it hangs on."""
    size = np.abs(step).max(axis=1)
    far = names[1 + int(np.argmax(size[1:]))] if size.size > 1 and bool(np.isfinite(size).all()) else names[-1]
    return (
        f"in the {file}, the terms tell some categories of the response apart without error (separation; {far} among "
        "them), so that no finite estimates exist; leave the term out, or join rare categories"
    )
