"""The logistic model of misrecorded outcomes: what it finds, and what it says where there is nothing to find."""

from __future__ import annotations

import contextlib

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import confide as cf


def misrecorded(seed, n=2_000, beta=(-0.5, 1.0, -0.7, 0.4), right=(0.9, 0.9)):
    """Draw covariates, true outcomes and released ones."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, len(beta) - 1))
    y = rng.random(n) < 1 / (1 + np.exp(-(beta[0] + z @ np.array(beta[1:]))))
    kept = rng.random(n) < np.where(y, *right)
    return z, y.astype(int), np.where(kept, y, ~y).astype(int)


@pytest.mark.parametrize("q", [0.9, (0.95, 0.8), 1.0, [[0.8, 0.2], [0.05, 0.95]]])
def test_the_fit_is_the_maximum_and_its_errors_the_curvature(q):
    z, _, x = misrecorded(1)
    fit = cf.fit_misclassified(z, x, q)

    def loss(beta):
        return -cf.misclassified_log_likelihood(beta, z, x, q)

    best = minimize(
        loss, fit.coefficients + 0.05, method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-11, "maxiter": 4000}
    )
    assert fit.coefficients == pytest.approx(best.x, abs=1e-5)
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-9)
    h = 1e-3
    curvature = np.empty((4, 4))
    for i, j in np.ndindex(4, 4):
        a, b = h * np.eye(4)[i], h * np.eye(4)[j]
        c = fit.coefficients
        curvature[i, j] = (loss(c + a + b) - loss(c + a - b) - loss(c - a + b) + loss(c - a - b)) / (4 * h * h)
    assert fit.covariance == pytest.approx(np.linalg.inv(curvature), rel=1e-4, abs=1e-7)
    assert fit.rival is None


def test_the_ordinary_logistic_fit_has_no_score_left():
    z, _, x = misrecorded(2)
    fit = cf.fit_misclassified(z, x, 1.0)
    left = x - fit.probability(z)
    assert np.abs(np.column_stack([np.ones(len(x)), z]).T @ left).max() < 1e-9


def test_it_undoes_what_the_naive_fit_suffers():
    z, _, x = misrecorded(3, n=40_000)
    true = np.array([-0.5, 1.0, -0.7, 0.4])
    fit, naive = cf.fit_misclassified(z, x, 0.9), cf.fit_misclassified(z, x, 1.0)
    assert np.all(np.abs(fit.coefficients - true) < 3 * fit.standard_errors)
    assert np.all(np.abs(naive.coefficients - true) > 5 * naive.standard_errors)
    assert np.all(fit.standard_errors > naive.standard_errors)


def test_the_posterior_is_equation_3_at_the_fitted_prior():
    z, y, x = misrecorded(4)
    fit = cf.fit_misclassified(z, x, 0.9)
    assert fit.posterior(z, x) == pytest.approx(cf.posterior_sensitive(x, 0.9, fit.probability(z)))
    assert fit.posterior(z, x).mean() == pytest.approx(y.mean(), abs=0.02)
    uneven = cf.fit_misclassified(z, x, (0.95, 0.8))
    prior = uneven.probability(z)
    levels = cf.posterior_levels(x, uneven.matrix, np.column_stack([1 - prior, prior]))
    assert uneven.posterior(z, x) == pytest.approx(levels[:, 1])
    assert (fit.q, uneven.q) == (0.9, (0.95, 0.8))


def test_weights_are_counts():
    z, _, x = misrecorded(5, n=300)
    counts = np.random.default_rng(5).integers(0, 4, 300)
    weighted = cf.fit_misclassified(z, x, 0.9, weights=counts)
    repeated = cf.fit_misclassified(np.repeat(z, counts, axis=0), np.repeat(x, counts), 0.9)
    assert weighted.coefficients == pytest.approx(repeated.coefficients, rel=1e-8)
    assert weighted.covariance == pytest.approx(repeated.covariance, rel=1e-8)
    assert weighted.n == int((counts > 0).sum())


def test_units_do_not_matter():
    z, _, x = misrecorded(6)
    scale, shift = np.array([1e6, 1e-6, 1.0]), np.array([1e7, 1.0, -3.0])
    plain, moved = cf.fit_misclassified(z, x, 0.9), cf.fit_misclassified(z * scale + shift, x, 0.9)
    assert moved.coefficients[1:] * scale == pytest.approx(plain.coefficients[1:], rel=1e-6)
    assert moved.probability(z * scale + shift) == pytest.approx(plain.probability(z), abs=1e-8)


def test_without_covariates_the_answer_is_closed():
    x = np.r_[np.ones(30), np.zeros(70)].astype(int)
    fit = cf.fit_misclassified(np.empty((100, 0)), x, (0.9, 0.8))
    p = (0.3 - 0.2) / (0.9 + 0.8 - 1)
    assert fit.probability(np.empty((1, 0)))[0] == pytest.approx(p)
    # the delta method: sd of the share over the slope of the share in the logit
    assert fit.standard_errors[0] == pytest.approx(np.sqrt(0.3 * 0.7 / 100) / (0.7 * p * (1 - p)), rel=1e-6)
    with pytest.raises(cf.HarmError, match="only shares between 0.35 and 0.9 are possible"):
        cf.fit_misclassified(np.empty((100, 0)), x, (0.9, 0.65))


def test_names_and_table():
    z, _, x = misrecorded(7)
    fit = cf.fit_misclassified(pd.DataFrame(z, columns=["age", "sex", "income"]), x, 0.9)
    assert fit.names == ("(intercept)", "age", "sex", "income")
    lines = repr(fit).splitlines()
    assert "q = 0.9; 2,000 records" in lines[0]
    assert [line.split()[0] for line in lines[2:]] == ["(intercept)", "age", "sex", "income"]
    assert cf.fit_misclassified(z, x, 0.9, names=["a", "b", "c"]).names[1:] == ("a", "b", "c")
    low, high = fit.interval(0.95).T
    assert (high - low) == pytest.approx(2 * 1.959964 * fit.standard_errors, rel=1e-6)
    with pytest.raises(cf.HarmError, match="between 0 and 1"):
        fit.interval(95)


def test_q_at_or_below_one_half():
    z, _, x = misrecorded(8)
    with pytest.raises(cf.HarmError, match="carry no information"):
        cf.fit_misclassified(z, x, 0.5)
    with pytest.raises(cf.HarmError, match="inverted information.* type 1 - x for x and 1 - q for q"):
        cf.fit_misclassified(z, x, 0.1)
    with pytest.raises(cf.HarmError, match="sensitivity 0.7 and specificity 0.2.* above one"):
        cf.fit_misclassified(z, x, (0.7, 0.2))
    with pytest.raises(cf.HarmError, match="from 0 to 1"):
        cf.fit_misclassified(z, x, 1.2)


@pytest.mark.parametrize("q", [1.0, 0.9])
def test_a_covariate_that_separates_is_named(q):
    z = np.random.default_rng(9).normal(size=(300, 3))
    x = (z[:, 1] > 0.2).astype(int)
    with pytest.raises(cf.HarmError, match=r"covariate Z\[:, 1\] has no finite coefficient.*separation.*ridge=0.1"):
        cf.fit_misclassified(z, x, q)
    with pytest.raises(cf.HarmError, match="covariates b, c have no finite coefficient"):
        cf.fit_misclassified(z, (z[:, 1] - z[:, 2] > 0).astype(int), q, names=["a", "b", "c"])
    mended = cf.fit_misclassified(z, x, q, ridge=0.1)
    assert mended.coefficients[2] > 3 * np.abs(mended.coefficients[[1, 3]]).max()


@pytest.mark.parametrize("q", [1.0, 0.9])
def test_a_group_whose_outcomes_are_all_alike_is_named(q):
    rng = np.random.default_rng(10)
    group = (rng.random(400) < 0.25).astype(float)
    x = rng.integers(0, 2, 400)
    x[group == 1] = 1
    with pytest.raises(cf.HarmError, match=r"covariate group has no finite"):
        cf.fit_misclassified(np.column_stack([rng.normal(size=400), group]), x, q, names=["z", "group"])


def test_a_group_with_more_ones_than_q_allows_is_named():
    rng = np.random.default_rng(11)
    group = np.repeat([0.0, 1.0], 200)
    x = np.r_[np.tile([0, 1], 100), (np.arange(200) >= 6)].astype(int)  # 97 per cent where at most 90 are to be expected
    z = np.column_stack([rng.normal(size=400), group])
    with pytest.raises(cf.HarmError, match=r"Z\[:, 1\] has no finite coefficient: .* follow it more closely"):
        cf.fit_misclassified(z, x, 0.9)
    assert np.isfinite(cf.fit_misclassified(z, x, 0.99).coefficients).all()


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("q", [0.9, 1.0])
def test_constant_outcomes(value, q):
    with pytest.raises(cf.HarmError, match=f"all 50 released outcomes are {value}"):
        cf.fit_misclassified(np.random.default_rng(1).normal(size=(50, 2)), np.full(50, value), q)


def test_rare_outcomes_are_no_separation():
    z, _, x = misrecorded(12, n=20_000, beta=(-6.0, 1.0), right=(1.0, 1.0))
    assert 20 < x.sum() < 200
    assert cf.fit_misclassified(z, x, 1.0).coefficients == pytest.approx([-6, 1], abs=0.5)


def test_what_cannot_be_fitted_is_refused():
    rng = np.random.default_rng(13)
    z, x = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
    tied = np.column_stack([z, z[:, 0] - 2 * z[:, 1]])
    holes = z.copy()
    holes[3, 1] = np.nan
    for arguments, words in [
        ((tied, x), r"covariates Z\[:, 0\], Z\[:, 1\], Z\[:, 3\] are collinear"),
        ((np.column_stack([z, np.full(50, 7.0)]), x), r"covariate Z\[:, 3\] is the same for all records"),
        ((holes, x), "column 1 of Z has 1 entries"),
        ((z[:4], np.array([0, 1, 0, 1])), "4 records are too few for 4 coefficients"),
        ((z[:0], x[:0]), "no records"),
        ((z, x[:-1]), "49 outcomes for 50 rows"),
        ((z, x + 1), "of 50 are not"),
        ((z, np.where(x == 1, np.nan, 0.0)), "of 50 are not"),
        ((z, np.where(x == 1, "yes", "no")), "must be codes"),
        ((z[:, 0], x), "type Z"),
        (([["a"]] * 50, x), "covariates must be numbers"),
    ]:
        with pytest.raises(cf.HarmError, match=words):
            cf.fit_misclassified(*arguments, 0.9)
    for options, words in [
        ({"weights": -np.ones(50)}, "none negative"),
        ({"weights": np.zeros(50)}, "no records"),
        ({"names": ["a"]}, "1 names for 3"),
        ({"ridge": -1.0}, "ridge"),
    ]:
        with pytest.raises(cf.HarmError, match=words):
            cf.fit_misclassified(z, x, 0.9, **options)
    fit = cf.fit_misclassified(z, x, 1.0)
    with pytest.raises(cf.HarmError, match="the model has 3 covariates; found 2"):
        fit.probability(z[:, :2])
    with pytest.raises(cf.HarmError, match="2 outcomes for 50 rows"):
        fit.posterior(z, [0, 1])


def test_infinite_coefficients_that_fit_better_are_mentioned():
    rng = np.random.default_rng(0)
    found = []
    for _ in range(60):
        z, x = rng.normal(size=(30, 2)), rng.integers(0, 2, 30)
        with contextlib.suppress(cf.HarmError):
            found.append(cf.fit_misclassified(z, x, 0.8))
    rivals = [f for f in found if f.rival is not None]
    assert rivals
    assert all(f.rival > f.log_likelihood for f in rivals)
    assert "infinite coefficients come close" in repr(rivals[0])


def test_the_same_bytes_each_time():
    z, _, x = misrecorded(14)
    one, two = (cf.fit_misclassified(z, x, 0.9) for _ in range(2))
    assert one.coefficients.tobytes() == two.coefficients.tobytes()
