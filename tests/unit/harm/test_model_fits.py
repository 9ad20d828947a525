"""Fits against numbers computed by hand, and the cases without an answer."""

from __future__ import annotations

import numpy as np
import pytest

from confide.errors import HarmError
from confide.harm.model.categories import fit_categories, probabilities
from confide.harm.model.closeness import interval_overlap, squared_distance
from confide.harm.model.linear import fit_linear

NAMES = ("(intercept)", "a", "b")


def covariates(n=400, seed=3):
    rng = np.random.default_rng(seed)
    return np.column_stack([np.ones(n), rng.normal(50, 10, n), rng.integers(0, 2, n)]), rng


def test_least_squares_equals_the_normal_equations():
    x, rng = covariates()
    y = x @ [3.0, 0.2, -1.0] + rng.normal(0, 2, 400)
    fit = fit_linear(x, y, np.ones(400), NAMES, "file", weighted=False)
    b = np.linalg.solve(x.T @ x, x.T @ y)
    s2 = np.sum((y - x @ b) ** 2) / (400 - 3)
    np.testing.assert_allclose(fit.estimates, b, rtol=1e-10)
    np.testing.assert_allclose(fit.covariance, s2 * np.linalg.inv(x.T @ x), rtol=1e-8)
    assert fit.sd == pytest.approx(np.sqrt(s2), rel=1e-12)


def test_weighted_least_squares_has_the_sandwich():
    x, rng = covariates()
    y = x @ [3.0, 0.2, -1.0] + rng.normal(0, 2, 400)
    w = rng.uniform(0.2, 3, 400)
    fit = fit_linear(x, y, w / w.mean(), NAMES, "file", weighted=True)
    bread = np.linalg.inv(x.T @ (w[:, None] * x))
    b = bread @ (x.T @ (w * y))
    u = x * (w * (y - x @ b))[:, None]
    np.testing.assert_allclose(fit.estimates, b, rtol=1e-10)
    np.testing.assert_allclose(fit.covariance, bread @ (u.T @ u) @ bread * 400 / 399, rtol=1e-8)


def newton(x, y, w):
    b = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ b))
        information = x.T @ ((w * p * (1 - p))[:, None] * x)
        b = b + np.linalg.solve(information, x.T @ (w * (y - p)))
    return b, information, p


def test_logistic_regression_equals_a_newton_by_hand():
    x, rng = covariates()
    x[:, 1] -= 50
    y = (rng.random(400) < 1 / (1 + np.exp(-x @ [0.3, 0.05, -0.8]))).astype(int)
    fit = fit_categories(x, y, 2, np.ones(400), NAMES, "file", weighted=False)
    b, information, _ = newton(x, y, np.ones(400))
    np.testing.assert_allclose(fit.estimates, b, rtol=1e-8)
    np.testing.assert_allclose(fit.covariance, np.linalg.inv(information), rtol=1e-7)


