"""Costs and beliefs against quadrature and against their definitions, whatever the parameters."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

import confide as cf

SPREADS = st.floats(-9, 6).map(lambda e: 10.0**e)
PLACES = st.floats(-30, 30)
"""Where y lies, in sds from the middle of the belief."""
NUMBERS = st.floats(-1e3, 1e3)


def over(integrand, left, right):
    """Integrate by scipy, piece by piece."""
    cuts = [left, *(c for c in np.arange(math.ceil(left), right) if c > left), right]
    pieces = itertools.pairwise(cuts)
    return math.fsum(quad(integrand, a, b, epsabs=0, epsrel=1e-12, limit=200)[0] for a, b in pieces if b > a)


def density(z):
    return math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)


def sides(difference, z):
    """Integrate functions of a difference from y, above and below it; y lies z sds from the middle."""

    def above(f):
        return over(lambda u: f(difference(u)) * density(z + u), 0.0, max(38.0 - z, 1.0))

    def below(f):
        return over(lambda u: f(-difference(-u)) * density(z - u), 0.0, max(38.0 + z, 1.0))

    return above, below


def agrees(got, want):
    assert got.shape == (1,)
    assert got[0] == pytest.approx(want, rel=1e-8, abs=1e-280)


@given(NUMBERS, SPREADS, PLACES)
@settings(max_examples=60, deadline=None)
@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
def test_normal_closed_forms_agree_with_quadrature(mean, sd, place):
    y = mean + sd * place
    z = (y - mean) / sd
    assume(abs(z) < 32)
    above, below = sides(lambda u: sd * u, z)
    belief = cf.NormalBelief(mean, sd)
    agrees(cf.OverEstimate().expected(y, belief), above(lambda d: d * d))
    agrees(cf.Excess().expected(y, belief), above(lambda d: d))
    agrees(cf.AbsoluteError().expected(y, belief), above(lambda d: d) + below(lambda d: d))
    agrees(cf.SquaredError().expected(y, belief), above(lambda d: d * d) + below(lambda d: d * d))
    agrees(cf.Threshold(y, 7.0).expected(y, belief), 7 * above(lambda d: 1.0))


@given(st.floats(0.01, 1e3), st.floats(-3, 3), PLACES, st.floats(-6, -0.3))
@settings(max_examples=60, deadline=None)
@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
def test_the_chance_to_be_close_agrees_with_quadrature(y, log_relative_sd, place, log_within):
    within, sd = 10.0**log_within, y * 10.0**log_relative_sd
    mean = y - sd * place

    def mass(left, right):
        a, b = max(left, -38.0), min(right, 38.0)
        return over(density, a, b) if b > a else 0.0

    want = mass((y - mean - y * within) / sd, (y - mean + y * within) / sd)
    assert cf.Close(within).expected(y, cf.NormalBelief(mean, sd))[0] == pytest.approx(want, rel=1e-8, abs=1e-12)
    log_sd = min(sd / y, 3.0)
    want = mass(math.log1p(-within) / log_sd + place, math.log1p(within) / log_sd + place)
    belief = cf.LognormalBelief(math.log(y) - log_sd * place, log_sd)
    assert cf.Close(within).expected(y, belief)[0] == pytest.approx(want, rel=1e-8, abs=1e-12)


@given(st.floats(-5, 12), st.floats(-6, 0.5).map(lambda e: 10.0**e), PLACES)
@settings(max_examples=60, deadline=None)
@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
def test_lognormal_closed_forms_agree_with_quadrature(log_mean, log_sd, place):
    y = math.exp(log_mean + log_sd * place)
    z = (math.log(y) - log_mean) / log_sd
    assume(abs(z) < 32)
    reach = 38.0 + 2 * log_sd

    def above(f):
        return over(lambda u: f(y * math.expm1(log_sd * u)) * density(z + u), 0.0, max(reach - z, 1.0))

    def below(f):
        return over(lambda u: f(-y * math.expm1(-log_sd * u)) * density(z - u), 0.0, max(38.0 + z, 1.0))

    belief = cf.LognormalBelief(log_mean, log_sd)
    agrees(cf.OverEstimate().expected(y, belief), above(lambda d: d * d))
    agrees(cf.Excess().expected(y, belief), above(lambda d: d))
    agrees(belief.shortfall(y), below(lambda d: d))
    agrees(cf.AbsoluteError().expected(y, belief), above(lambda d: d) + below(lambda d: d))
    agrees(cf.SquaredError().expected(y, belief), above(lambda d: d * d) + below(lambda d: d * d))
    agrees(cf.Threshold(y, 7.0).expected(y, belief), 7 * above(lambda d: 1.0))


@given(st.floats(-1, 12), st.floats(0.001, 2), st.floats(-1e6, 0))
@settings(max_examples=40, deadline=None)
def test_an_amount_that_is_surely_positive_exceeds_every_negative_one(log_mean, log_sd, y):
    belief = cf.LognormalBelief(log_mean, log_sd)
    assert belief.excess(y) == pytest.approx(belief.mean - y)
    assert belief.squared_excess(y) == pytest.approx(belief.squared_error(y))
    assert belief.shortfall(y) == 0
    assert (belief.tail(y), belief.cdf(y)) == (1, 0)


@given(NUMBERS, st.floats(-6, 3).map(lambda e: 10.0**e), st.floats(-1, 2))
@settings(max_examples=100, deadline=None)
@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
def test_uniform_closed_forms_agree_with_quadrature(low, width, place):
    high, y = low + width, low + width * place
    assume(high > low)
    belief = cf.UniformBelief(low, high)

    def mean(f):
        ends = sorted({low - y, high - y, min(max(0.0, low - y), high - y)})
        return sum(quad(f, a, b, epsabs=0)[0] for a, b in itertools.pairwise(ends)) / (high - low)

    for cost, f in (
        (cf.OverEstimate(), lambda d: max(0.0, d) ** 2),
        (cf.Excess(), lambda d: max(0.0, d)),
        (cf.AbsoluteError(), abs),
        (cf.SquaredError(), lambda d: d**2),
        (cf.Threshold(y, 3.0), lambda d: 3.0 * (d > 0)),
    ):
        assert cost.expected(y, belief)[0] == pytest.approx(mean(f), rel=1e-8, abs=1e-280)


def beliefs(rng, n):
    """Make one belief of each kind, some of them sure."""
    spread = 10 ** rng.uniform(-6, 1, n) * (rng.random(n) < 0.8)
    nodes = rng.normal(size=(n, 4)).round(1)
    return [
        cf.PointBelief(rng.normal(size=n)),
        cf.NormalBelief(rng.normal(size=n), spread),
        cf.LognormalBelief(rng.normal(size=n), np.minimum(spread, 2.0)),
        cf.UniformBelief(-spread, spread * rng.random(n)),
        cf.NodesBelief(nodes, rng.dirichlet(np.ones(4), n)),
    ]


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_the_pieces_of_a_belief_fit_together(seed):
    rng = np.random.default_rng(seed)
    n = 20
    for belief in beliefs(rng, n):
        t = np.where(rng.random(n) < 0.3, belief.mean, rng.normal(size=n).round(1))
        scale = np.sqrt(belief.squared_error(0.0)) + np.abs(t)
        for power in (1, 2):
            assert (getattr(belief, ["excess", "squared_excess"][power - 1])(t) >= 0).all()
        assert np.allclose(belief.cdf(t) + belief.tail(t), 1)
        assert np.allclose(belief.excess(t) - belief.shortfall(t), belief.mean - t, rtol=1e-10, atol=1e-13 * scale.max())
        first, second = belief.partial_first(t), belief.partial_second(t)
        low = (t * belief.cdf(t) - first, second - 2 * t * first + t**2 * belief.cdf(t))
        assert np.allclose(low[0], belief.shortfall(t), rtol=1e-9, atol=1e-12 * scale.max())
        assert np.allclose(
            belief.squared_error(t) - low[1], belief.squared_excess(t), rtol=1e-9, atol=1e-12 * scale.max() ** 2
        )
        assert np.allclose(belief.mass(t, t + 1), belief.cdf(t + 1) - belief.cdf(t) + belief.mass(t, t), atol=1e-12)


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_quadrature_agrees_with_the_closed_forms(seed):
    rng = np.random.default_rng(seed)
    n = 10
    y = rng.normal(size=n)
    for belief in beliefs(rng, n):
        for cost, kinks in (
            (cf.OverEstimate(), None),
            (cf.AbsoluteError(), None),
            (cf.SquaredError(), None),
            (cf.Threshold(0.3, 2.0), [0.3]),
            (cf.Close(0.5), lambda y: [0.5 * y, 1.5 * y]),
        ):

            def function(y, x, cost=cost):
                return cost.at(y.ravel(), x.ravel()).reshape(x.shape)

            found = cf.GivenCost(function, kinks=kinks).expected(y, belief)
            assert np.allclose(found, cost.expected(y, belief), rtol=1e-9, atol=1e-12)


@given(st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_expected_harm_is_the_average_harm_of_draws_from_a_category(seed):
    rng = np.random.default_rng(seed)
    n, levels = 12, ["a", "b", "c"]
    linked, truth = rng.integers(-1, 2, n), rng.integers(0, 3, n)
    posterior = rng.dirichlet(np.ones(3), n)
    cost = [float(x) for x in rng.integers(0, 9, 6)]
    for costs in (
        cf.Outcomes(*cost),
        cf.BeliefCosts({"a": cost[0], "b": cost[1]}, {"c": cost[2]}),
        cf.AssignedTo("b", cost[0]),
        cf.AssignedTo("b").only_true(),
        cf.ByTrueValue({"a": cf.Outcomes(*cost), "c": cf.AssignedTo("a")}, cf.BeliefCosts({"a": cost[3]})),
    ):
        average = sum(posterior[:, k] * costs.harm(linked, truth, np.full(n, k), levels) for k in range(3))
        assert np.allclose(costs.expected(linked, truth, posterior, levels), average)
        order = rng.permutation(n)
        assert np.array_equal(
            costs.expected(linked[order], truth[order], posterior[order], levels),
            costs.expected(linked, truth, posterior, levels)[order],
        )


@given(st.lists(st.integers(0, 20), min_size=1, max_size=40), st.data())
@settings(max_examples=150, deadline=None)
def test_who_bears_the_harm_by_definition(harm, data):
    n, x = len(harm), np.array(harm, dtype=float)
    found = cf.Bearers.of(harm)
    assert found.total == sum(harm)
    assert (found.worst, found.worst_at) == (max(harm), harm.index(max(harm)))
    assert found.harmed == sum(h > 0 for h in harm)
    if sum(harm) == 0:
        assert found.gini is None
    else:
        assert found.gini == pytest.approx(np.abs(x[:, None] - x).sum() / (2 * n * x.sum()), abs=1e-12)
        down = sorted(harm, reverse=True)
        assert found.half == next(k for k in range(1, n + 1) if 2 * sum(down[:k]) >= sum(harm))
        # a hundred copies of each respondent make whole numbers of 1 and 10 per cent
        copies = np.repeat(np.array(down), 100)
        assert found.top_1 == pytest.approx(copies[:n].sum() / copies.sum())
        assert found.top_10 == pytest.approx(copies[: 10 * n].sum() / copies.sum())
    member = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    groups = cf.HarmByGroup.of(harm, member, "xyz").groups
    assert [g.total for g in groups] == [sum(h for h, m in zip(harm, member, strict=True) if m == k) for k in range(3)]
    assert sum(g.n for g in groups) == n
