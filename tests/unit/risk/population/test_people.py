"""F given f, against Bayes' rule term by term and people who enter one by one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize

import confide as cf

ALL = np.arange(1, 4001)


def bayes(prior, f, pi):
    """Give E(F | f), Pr(F = f | f) and E(1/F | f) from a prior of F = 1, 2, ... and binomial sampling."""
    weight = prior * stats.binom.pmf(f, ALL, pi)
    weight = weight / weight.sum()
    return (weight * ALL).sum(), weight[f - 1], (weight / ALL).sum()


def said(found):
    return found.mean[0], found.alone[0], found.inverse[0]


@pytest.mark.parametrize("f", [1, 2, 7, 40])
@pytest.mark.parametrize("pi", [0.03, 0.4, 1.0])
def test_poisson_is_bayes_rule(f, pi):
    want = bayes(stats.poisson.pmf(ALL, 55.5), f, pi)
    assert said(cf.poisson_frequency(f, 55.5, pi)) == pytest.approx(want, rel=1e-9)


@pytest.mark.parametrize("f", [1, 2, 7, 40])
@pytest.mark.parametrize("pi", [0.03, 0.4, 1.0])
@pytest.mark.parametrize("shape", [0.01, 1.0, 30.0])
def test_gamma_poisson_is_bayes_rule(f, pi, shape):
    want = bayes(stats.nbinom.pmf(ALL, shape, 0.2 / 1.2), f, pi)
    assert said(cf.gamma_poisson_frequency(f, shape, 0.2, pi)) == pytest.approx(want, rel=1e-9)


@pytest.mark.parametrize("f", [1, 2, 7, 40])
@pytest.mark.parametrize("p", [0.05, 0.4, 1.0])
def test_negative_binomial_is_bayes_rule_with_prior_1_over_F(f, p):
    assert said(cf.negative_binomial_frequency(f, p)) == pytest.approx(bayes(1 / ALL, f, p), rel=1e-9)


@pytest.mark.parametrize(("theta", "alpha"), [(39.0, 0.17), (-0.1, 0.5), (0.0, 0.01), (3.0, 0.0), (500.0, 0.9)])
@pytest.mark.parametrize(("n", "people"), [(40, 41), (40, 60), (40, 300), (40, 40), (1, 200)])
def test_pitman_is_people_who_enter_one_by_one(theta, alpha, n, people):
    for f in {1, min(2, n), min(9, n), n}:
        size = np.zeros(people + 2)
        size[f] = 1.0
        for i in range(n, people):
            joins = np.clip((np.arange(size.size) - alpha) / (theta + i), 0, 1)
            size = size * (1 - joins) + np.concatenate([[0.0], (size * joins)[:-1]])
        every = np.arange(1, size.size)
        want = (size[1:] * every).sum(), size[f], (size[1:] / every).sum()
        found = cf.pitman_frequency(f, theta, alpha, n, people)
        assert said(found) == pytest.approx(want, rel=1e-9)


def test_poisson_by_drawing():
    rng = np.random.default_rng(1)
    people = rng.poisson(6.0, 400_000)
    records = rng.binomial(people, 0.3)
    for f in (1, 2, 3):
        drawn = 1 / people[records == f]
        error = drawn.std() / np.sqrt(drawn.size)
        assert abs(drawn.mean() - cf.poisson_frequency(f, 6.0, 0.3).inverse[0]) < 4 * error
        # the trap: the mean of the sample in place of the mean of the population
        assert abs(drawn.mean() - cf.poisson_frequency(f, 6.0 * 0.3, 0.3).inverse[0]) > 100 * error


def test_nothing_is_lost_at_the_ends():
    f = np.array([1, 2, 50, 10**6])
    with np.errstate(all="raise", under="ignore"):
        for people in (1e-300, 1.0, 1e6, 1e300):
            h = people * 0.5
            found = cf.poisson_frequency(f, people, 0.5).inverse
            assert np.all((found <= 1 / f) & (found >= (1 - 1e-9) / (f + h)))
        for shape, rate in ((1e-9, 1e-9), (1e6, 1e3), (1e12, 1.0), (1e-3, 1e9)):
            found = cf.gamma_poisson_frequency(f, shape, rate, 0.01)
            assert np.all((found.inverse <= (1 + 1e-9) / f) & (found.inverse >= (1 - 1e-9) / found.mean))
        found = cf.pitman_frequency([1, 2, 1000, 10**5], 1e5, 0.5, 10**6, 3 * 10**8)
        assert np.all(found.inverse >= 1 / found.mean)
    # gamma distributed means without spread are one mean
    near = cf.gamma_poisson_frequency(f[:3], 1e12, 1e10, 0.01).inverse
    assert near == pytest.approx(cf.poisson_frequency(f[:3], 100.0, 0.01).inverse, rel=1e-6)


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda: cf.poisson_frequency(0, 3.0, 0.1), cf.ModelError, "f = 0"),
        (lambda: cf.pitman_frequency([1, 0], 3.0, 0.1, 10, 20), cf.ModelError, "1 of 2 cells"),
        (lambda: cf.negative_binomial_frequency(0, 0.5), cf.ModelError, "not defined"),
        (lambda: cf.gamma_poisson_frequency(0, 1.0, 1.0, 0.5), cf.ModelError, "null link is certain"),
        (lambda: cf.poisson_frequency(1, 0.0, 0.1), cf.ModelError, "mean of 0"),
        (lambda: cf.poisson_frequency(1.5, 3.0, 0.1), cf.IntruderError, "whole number"),
        (lambda: cf.poisson_frequency(np.nan, 3.0, 0.1), cf.IntruderError, "whole number"),
        (lambda: cf.poisson_frequency(1, 3.0, 0.0), cf.IntruderError, "fraction must be above 0 and at most 1"),
        (lambda: cf.poisson_frequency(1, np.inf, 0.1), cf.IntruderError, "people must be"),
        (lambda: cf.gamma_poisson_frequency(1, 0.0, 1.0, 0.1), cf.IntruderError, "shape must be above 0"),
        (lambda: cf.negative_binomial_frequency(1, 0.0), cf.IntruderError, "p must be above 0"),
        (lambda: cf.pitman_frequency(1, -0.5, 0.1, 4, 10), cf.IntruderError, "theta must be above -0.1"),
        (lambda: cf.pitman_frequency(1, 1.0, 1.0, 4, 10), cf.IntruderError, "alpha must be 0 or more and below 1"),
        (lambda: cf.pitman_frequency(5, 1.0, 0.1, 4, 10), cf.IntruderError, "n = 4"),
        (lambda: cf.pitman_frequency(1, 1.0, 0.1, 4, 3), cf.IntruderError, "holds its sample"),
        (lambda: cf.PitmanPopulation(theta=1.0), cf.IntruderError, "both theta and alpha"),
        (lambda: cf.LogLinearPopulation(fraction=2.0), cf.IntruderError, "fraction"),
        (lambda: cf.LogLinearPopulation(fraction=0.5, counts=cf.WeightedCounts()), cf.IntruderError, "leave fraction out"),
        (lambda: cf.PoissonPopulation(-1.0, 0.1), cf.IntruderError, "people must be"),
    ],
)
def test_what_is_not_defined_is_an_error(ask, error, words):
    with pytest.raises(error, match=words):
        ask()


LEVELS = {"sex": list("ffffmmmm"), "job": list("aabbaabb"), "town": list("xyxyxyxy")}


def test_a_table_is_fitted_as_the_file():
    f = np.array([3, 1, 1, 2, 1, 4, 2, 0])
    found = cf.loglinear_table(f, LEVELS, [["sex", "job"], ["town"]], 0.2)
    rows = np.repeat(np.arange(8), f)
    file = cf.Microdata.from_dict({k: [v[i] for i in rows] for k, v in LEVELS.items()})
    risk = cf.loglinear_risk(file, list(LEVELS), cf.Interactions(["sex", "job"]), fraction=0.2)
    assert found.mean[rows] == pytest.approx(risk.mean)
    assert (found.tau1, found.tau2) == pytest.approx((risk.tau1, risk.tau2))
    assert np.isnan(found.inverse[7])
    assert np.isnan(found.alone[7])


def test_a_cell_that_is_not_listed_cannot_occur():
    """Quasi-independence: the largest Poisson likelihood, found by a general optimiser."""
    keep, f = [0, 1, 2, 4, 5, 7], np.array([3, 1, 1, 1, 4, 2])
    levels = {k: [v[i] for i in keep] for k, v in LEVELS.items()}
    found = cf.loglinear_table(f, levels, [["sex"], ["job"], ["town"]], 0.2)
    design = np.column_stack([np.ones(6), *(np.array([a == v[0] for a in v]) for v in levels.values())]).astype(float)
    best = minimize(lambda b: np.exp(design @ b).sum() - f @ design @ b, np.zeros(4), method="BFGS", options={"gtol": 1e-9})
    assert found.mean == pytest.approx(np.exp(design @ best.x), rel=1e-5)


def test_means_of_0_where_the_largest_likelihood_lies_on_the_border():
    f = np.array([0, 3, 2, 4, 5, 1, 2, 0])
    found = cf.loglinear_table(f, LEVELS, [["sex", "job"], ["job", "town"], ["sex", "town"]], 0.1)
    assert found.mean == pytest.approx(f)
    empty = cf.loglinear_table([2, 1, 0, 0, 1, 3, 0, 0], LEVELS, [["sex"], ["job"], ["town"]], 0.1)
    assert empty.mean[[2, 3, 6, 7]].tolist() == [0.0] * 4
    assert np.isnan(empty.inverse[[2, 3, 6, 7]]).all()


@pytest.mark.parametrize(
    ("f", "levels", "margins", "words"),
    [
        ([1, -1], {"a": "xy"}, [["a"]], "whole numbers of 0 or more"),
        ([0, 0], {"a": "xy"}, [["a"]], "not all 0"),
        ([1, 1], {"a": "xyz"}, [["a"]], "3 entries for 2 cells"),
        ([1, 1], {"a": "xy"}, [["b"]], "no variable 'b'"),
        ([1, 1], {"a": "xx"}, [["a"]], "list each cell once"),
    ],
)
def test_what_is_no_table(f, levels, margins, words):
    with pytest.raises(cf.UserMistake, match=words):
        cf.loglinear_table(f, levels, margins, 0.5)
