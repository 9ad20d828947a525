"""Densities against scipy, their integrals, and the cases at the edge."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

import confide as cf
from confide.intruder.appearance.covariance import PAIRS_AT_ONCE

RNG = np.random.default_rng(5)
CENTRE = RNG.normal(size=(4, 2))
RECORDS = RNG.normal(size=(7, 2))
SIGMA = np.array([[0.5, 0.3], [0.3, 0.8]])
SIGMAS = np.array([SIGMA, SIGMA * 2, np.diag([1.0, 0.1]), [[1.0, -0.9], [-0.9, 1.0]]])


def table(density):
    """Evaluate a density record by record, respondent by respondent."""
    return np.array([[density(y, i) for i in range(len(CENTRE))] for y in RECORDS])


@pytest.mark.parametrize("sd", [0.7, [0.7, 0.2], RNG.uniform(0.1, 2, (4, 2))])
def test_normal_with_sd(sd):
    sds = np.broadcast_to(sd, (4, 2))
    expected = table(lambda y, i: stats.norm.logpdf(y, CENTRE[i], sds[i]).sum())
    assert np.allclose(cf.log_densities(cf.NormalAppearance(CENTRE, sd=sd), RECORDS), expected, rtol=1e-12)


@pytest.mark.parametrize("sigma", [SIGMA, SIGMAS])
def test_normal_and_lognormal_with_covariance(sigma):
    each = np.broadcast_to(sigma, (4, 2, 2))
    expected = table(lambda y, i: stats.multivariate_normal.logpdf(y, CENTRE[i], each[i]))
    found = cf.log_densities(cf.NormalAppearance(CENTRE, covariance=sigma), RECORDS)
    assert np.allclose(found, expected, rtol=1e-11, atol=1e-11)
    lognormal = cf.log_densities(cf.LognormalAppearance(CENTRE, covariance=sigma), np.exp(RECORDS))
    assert np.allclose(lognormal, expected - RECORDS.sum(axis=1)[:, None], rtol=1e-11, atol=1e-11)


def test_many_pairs_with_a_covariance_each_are_evaluated_in_pieces():
    appearance = cf.NormalAppearance(CENTRE, covariance=SIGMAS)
    m = PAIRS_AT_ONCE + 3
    pairs = np.arange(m) % 7, np.arange(m) % 4
    assert np.array_equal(appearance.log_density(RECORDS, *pairs), cf.log_densities(appearance, RECORDS)[pairs])


def test_a_diagonal_covariance_is_an_sd():
    by_sd = cf.LognormalAppearance(CENTRE, sd=[0.5, 2.0])
    by_covariance = cf.LognormalAppearance(CENTRE, covariance=np.diag([0.25, 4.0]))
    assert np.allclose(cf.log_densities(by_sd, np.exp(RECORDS)), cf.log_densities(by_covariance, np.exp(RECORDS)))


def test_lognormal_laplace_and_uniform_of_one_variable():
    y, centre = np.array([0.3, 1.0, 7.0]), np.array([0.0, 2.0])
    found = cf.log_densities(cf.LognormalAppearance(centre, sd=[1.0, 0.5]), y)
    assert np.allclose(found, stats.lognorm.logpdf(y[:, None], [1.0, 0.5], scale=np.exp(centre)), rtol=1e-12)
    found = cf.log_densities(cf.LaplaceAppearance(centre, scale=0.4), y)
    assert np.allclose(found, stats.laplace.logpdf(y[:, None], centre, 0.4), rtol=1e-12)
    found = cf.log_densities(cf.UniformAppearance([0.3, 1.0], [1.0, 1.5]), y)
    with np.errstate(divide="ignore"):
        assert np.allclose(found, stats.uniform.logpdf(y[:, None], [0.3, 1.0], [0.7, 0.5]), rtol=1e-12)


@pytest.mark.parametrize(
    ("appearance", "low", "high"),
    [
        (cf.NormalAppearance([1.0], sd=0.3), -4, 6),
        (cf.LognormalAppearance([0.2], sd=0.6), 0, 60),
        (cf.LaplaceAppearance([1.0], scale=0.3), -12, 14),
        (cf.UniformAppearance([-0.7], [2.4]), -1, 3),
    ],
)
def test_densities_integrate_to_one(appearance, low, high):
    x = np.linspace(low, high, 2_000_001)
    f = np.exp(cf.log_densities(appearance, x)).ravel()
    assert integrate.trapezoid(f, x) == pytest.approx(1, abs=3e-6)


def test_a_joint_lognormal_integrates_to_one():
    x = np.exp(np.linspace(-6, 6, 601))
    grid = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1).reshape(-1, 2)
    f = np.exp(cf.log_densities(cf.LognormalAppearance([[0.1, -0.2]], covariance=SIGMA), grid)).reshape(601, 601)
    assert integrate.trapezoid(integrate.trapezoid(f, x), x) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("spread", [{"sd": 0.5}, {"covariance": SIGMA}, {"covariance": SIGMAS}])
def test_values_that_are_not_positive_are_impossible_under_a_lognormal(spread):
    appearance = cf.LognormalAppearance(CENTRE, **spread)
    found = cf.log_densities(appearance, [[0.0, 1.0], [1.0, -3.0], [1.0, 1.0]])
    assert np.isneginf(found[:2]).all()
    assert np.isfinite(found[2]).all()
    assert np.isneginf(appearance.coordinates(np.array([[0.0, 1.0]]))).all()


def test_both_ends_of_a_uniform_belong_to_it():
    low, high = RNG.normal(size=2000), RNG.normal(size=2000) + 10
    appearance = cf.UniformAppearance(low, high)
    everyone = np.arange(2000)
    for ends in (low, high):
        assert np.isfinite(appearance.log_density(ends, everyone, everyone)).all()
    assert np.isneginf(appearance.log_density(high + 1e-6, everyone, everyone)).all()


def test_misreporting():
    sex, region = np.array([[0.9, 0.1], [0.05, 0.95]]), np.array([[0.7, 0.2, 0.1], [0.0, 1.0, 0.0]])
    belief = cf.MisreportedAppearance([[0, 0], [1, 1], [0, 1]], [sex, region])
    records = np.array([[0, 2], [1, 1]])
    p = np.exp(cf.log_densities(belief, records))
    assert np.allclose(p, [[0.9 * 0.1, 0, 0], [0.1 * 0.2, 0.95, 0.1]])
    every = np.array([[a, b] for a in range(2) for b in range(3)])
    assert np.allclose(np.exp(cf.log_densities(belief, every)).sum(axis=0), 1)


def test_misreporting_at_a_rate_with_given_alternatives():
    belief = cf.MisreportedAppearance.at_rate([0, 1, 2], 0.2, 3, alternatives=[[1, 3, 0]])
    assert np.allclose(belief.confusion[0], [[0.8, 0.2, 0], [0.2, 0.8, 0], [0.05, 0.15, 0.8]])
    assert cf.MisreportedAppearance.at_rate([[0, 0]], [0.0, 0.1], [1, 2]).confusion[1][0, 1] == pytest.approx(0.1)


def test_nobody_misreports_is_an_exact_key():
    belief = cf.MisreportedAppearance.at_rate([0, 1, 2, 1], 0.0, 3)
    form = belief.located(np.array([1.0, 2.0]))
    assert form is not None
    assert np.isfinite(cf.log_densities(belief, [1, 2])).tolist() == [
        [False, True, False, True],
        [False, False, True, False],
    ]
    assert cf.MisreportedAppearance.at_rate([0, 1], 0.1, 2).located(np.array([1.0])) is None


def test_a_density_given_as_a_function():
    centre = np.array([1.0, 4.0])
    belief = cf.FunctionAppearance(lambda y, i: stats.t.pdf(y[:, 0] - centre[i], df=3), respondents=2)
    y = np.array([0.0, 5.0, 1.0])
    assert np.allclose(cf.log_densities(belief, y), stats.t.logpdf(y[:, None] - centre, df=3))
    logs = cf.FunctionAppearance(lambda y, i: stats.t.logpdf(y[:, 0] - centre[i], df=3), respondents=2, log=True)
    assert np.allclose(cf.log_densities(logs, y), cf.log_densities(belief, y))
    missing = cf.FunctionAppearance(lambda y, i: np.where(np.isnan(y[:, 0]), 0.1, 0.0), respondents=1)
    assert np.allclose(np.exp(cf.log_densities(missing, [np.nan, 1.0])), [[0.1], [0.0]])


def test_independent_variables_multiply_and_groups_of_respondents_stand_side_by_side():
    income, sex = cf.LognormalAppearance([1.0, 2.0], sd=0.5), cf.MisreportedAppearance.at_rate([0, 1], 0.1, 2)
    both = cf.IndependentAppearance([income, sex])
    records = np.array([[3.0, 0], [0.5, 1], [9.0, 1]])
    expected = cf.log_densities(income, records[:, 0]) + cf.log_densities(sex, records[:, 1])
    assert np.allclose(cf.log_densities(both, records), expected)
    other = cf.FunctionAppearance(lambda y, i: np.ones(i.size), respondents=1, variables=2)
    found = cf.log_densities(cf.GroupedAppearance([other, both]), records)
    assert np.allclose(found, np.column_stack([np.zeros(3), expected]))


def test_the_smallest_and_the_plainest_inputs():
    one = cf.NormalAppearance(3.0, sd=1)
    assert (one.respondents, one.variables, repr(one)) == (1, 1, "NormalAppearance(1 respondent, 1 variable)")
    assert cf.log_densities(one, []).shape == (0, 1)
    assert one.log_density(np.array([3.0]), np.array([], dtype=int), np.array([], dtype=int)).size == 0
    alike = cf.LognormalAppearance(np.full(99, 2.0), sd=1)
    assert np.ptp(cf.log_densities(alike, [1.0, 5.0]), axis=1).max() == 0
    assert cf.log_densities(cf.NormalAppearance([0.0], sd=1e-200), [1e200]).tolist() == [[-np.inf]]


def test_appearances_are_frozen_and_keep_the_protocol():
    appearance = cf.NormalAppearance(np.zeros((2, 1)), sd=1)
    assert isinstance(appearance, cf.Appearance)
    with pytest.raises(ValueError, match="read-only"):
        appearance.centre[0] = 1.0


def test_beliefs_around_a_file():
    source = cf.Microdata.from_dict({"income": [10.5, 250.25, 33.0], "sex": ["m", "f", "f"]})
    released = cf.Microdata.from_dict({"income": [240.5, 30.5], "sex": ["f", "f"]})
    income = cf.LognormalAppearance.around(source, "income", sd=0.1)
    sex = cf.MisreportedAppearance.around(source, "sex", rate=0.05)
    f = cf.log_densities(cf.IndependentAppearance([income, sex]), cf.records_of(released, ["income", "sex"], like=source))
    assert f.argmax(axis=1).tolist() == [1, 2]
    assert np.allclose(income.centre.ravel(), np.log([10.5, 250.25, 33.0]))


def test_relative_spreads():
    values = np.array([10.0, -200.0])
    assert cf.NormalAppearance.around(values, relative_sd=0.1).sd.ravel().tolist() == [1.0, 20.0]
    assert cf.LaplaceAppearance.around(values, relative_scale=0.1).scale.ravel().tolist() == [1.0, 20.0]
    found = cf.UniformAppearance.around(values, relative_half_width=0.1)
    assert found.low.ravel().tolist() == [9.0, -220.0]
    lognormal = cf.LognormalAppearance.around([10.0], relative_sd=0.4)
    s = float(lognormal.sd[0, 0])
    assert stats.lognorm.std(s, scale=10) / stats.lognorm.mean(s, scale=10) == pytest.approx(0.4)


def test_centres_at_quantiles():
    whole = cf.LognormalAppearance.at_quantiles(cf.Lognormal(2, 0.75), 99, sd=0.25)
    assert np.allclose(np.exp(whole.centre.ravel()), stats.lognorm.ppf(np.arange(1, 100) / 100, 0.75, scale=np.exp(2)))
    some = cf.NormalAppearance.at_quantiles(stats.gamma(3).ppf, 9, ranks=[9, 1, 2.5], sd=1.0)
    assert np.allclose(some.centre.ravel(), stats.gamma.ppf([0.9, 0.1, 0.25], 3))
    assert cf.LaplaceAppearance.at_quantiles(cf.Uniform(0, 4), 3, scale=1).centre.ravel().tolist() == [1, 2, 3]
    values = np.exp([1.0, 2.0, 3.0])
    fitted = cf.fit_lognormal(values)
    assert (fitted.mean, fitted.sd) == pytest.approx((2.0, 1.0))
    assert cf.fit_normal([1.0, 3.0]) == cf.Normal(2.0, np.sqrt(2))
