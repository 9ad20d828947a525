"""Regression calibration: exact for linear models, an approximation for logistic ones."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def noisy(seed, n=50_000, noise=0.5):
    """Draw correlated true covariates, noisy ones and an exact one."""
    rng = np.random.default_rng(seed)
    x = rng.multivariate_normal([1.0, -2.0, 0.5], [[1, 0.5, 0.3], [0.5, 2, 0.2], [0.3, 0.2, 1]], size=n)
    w = x.copy()
    w[:, :2] += rng.normal(scale=np.sqrt(noise), size=(n, 2))
    return rng, x, w


def test_the_expectation_of_the_truth_is_its_regression_on_what_was_released():
    _, x, w = noisy(1)
    found = cf.regression_calibration(w[:, :2], [0.5, 0.5], exact=w[:, 2:])
    centred = w - w.mean(axis=0)
    truth = np.linalg.lstsq(centred, x - x.mean(axis=0), rcond=None)[0]
    assert found.reliability == pytest.approx(truth, abs=0.02)
    assert found.values[:, 2] == pytest.approx(w[:, 2])
    assert found.remaining[:2, :2] == pytest.approx(np.cov((x - found.values)[:, :2].T), abs=0.02)
    assert found.apply(w[:5]) == pytest.approx(found.values[:5])
    assert "reliability 0.6" in repr(found)
    zero = cf.regression_calibration(w, [0.5, 0.5, 0.0])
    assert zero.values == pytest.approx(found.values)


def test_a_linear_model_gets_its_coefficients_back():
    rng, x, w = noisy(2)
    y = 1 + x @ [0.5, -1.0, 2.0] + rng.normal(size=len(x))
    found = cf.regression_calibration(w, np.diag([0.5, 0.5, 0.0]))
    slopes = [np.linalg.lstsq(np.column_stack([np.ones(len(y)), z]), y, rcond=None)[0][1:] for z in (found.values, w)]
    assert slopes[0] == pytest.approx([0.5, -1.0, 2.0], abs=0.03)
    assert np.abs(slopes[1] - [0.5, -1.0, 2.0]).max() > 0.1


def test_a_logistic_model_comes_closer_to_its_coefficients():
    rng, x, w = noisy(3)
    beta = np.array([0.6, -0.5, 0.4])
    y = rng.random(len(x)) < 1 / (1 + np.exp(-(-0.5 + x @ beta)))
    released = (y ^ (rng.random(len(x)) > 0.9)).astype(int)
    plain = cf.fit_misclassified(w, released, 0.9)
    mended = cf.fit_misclassified(w, released, 0.9, covariate_error=[0.5, 0.5, 0.0])
    errors = np.abs(plain.coefficients[1:] - beta).max(), np.abs(mended.coefficients[1:] - beta).max()
    assert errors[1] < 0.06
    assert errors[0] > 2 * errors[1]
    assert "calibrated (an approximation)" in repr(mended)
    assert mended.probability(w).mean() == pytest.approx(y.mean(), abs=0.02)
    calibrated = mended.calibration.apply(w)
    assert mended.probability(calibrated, exact=True) == pytest.approx(mended.probability(w))
    assert mended.posterior(calibrated, released, exact=True) == pytest.approx(mended.posterior(w, released))


def test_too_much_noise_is_refused_by_column():
    _, _, w = noisy(4, n=2_000)
    with pytest.raises(cf.HarmError, match="column 0 .from 0.*not its standard deviation"):
        cf.regression_calibration(w, [5.0, 0.1, 0.1])
    together = w[:, :1] + np.array([[0.0, 1.0]]) * np.random.default_rng(1).normal(scale=0.1, size=(2_000, 1))
    with pytest.raises(cf.HarmError, match="columns 0, 1 .from 0., taken together"):
        cf.regression_calibration(together, [0.2, 0.2])


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ([0.1], "needs 3 variances"),
        ([-0.1, 0.1, 0.1], "negative variance"),
        (np.array([[0.1, 0.2, 0.0], [0.2, 0.1, 0.0], [0.0, 0.0, 0.1]]), "negative variance"),
        (np.array([[0.1, 0.05, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]]), "symmetric"),
        ([0.1, np.nan, 0.1], "finite"),
    ],
)
def test_what_is_no_covariance_is_refused(error, words):
    _, _, w = noisy(5, n=100)
    with pytest.raises(cf.HarmError, match=words):
        cf.regression_calibration(w, error)


def test_covariates_that_cannot_be_calibrated():
    _, _, w = noisy(6, n=100)
    with pytest.raises(cf.HarmError, match="column 1 .from 0. is the same for all records"):
        cf.regression_calibration(np.column_stack([w[:, 0], np.ones(100)]), [0.1, 0.0])
    with pytest.raises(cf.HarmError, match="columns 0, 1 .from 0. are collinear"):
        cf.regression_calibration(np.column_stack([w[:, 0], 2 * w[:, 0]]), [0.1, 0.1])
    with pytest.raises(cf.HarmError, match="99 rows of exact covariates for 100"):
        cf.regression_calibration(w, [0.1] * 3, exact=w[:99])
    with pytest.raises(cf.HarmError, match="2 records are too few"):
        cf.regression_calibration(w[:2], [0.1] * 3)
    with pytest.raises(cf.HarmError, match="the model has 3 covariates"):
        cf.regression_calibration(w, [0.1] * 3).apply(w[:, :2])
