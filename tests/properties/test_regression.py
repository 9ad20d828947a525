"""Models of misrecorded attributes: what must hold whatever the data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import confide as cf

SEEDS = st.integers(0, 2**32 - 1).map(np.random.default_rng)
SHARES = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(1e-6, 1 - 1e-6)
quickly = settings(max_examples=60, derandomize=True, deadline=None, database=None)


def problem(rng, q):
    """Draw a few hundred misrecorded outcomes; some covariates are categories."""
    n, width = int(rng.integers(150, 400)), int(rng.integers(1, 4))
    z = rng.normal(size=(n, width)) if rng.random() < 0.5 else rng.integers(0, 3, (n, width)).astype(float)
    beta = rng.normal(scale=0.7, size=width + 1)
    y = rng.random(n) < 1 / (1 + np.exp(-(beta[0] + z @ beta[1:])))
    return z, (y ^ (rng.random(n) > q)).astype(int)


def fitted(*arguments, **options):
    """Fit, or leave the example out where there is no finite answer."""
    try:
        return cf.fit_misclassified(*arguments, **options)
    except cf.HarmError as error:
        assume("no finite" not in str(error))
        raise


@quickly
@given(st.integers(0, 1), SHARES, SHARES)
def test_the_posterior_is_a_probability_that_moves_towards_what_was_released(x, q, prior):
    assume(q * prior + (1 - q) * (1 - prior) > 0 and (1 - q) * prior + q * (1 - prior) > 0)
    found = cf.posterior_sensitive(x, q, prior)
    assert 0 <= found <= 1
    if q >= 0.5:
        assert found >= prior - 1e-12 if x else found <= prior + 1e-12
    assert found == pytest.approx(1 - cf.posterior_sensitive(1 - x, q, 1 - prior), abs=1e-9)
    levels = cf.posterior_levels([x], [[q, 1 - q], [1 - q, q]], [1 - prior, prior])
    assert levels[0, 1] == pytest.approx(found, abs=1e-12)


@quickly
@given(SEEDS)
def test_released_values_that_are_true_give_the_ordinary_fit(rng):
    z, x = problem(rng, 1.0)
    fit = fitted(z, x, 1.0)
    design = np.column_stack([np.ones(len(x)), z])
    p = fit.probability(z)
    assert np.abs(design.T @ (x - p)).max() < 1e-8
    information = (design * (p * (1 - p))[:, None]).T @ design
    assert np.linalg.inv(information) == pytest.approx(fit.covariance, rel=1e-6, abs=1e-9)


@quickly
@given(SEEDS, st.sampled_from([0.8, 0.9, 0.97, 1.0]))
def test_names_of_the_outcomes_do_not_matter(rng, q):
    z, x = problem(rng, q)
    sensitivity, specificity = q, min(q + 0.02, 1.0)
    fit = fitted(z, x, (sensitivity, specificity))
    turned = fitted(z, 1 - x, (specificity, sensitivity))
    assume(fit.rival is None and turned.rival is None)
    assert turned.coefficients == pytest.approx(-fit.coefficients, abs=1e-6)
    assert turned.log_likelihood == pytest.approx(fit.log_likelihood)


@quickly
@given(SEEDS, st.sampled_from([0.85, 0.95, 1.0]))
def test_the_gradient_vanishes_at_the_fit(rng, q):
    z, x = problem(rng, q)
    fit = fitted(z, x, q)
    surplus = fit.posterior(z, x) - fit.probability(z)
    assert np.abs(np.column_stack([np.ones(len(x)), z]).T @ surplus).max() < 1e-7
    at = cf.misclassified_log_likelihood(fit.coefficients, z, x, q)
    assert at == pytest.approx(fit.log_likelihood, rel=1e-10)
    for move in rng.normal(scale=1e-3, size=(5, fit.coefficients.size)):
        assert cf.misclassified_log_likelihood(fit.coefficients + move, z, x, q) <= at + 1e-9


@quickly
@given(SEEDS, st.sampled_from([0.85, 0.95, 1.0]))
def test_two_levels_equal_the_binary_fit(rng, q):
    z, x = problem(rng, q)
    binary = fitted(z, x, q)
    levels = cf.fit_misclassified_levels(z, x, [[q, 1 - q], [1 - q, q]])
    assert levels.coefficients[0] == pytest.approx(binary.coefficients, abs=1e-7)
    assert levels.covariance == pytest.approx(binary.covariance, rel=1e-5, abs=1e-9)
    assert levels.probability(z)[:, 1] == pytest.approx(binary.probability(z), abs=1e-7)


@quickly
@given(SEEDS, st.integers(2, 5))
def test_the_order_of_levels_does_not_matter(rng, levels):
    n = 400
    z, x = rng.normal(size=(n, 1)), rng.integers(0, levels, n)
    matrix = 0.85 * np.eye(levels) + 0.15 * rng.dirichlet(np.ones(levels), size=levels)
    try:
        fit = cf.fit_misclassified_levels(z, x, matrix)
    except cf.HarmError as error:
        assume("no finite" not in str(error))
        raise
    order = rng.permutation(levels)
    place = np.argsort(order)
    turned = cf.fit_misclassified_levels(z, place[x], matrix[np.ix_(order, order)])
    assert turned.probability(z) == pytest.approx(fit.probability(z)[:, order], abs=1e-6)
    assert turned.posterior(z, place[x]).sum(axis=1) == pytest.approx(np.ones(n))
