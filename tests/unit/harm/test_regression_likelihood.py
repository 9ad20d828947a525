"""The log likelihood of misrecorded outcomes against sums by hand, its slopes against differences."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.harm.regression.design import merge
from confide.harm.regression.likelihood import Likelihood
from confide.harm.regression.misclassification import evidence


def by_hand(beta, z, x, sensitivity, specificity):
    """Sum the printed terms and those for x = 0 that the paper leaves out."""
    p = 1 / (1 + np.exp(-(beta[0] + z @ beta[1:])))
    one = sensitivity * p + (1 - specificity) * (1 - p)
    return float(np.log(np.where(x == 1, one, 1 - one)).sum())


@pytest.mark.parametrize("q", [0.9, 0.6, 0.2, (0.95, 0.7), [[0.7, 0.3], [0.05, 0.95]]])
def test_both_outcomes_enter(q):
    rng = np.random.default_rng(3)
    z, x, beta = rng.normal(size=(40, 3)), rng.integers(0, 2, 40), rng.normal(size=4)
    pair = (q, q) if np.ndim(q) == 0 else q if np.ndim(q) == 1 else (0.95, 0.7)
    assert cf.misclassified_log_likelihood(beta, z, x, q) == pytest.approx(by_hand(beta, z, x, *pair), rel=1e-12)


def test_large_linear_predictors():
    z, x = np.array([[1.0], [1.0], [-1.0], [-1.0]]), [1, 0, 1, 0]
    assert cf.misclassified_log_likelihood([0, 1e4], z, x, 0.9) == pytest.approx(2 * np.log(0.9) + 2 * np.log(0.1))
    assert cf.misclassified_log_likelihood([0, 800.0], z, x, 1.0) == pytest.approx(-1600.0)
    uneven = -800 + 2 * np.log(0.9) + np.log(0.1)
    assert cf.misclassified_log_likelihood([0, 800.0], z, x, (1.0, 0.9)) == pytest.approx(uneven, rel=1e-12)


@pytest.mark.parametrize(
    ("beta", "z", "x", "q", "words"),
    [
        ([0.0], [[1.0]], [1], 0.9, "2 finite coefficients"),
        ([0.0, np.nan], [[1.0]], [1], 0.9, "2 finite coefficients"),
        ([0.0, 1.0], [[1.0]], [1, 0], 0.9, "2 outcomes for 1 rows"),
        ([0.0, 1.0], [[1.0]], [1], 1.9, "from 0 to 1"),
        ([0.0, 1.0], [[1.0]], [1], [0.9, 0.8, 0.7], "a pair"),
        ([0.0, 1.0], [1.0], [1], 0.9, "records by covariates"),
    ],
)
def test_what_does_not_fit_is_refused(beta, z, x, q, words):
    with pytest.raises(cf.HarmError, match=words):
        cf.misclassified_log_likelihood(beta, z, x, q)


@pytest.mark.parametrize("levels", [2, 3, 5])
@pytest.mark.parametrize("ridge", [0.0, 0.7])
def test_gradient_and_information_are_the_differences_of_the_value(levels, ridge):
    rng = np.random.default_rng(levels)
    n, width = 60, 3
    matrix = rng.dirichlet(np.ones(levels), size=levels) * 0.4 + 0.6 * np.eye(levels)
    rows = np.vstack([np.ones(n), rng.normal(size=(width - 1, n))])
    chance = evidence(matrix[None], rng.integers(0, levels, n))
    at = Likelihood(rows, np.arange(n), rng.uniform(0.5, 2, n), chance, ridge)
    theta = rng.normal(size=at.shape)
    prior, posterior = at.beliefs(theta)
    gradient, information = at.gradient(theta, prior, posterior), at.information(prior, posterior)
    step = 1e-5
    for i in range(theta.size):
        move = np.zeros(theta.size)
        move[i] = step
        move = move.reshape(theta.shape)
        slope = (at.value(theta + move) - at.value(theta - move)) / (2 * step)
        assert gradient.ravel()[i] == pytest.approx(slope, rel=1e-6, abs=1e-6)
        ends = [at.gradient(t, *at.beliefs(t)).ravel() for t in (theta + move, theta - move)]
        assert information[i] == pytest.approx((ends[1] - ends[0]) / (2 * step), rel=1e-6, abs=1e-6)


def test_merged_records_have_the_same_likelihood():
    rng = np.random.default_rng(5)
    z, x = rng.integers(0, 2, (300, 2)).astype(float), rng.integers(0, 3, 300)
    weights = rng.uniform(0.5, 2, 300)
    merged = merge(z, x, weights)
    assert merged.z.shape == (4, 2)
    assert merged.weights.size == 12
    matrix = (0.7 * np.eye(3) + 0.1)[None]
    few = Likelihood(np.vstack([np.ones(4), merged.z.T]), merged.starts, merged.weights, evidence(matrix, x[merged.place]))
    many = Likelihood(np.vstack([np.ones(300), z.T]), np.arange(300), weights, evidence(matrix, x))
    theta = rng.normal(size=(2, 3))
    assert few.value(theta) == pytest.approx(many.value(theta), rel=1e-12)
    for posterior in (True, False):
        one, two = ((b[0], b[1] if posterior else None) for b in (few.beliefs(theta), many.beliefs(theta)))
        assert np.allclose(few.information(*one), many.information(*two), rtol=1e-12)
    assert np.allclose(few.gradient(theta, *few.beliefs(theta)), many.gradient(theta, *many.beliefs(theta)))