def test_weighted_logistic_regression_has_the_sandwich():
    x, rng = covariates()
    x[:, 1] -= 50
    y = (rng.random(400) < 0.4).astype(int)
    w = rng.uniform(0.2, 3, 400)
    fit = fit_categories(x, y, 2, w / w.mean(), NAMES, "file", weighted=True)
    b, information, p = newton(x, y, w)
    u = x * (w * (y - p))[:, None]
    bread = np.linalg.inv(information)
    np.testing.assert_allclose(fit.estimates, b, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(fit.covariance, bread @ (u.T @ u) @ bread * 400 / 399, rtol=1e-6)


def test_whole_weights_give_the_estimates_of_repeated_records():
    x, rng = covariates(120)
    y, w = rng.integers(0, 3, 120), rng.integers(1, 4, 120)
    fit = fit_categories(x, y, 3, w / w.mean(), NAMES, "file", weighted=True)
    again = fit_categories(np.repeat(x, w, axis=0), np.repeat(y, w), 3, np.ones(w.sum()), NAMES, "file", weighted=False)
    np.testing.assert_allclose(fit.estimates, again.estimates, rtol=1e-8)


def test_multinomial_regression_of_a_table_gives_its_log_odds():
    counts = np.array([[10, 20, 30], [25, 15, 5]])
    y = np.concatenate([np.repeat([0, 1, 2], row) for row in counts])
    a = np.repeat([0.0, 1.0], counts.sum(axis=1))
    fit = fit_categories(np.column_stack([np.ones(a.size), a]), y, 3, np.ones(a.size), NAMES[:2], "file", weighted=False)
    odds = np.log(counts[:, 1:] / counts[:, :1])
    own = [odds[0, 0], odds[1, 0] - odds[0, 0], odds[0, 1], odds[1, 1] - odds[0, 1]]
    np.testing.assert_allclose(fit.estimates, own, rtol=1e-9)
    assert fit.covariance[0, 0] == pytest.approx(1 / 10 + 1 / 20)
    assert fit.covariance[3, 3] == pytest.approx(1 / 10 + 1 / 30 + 1 / 25 + 1 / 5)
    p = np.exp(probabilities(np.array([[1.0, 0.0]]), fit.estimates))
    np.testing.assert_allclose(p, [counts[0] / counts[0].sum()], rtol=1e-9)


def test_far_away_covariates_change_nothing():
    x, rng = covariates()
    y = rng.normal(size=400)
    moved = x + np.array([0, 1e9, 0])
    fit, far = (fit_linear(z, y, np.ones(400), NAMES, "file", weighted=False) for z in (x, moved))
    np.testing.assert_allclose(far.estimates[1:], fit.estimates[1:], rtol=1e-5)
    np.testing.assert_allclose(far.se[1:], fit.se[1:], rtol=1e-5)


@pytest.mark.parametrize("quasi", [False, True])
def test_separated_categories_have_no_estimates(quasi):
    x, rng = covariates()
    y = (x[:, 2] if not quasi else x[:, 2] * rng.integers(0, 2, 400)).astype(int)
    with pytest.raises(HarmError, match=r"in the file.*covariate b has no finite coefficient.*join rare categories"):
        fit_categories(x, y, 2, np.ones(400), NAMES, "file", weighted=False)


def test_a_steep_but_overlapping_response_is_no_separation():
    a = np.linspace(-1, 1, 201)
    y = (a > 0).astype(int)
    y[[100, 102]] = [1, 0]
    x = np.column_stack([np.ones(201), a])
    fit = fit_categories(x, y, 2, np.ones(201), NAMES[:2], "file", weighted=False)
    assert fit.estimates[1] > 50
    assert np.isfinite(fit.se).all()


@pytest.mark.parametrize("kind", ["linear", "categories"])
def test_collinear_terms_are_named(kind):
    x, rng = covariates()
    x[:, 2] = 2 * x[:, 1] - 7
    fit = {
        "linear": lambda: fit_linear(x, rng.normal(size=400), np.ones(400), NAMES, "file", weighted=False),
        "categories": lambda: fit_categories(x, rng.integers(0, 2, 400), 2, np.ones(400), NAMES, "file", weighted=False),
    }[kind]
    with pytest.raises(HarmError, match="in the file, [ab] is constant or a combination of the other terms"):
        fit()


def test_too_few_records_constant_responses_and_exact_fits():
    x, _ = covariates()
    with pytest.raises(HarmError, match="3 complete records for 3 coefficients, more than 3 are needed"):
        fit_linear(x[:3], np.arange(3.0), np.ones(3), NAMES, "file", weighted=False)
    with pytest.raises(HarmError, match="response is constant in the file"):
        fit_linear(x, np.full(400, 0.1), np.ones(400), NAMES, "file", weighted=False)
    with pytest.raises(HarmError, match="fits the file without error"):
        fit_linear(x, x @ [1.0, 2.0, 3.0], np.ones(400), NAMES, "file", weighted=False)


def test_overlap_of_intervals():
    # [-1.96, 1.96] and [0, 3.92]: half of each
    assert interval_overlap(0, 1, 1.959963984540054, 1) == pytest.approx(0.5)
    # a short interval inside a long one: all of it, a tenth of the other
    assert interval_overlap(0, 1, 0.2, 0.1) == pytest.approx((1 + 0.1) / 2)
    assert interval_overlap(0, 1, 5, 1) == 0.0
    assert interval_overlap(0, 1, 0.3, 0.0) == pytest.approx(0.5), "a point inside: all of it, nothing of the other"
    assert interval_overlap(2, 3, 2, 3) == 1.0


def test_distance_uses_the_covariance():
    v = np.array([[2.0, 0.9], [0.9, 1.0]])
    d = np.array([1.0, -2.0])
    assert squared_distance(d, v) == pytest.approx(d @ np.linalg.inv(v) @ d)
    assert squared_distance(np.zeros(2), v) == 0.0
