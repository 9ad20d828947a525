"""Boxes hold the mass they promise: by exact probabilities and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import confide as cf

RNG = np.random.default_rng(11)
SIGMA = np.array([[0.5, 0.3, 0.1], [0.3, 0.8, 0.0], [0.1, 0.0, 0.2]])
MASSES = [0.3, 0.05, 1e-3]


def outside(appearance, draws, mass, respondent=0):
    """Give the share of draws outside the box of a respondent."""
    low, high = appearance.boxes(mass)
    z = appearance.coordinates(draws)
    return np.mean(np.any((z < low[respondent]) | (z > high[respondent]), axis=1))


@pytest.mark.parametrize("mass", [*MASSES, 1e-12])
def test_exact_coverage_of_one_variable(mass):
    low, high = cf.NormalAppearance([1.0], sd=2.0).boxes(mass)
    assert 2 * stats.norm.cdf(low, 1, 2) == pytest.approx(mass)
    assert 2 * stats.norm.sf(high, 1, 2) == pytest.approx(mass)
    low, high = cf.LognormalAppearance([1.0], sd=2.0).boxes(mass)
    assert 2 * stats.lognorm.cdf(np.exp(low), 2, scale=np.e) == pytest.approx(mass)
    low, high = cf.LaplaceAppearance([1.0], scale=2.0).boxes(mass)
    assert 2 * stats.laplace.sf(high, 1, 2) == pytest.approx(mass)
    low, high = cf.UniformAppearance([1.0], [2.0]).boxes(mass)
    assert (low, high) == (1.0, 2.0)


@pytest.mark.parametrize("mass", MASSES)
def test_exact_coverage_of_several_variables(mass):
    low, high = cf.NormalAppearance([[1.0, 2.0, 3.0]], sd=[1.0, 2.0, 3.0]).boxes(mass)
    inside = np.diff(stats.norm.cdf([low[0], high[0]], [1, 2, 3], [1, 2, 3]), axis=0).prod()
    assert 1 - inside == pytest.approx(mass)
    parts = [cf.LaplaceAppearance([[0.0, 0.0]], scale=1.0), cf.NormalAppearance([0.0], sd=1.0)]
    low, high = cf.IndependentAppearance(parts).boxes(mass)
    inside = (2 * stats.laplace.cdf(high[0, :2]) - 1).prod() * (2 * stats.norm.cdf(high[0, 2]) - 1)
    assert 1 - inside == pytest.approx(mass)


def test_boxes_without_mass_hold_everything_possible():
    low, high = cf.NormalAppearance([1.0, 2.0], sd=1.0).boxes(0.0)
    assert np.isneginf(low).all()
    assert np.isposinf(high).all()
    low, high = cf.LaplaceAppearance([[1.0, 2.0]], scale=1.0).boxes(0.0)
    assert np.isposinf(high).all()
    low, high = cf.MisreportedAppearance([0, 1], [[[0, 0.5, 0.5], [0, 1, 0]]]).boxes(0.0)
    assert np.column_stack([low, high]).tolist() == [[1, 2], [1, 1]]


@pytest.mark.parametrize("mass", [0.3, 0.05])
@pytest.mark.parametrize("kind", ["common", "each"])
@pytest.mark.parametrize("family", [cf.NormalAppearance, cf.LognormalAppearance])
def test_simulated_coverage_with_a_covariance(mass, kind, family):
    centre = np.array([[1.0, -1.0, 0.5], [0.0, 0.0, 0.0]])
    sigma = SIGMA if kind == "common" else np.array([SIGMA, 4 * SIGMA])
    appearance = family(centre, covariance=sigma)
    x = RNG.multivariate_normal(centre[0], SIGMA, size=200_000)
    found = outside(appearance, np.exp(x) if family is cf.LognormalAppearance else x, mass)
    error = 4 * np.sqrt(mass / 200_000)
    assert found <= mass + error
    if kind == "common":
        assert found >= mass - error, "whitened coordinates are independent, so the mass is exact"


@pytest.mark.parametrize("mass", [0.5, 0.25, 0.1, 0.01, 0.0])
def test_coverage_of_misreported_categories_is_exact_and_short(mass):
    table = np.array([[0.6, 0.2, 0.1, 0.1], [0.02, 0.9, 0.04, 0.04], [0.25, 0.25, 0.25, 0.25], [0, 0, 0, 1.0]])
    low, high = cf.MisreportedAppearance([0, 1, 2, 3], [table]).boxes(mass)
    codes = np.arange(4)
    for i in range(4):
        inside = (codes >= low[i]) & (codes <= high[i])
        assert table[i][~inside].sum() <= mass + 1e-12
        shorter = [table[i][a : b + 1].sum() for a in range(4) for b in range(a, 4) if b - a < high[i, 0] - low[i, 0]]
        assert all(1 - p > mass - 1e-12 for p in shorter)


def test_groups_share_coordinates_or_keep_their_own():
    same = cf.GroupedAppearance([cf.UniformAppearance([-4.0], [4.0]), cf.NormalAppearance([0.0, 1.0], sd=1.0)])
    low, high = same.boxes(0.05)
    assert low.shape == (3, 1)
    assert high[0, 0] == 4.0
    key = cf.MisreportedAppearance.at_rate([1, 0], 0.0, 3)
    pair = cf.IndependentAppearance([cf.LognormalAppearance([0.0, 1.0], sd=1.0), key])
    twice = cf.GroupedAppearance([pair, pair])
    assert twice.boxes(0.1)[0].shape == (4, 2)
    form = twice.located(np.array([[1.0, 1.0]]))
    assert form is not None
    assert form.centre.tolist() == [[0, 1], [1, 0], [0, 1], [1, 0]]
    nested = cf.GroupedAppearance([twice, pair])
    assert nested.boxes(0.1)[0].shape == (6, 4)
    assert np.array_equal(
        cf.log_densities(nested, [[2.0, 1.0]])[0, [0, 2, 4]], [cf.log_densities(pair, [[2.0, 1.0]])[0, 0]] * 3
    )
    mixed = cf.GroupedAppearance([cf.LognormalAppearance([0.0], sd=1.0), cf.NormalAppearance([5.0], sd=1.0)])
    assert mixed.coordinates(np.array([[np.e], [-1.0]])).tolist() == [[1.0, np.e], [-np.inf, -1.0]]
    assert mixed.located(np.array([[1.0]])) is None
    for respondent, draws in ((0, np.exp(RNG.normal(size=100_000))), (1, RNG.normal(5, 1, size=100_000))):
        assert outside(mixed, draws, 0.1, respondent) == pytest.approx(0.1, abs=0.004)
