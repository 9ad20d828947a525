"""The multinomial model of misrecorded levels."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.intruder.beliefs.multinomial import RIDGE, fit_multinomial, log_probabilities
from confide.release.channel import Discrete


def misrecorded(seed, matrix, n=6_000, width=2, strata=None):
    """Draw covariates, coefficients and released levels."""
    rng = np.random.default_rng(seed)
    levels = matrix.shape[-1]
    z, beta = rng.normal(size=(n, width)), rng.normal(size=(levels - 1, width + 1))
    eta = np.column_stack([np.zeros(n), beta[:, 0] + z @ beta[:, 1:].T])
    share = np.exp(eta) / np.exp(eta).sum(axis=1, keepdims=True)
    y = (share.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)
    rows = matrix[y] if strata is None else matrix[strata, y]
    return z, beta, y, (rows.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)


MATRIX = 0.8 * np.eye(3) + 0.2 / 3


@pytest.mark.parametrize("q", [0.9, (0.95, 0.8), 1.0])
def test_two_levels_are_the_binary_fit(q):
    pair = np.broadcast_to(q, 2)
    matrix = np.array([[pair[1], 1 - pair[1]], [1 - pair[0], pair[0]]])
    z, _, _, x = misrecorded(1, matrix)
    levels, binary = cf.fit_misclassified_levels(z, x, matrix), cf.fit_misclassified(z, x, q)
    assert levels.coefficients[0] == pytest.approx(binary.coefficients, abs=1e-10)
    assert levels.standard_errors[0] == pytest.approx(binary.standard_errors, rel=1e-8)
    assert levels.log_likelihood == pytest.approx(binary.log_likelihood)
    assert levels.posterior(z, x)[:, 1] == pytest.approx(binary.posterior(z, x))
    ridged = cf.fit_misclassified_levels(z, x, matrix, ridge=2.0), cf.fit_misclassified(z, x, q, ridge=2.0)
    assert ridged[0].coefficients[0] == pytest.approx(ridged[1].coefficients, abs=1e-10)


def test_coefficients_are_recovered_within_their_errors():
    z, beta, y, x = misrecorded(2, MATRIX, n=40_000)
    fit = cf.fit_misclassified_levels(z, x, MATRIX)
    assert np.abs((fit.coefficients - beta) / fit.standard_errors).max() < 3.5
    naive = cf.fit_misclassified_levels(z, x, np.eye(3))
    assert np.abs(naive.coefficients - beta).sum() > 5 * np.abs(fit.coefficients - beta).sum()
    posterior = fit.posterior(z, x)
    assert posterior.sum(axis=1) == pytest.approx(np.ones(40_000))
    assert (posterior.argmax(axis=1) == y).mean() > (x == y).mean()
    assert fit.interval().shape == (2, 3, 2)
    assert len(repr(fit).splitlines()) == 2 + 6


def test_without_covariates_the_shares_are_unmixed():
    x = np.repeat([0, 1, 2], [50, 30, 20])
    fit = cf.fit_misclassified_levels(np.empty((100, 0)), x, MATRIX)
    assert fit.probability(np.empty((1, 0)))[0] @ MATRIX == pytest.approx([0.5, 0.3, 0.2], abs=1e-9)


def test_strata_have_their_own_matrices():
    matrices = np.array([np.eye(3), 0.5 * np.eye(3) + 0.5 / 3])
    strata = np.arange(20_000) % 2
    z, beta, _, x = misrecorded(3, matrices, n=20_000, strata=strata)
    fit = cf.fit_misclassified_levels(z, x, matrices, strata=strata)
    assert np.abs((fit.coefficients - beta) / fit.standard_errors).max() < 3.5
    assert np.array_equal(fit.posterior(z, x, strata=strata)[::2], np.eye(3)[x[::2]])
    with pytest.raises(cf.HarmError, match="give strata="):
        cf.fit_misclassified_levels(z, x, matrices)


def test_categorical_covariates_equal_records_one_by_one():
    rng = np.random.default_rng(4)
    z = rng.integers(0, 2, (5_000, 2)).astype(float)
    _, _, _, x = misrecorded(4, MATRIX, n=5_000)
    merged = cf.fit_misclassified_levels(z, x, MATRIX)
    shaken = cf.fit_misclassified_levels(z + rng.normal(scale=1e-9, size=z.shape), x, MATRIX)
    assert merged.coefficients == pytest.approx(shaken.coefficients, abs=1e-5)
    assert merged.standard_errors == pytest.approx(shaken.standard_errors, rel=1e-5)


def test_exact_levels_with_a_ridge_are_the_fit_of_beliefs():
    rng = np.random.default_rng(5)
    patterns = np.array([[a, b] for a in (-1.0, 1.0) for b in (-1.0, 1.0)])
    z = np.repeat(patterns, 50, axis=0)
    x = np.where(z[:, 0] > 0, 2, rng.integers(0, 3, 200))  # a level that is certain for half the records
    counts = np.array([[((z == row).all(axis=1) & (x == k)).sum() for k in range(3)] for row in patterns], dtype=float)
    beliefs = np.exp(log_probabilities(design := np.column_stack([np.ones(4), patterns]), fit_multinomial(design, counts)))
    fit = cf.fit_misclassified_levels(z, x, np.eye(3), ridge=RIDGE / 2)  # of differences between two levels
    assert fit.probability(patterns) == pytest.approx(beliefs, abs=1e-5)
    with pytest.raises(cf.HarmError, match=r"Z\[:, 0\] has no finite coefficient: it separates"):
        cf.fit_misclassified_levels(z, x, np.eye(3))


def test_the_matrix_of_a_swap_fits_as_it_is():
    rng = np.random.default_rng(6)
    n = 4_000
    age = rng.normal(size=n)
    race = np.array(["a", "b", "c"])[(rng.random(n) < 1 / (1 + np.exp(-age))).astype(int) + (rng.random(n) < 0.3)]
    data = cf.Microdata.from_dict({"race": race.tolist(), "age": age.tolist()})
    channel = cf.Swap("race", rate=0.3).bind(data).channels["race"]
    assert isinstance(channel, Discrete)
    released = cf.Release(cf.Swap("race", rate=0.3)).apply(data, seed=1).data.columns["race"].values()
    x = np.array([channel.levels.index(v) for v in released])
    y = np.array([channel.levels.index(v) for v in race])
    fit, naive = (cf.fit_misclassified_levels(age[:, None], x, m) for m in (channel.matrix, np.eye(3)))
    true = cf.fit_misclassified_levels(age[:, None], y, np.eye(3))
    assert np.abs(fit.coefficients - true.coefficients).max() < 0.5 * np.abs(naive.coefficients - true.coefficients).max()


def test_what_cannot_be_fitted_is_refused():
    z, _, _, x = misrecorded(7, MATRIX, n=300)
    alike = np.array([[0.5, 0.25, 0.25], [0.5, 0.25, 0.25], [0.0, 0.0, 1.0]])
    for arguments, words in [
        ((z, x, alike), "does not tell 3 true levels apart"),
        ((z, x, MATRIX[:, :2] / MATRIX[:, :2].sum(axis=1, keepdims=True)), "does not tell 3 true levels apart"),
        ((z, np.zeros(300), MATRIX), "all 300 released levels are the same"),
        ((z, x, np.ones((1, 1))), "one level only"),
        ((z, x[:-1], MATRIX), "299 released levels for 300 rows"),
        ((z, x, 2 * MATRIX), "sum to one"),
        ((z, x % 2, np.eye(3)), "the intercept has no finite coefficient"),
    ]:
        with pytest.raises(cf.HarmError, match=words):
            cf.fit_misclassified_levels(*arguments)
    never = np.array([[0.5, 0.5, 0.0], [0.2, 0.8, 0.0]])
    with pytest.raises(cf.HarmError, match="no true level leads to"):
        cf.fit_misclassified_levels(z, x, never)
