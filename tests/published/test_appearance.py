"""The worked examples of Duncan and Lambert (1987) and Lambert (1993), from beliefs to links."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import confide as cf


def links(appearance, records):
    return cf.link_probabilities(cf.log_densities(appearance, records), log=True)


def test_two_respondents():
    """1987, 4.3; 1993, 4.1."""
    two = cf.LognormalAppearance([0.0, 2.0], sd=1.0)
    assert np.exp(np.ravel(two.centre) + 0.5) == pytest.approx([1.65, 12.18], abs=0.005)
    both = links(two, [7.0, 20.0])
    assert both.p[:, 0] == pytest.approx([0.89, 0.11], abs=0.005)
    assert links(two, [7.0]).p[0] == pytest.approx([0.13, 0.87], abs=0.005)
    f = np.exp(cf.log_densities(two, [7.0, 20.0]))
    assert cf.isolated(f)[:, 0] == pytest.approx([0.13, 0.02], abs=0.005)


def test_one_target_among_a_hundred():
    """1987, Table 1; 1993, 4.2.4."""
    beliefs = cf.LognormalAppearance([0.0] + [2.0] * 99, sd=1.0)
    f = np.exp(cf.log_densities(beliefs, [0.050, 0.135, 1.505, 2.401, 3.151, 3.825, 4.591, 8.723, 10.343, 10.732]))
    assert cf.isolated(f)[:3, 0] == pytest.approx([0.968, 0.803, 0.032], abs=0.001)
    found = links(beliefs, [0.05, 0.14, 1.5, 2.4, 3.2, 3.8, 4.6, 8.7, 10.3, 10.7])
    assert found.p[:2, 0] == pytest.approx([0.86, 0.11], abs=0.005)
    assert found.p[2:, 0].max() <= 0.001
    assert found.null[0] == pytest.approx(0.026, abs=0.0005)


def test_little_is_known_about_the_target():
    """1993, 4.2.3: a uniform against a normal."""
    beliefs = cf.GroupedAppearance([cf.UniformAppearance([-4.0], [4.0]), cf.NormalAppearance([0.0], sd=1.0)])
    assert links(beliefs, [-2.25]).p[0, 0] == pytest.approx(0.80, abs=0.005)


def test_known_source_values():
    """1993, Table 1; .183 is a misprint for .182."""
    source = [9.8, 10.8, 14.1, 14.6, 14.7, 15.0, 30.0, 40.7, 47.1, 53.2]
    found = links(cf.LognormalAppearance.around(source, sd=0.5), [32.0, 35.0])
    printed = [
        [0.016, 0.024, 0.065, 0.072, 0.074, 0.078, 0.202, 0.182, 0.156, 0.130],
        [0.010, 0.017, 0.048, 0.054, 0.056, 0.059, 0.199, 0.205, 0.188, 0.164],
    ]
    assert np.abs(found.p - printed).max() < 0.0006


def test_masking_is_an_inflation_factor():
    """1993, 4.2.4: an sd of .5 spreads values over .38 to 2.66 times their size."""
    low, high = cf.LognormalAppearance.around([1.0], sd=0.5).boxes(0.05)
    assert [np.exp(low).item(), np.exp(high).item()] == pytest.approx([0.38, 2.66], abs=0.005)


def test_insider_and_naive_outsider_are_special_cases():
    """1987, 4.3: 0/1 densities give 1/N(x), equal ones 1/N."""
    truth = [0, 0, 0, 1, 1, 2, 2, 2]
    exact = links(cf.MisreportedAppearance.at_rate(truth, 0.0, 3), [0, 0, 1, 2])
    assert exact.p[0, :3] == pytest.approx([1 / 3] * 3)
    naive = links(cf.NormalAppearance(np.zeros(6), sd=1.0), [0.3, -1.0, 2.0])
    assert naive.p == pytest.approx(1 / 6)


def test_normal_beliefs_compare_by_squared_and_double_exponential_by_absolute_distance():
    """1993, section 5."""
    y, x = np.array([[1.0, 5.0], [2.0, 2.5]]), np.array([[1.5, 3.0]])
    normal = cf.log_densities(cf.NormalAppearance(y, sd=1.0), x)
    laplace = cf.log_densities(cf.LaplaceAppearance(y, scale=1.0), x)
    assert normal[0, 0] - normal[0, 1] == pytest.approx(-0.5 * ((0.25 + 4) - (0.25 + 0.25)))
    assert laplace[0, 0] - laplace[0, 1] == pytest.approx(-((0.5 + 2) - (0.5 + 0.5)))


def test_quantiles_of_a_fitted_distribution():
    """1987, 4.3: N quantiles of G at i/(N + 1), multiplied by a lognormal(0, .25) factor."""
    rng = np.random.default_rng(1)
    fitted = cf.fit_lognormal(np.exp(2 + 0.75 * rng.normal(size=20_000)))
    assert (fitted.mean, fitted.sd) == (pytest.approx(2, abs=0.02), pytest.approx(0.75, abs=0.02))
    beliefs = cf.LognormalAppearance.at_quantiles(cf.Lognormal(2, 0.75), 99, sd=0.25)
    z = stats.norm.ppf(np.arange(1, 100) / 100)
    assert np.allclose(np.ravel(beliefs.centre), 2 + 0.75 * z)
    together = np.exp(cf.log_densities(beliefs, [7.0])).mean()
    assert together == pytest.approx(stats.lognorm.pdf(7.0, np.hypot(0.75, 0.25), scale=np.exp(2)), rel=0.05)


def test_the_statements_of_the_papers():
    """1993, 4.1: surely within 100 per cent, probably within 30; 1987, 4.3: 100, 50 and 20 per cent."""
    lambert, duncan = cf.elicit(surely=1.0, probably=0.3), cf.elicit(surely=1.0, likely=0.5, probably=0.2)
    assert lambert.sd == pytest.approx(0.281, abs=0.0005)
    assert lambert.misfit < 0.03
    assert duncan.sd < lambert.sd
    assert duncan.misfit > lambert.misfit
