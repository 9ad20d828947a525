"""Harm where many records are equally probable: the same as one record at a time, without looking at every pair."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.harm import cases, evaluate
from confide.harm.belief.shared import SharedBelief

OUTCOMES = cf.Outcomes(tt=10.0, tf=6.0, ft=3.0, ff=5.0, tn=2.0, fn=1.0)
AMOUNTS = [cf.OverEstimate(), cf.Threshold(above=1_000.0), cf.Excess(), cf.AbsoluteError(), cf.SquaredError(), cf.Close(0.2)]
AMOUNTS += [cf.GivenCost(lambda y, x: np.abs(x - y) ** 0.5)]


def parish(n: int = 90, seed: int = 2) -> cf.Microdata:
    rng = np.random.default_rng(seed)
    debt = rng.lognormal(7, 1, n).round(0) * rng.choice([1.0, 0.0, -1.0], n, p=[0.8, 0.1, 0.1])
    hole = rng.random(n) < 0.1
    return cf.Microdata.from_dict(
        {
            "sex": rng.choice(["m", "f"], n, p=[0.9, 0.1]).tolist(),
            "hiv": [None if h else v for h, v in zip(hole, rng.choice(["no", "yes", "dk"], n), strict=True)],
            "debt": [None if h else v for h, v in zip(hole[::-1], debt, strict=True)],
        }
    ).declare(kinds={"debt": "continuous"})


def both_ways(links: cf.Links, harm: cf.Harm, monkeypatch: pytest.MonkeyPatch) -> tuple[cf.Harmed, cf.Harmed]:
    """Give the harm with sums shared by many targets, and pair by pair."""
    quick = cf.harm_of(links, harm)
    monkeypatch.setattr(evaluate, "FEW", 10_000)
    slow = cf.harm_of(links, harm)
    monkeypatch.undo()
    return quick, slow


def same(quick: cf.Harmed, slow: cf.Harmed) -> None:
    assert quick.per_target == pytest.approx(slow.per_target, rel=1e-11, abs=1e-9)
    assert ((quick.per_target > 0) == (slow.per_target > 0)).all()
    assert quick.correct == pytest.approx(slow.correct)
    assert quick.inferred == pytest.approx(slow.inferred)
    assert dict(quick.outcomes) == pytest.approx(dict(slow.outcomes))


@pytest.mark.parametrize("using", [cf.LinkedRecord(), cf.AllCandidates()])
@pytest.mark.parametrize("bayesian", [False, True])
@pytest.mark.parametrize("cost", AMOUNTS, ids=lambda c: type(c).__name__)
@pytest.mark.parametrize("release", [cf.Release(), cf.Release(cf.Sample(fraction=0.5)), cf.Release(cf.Drop("debt"))])
def test_amounts(using, bayesian, cost, release, monkeypatch):
    links = cf.link(release.apply(parish(), seed=1), cf.Intruder(knows=["sex"]))
    for costs in (cf.AmountCosts(cost, tn=2.0, fn=1.0), cf.AmountCosts(cost, cf.SquaredError(), tn=2.0, fn=1.0)):
        harm = cf.Harm("debt", costs, using=using, bayesian=bayesian, acts=0.0)
        same(*both_ways(links, harm, monkeypatch))


@pytest.mark.parametrize("reading", [cf.AsReleased(), cf.Misrecorded(q=0.9), cf.Shrunk(0.7)])
@pytest.mark.parametrize("bayesian", [False, True])
@pytest.mark.parametrize(
    "costs",
    [OUTCOMES, OUTCOMES.only_true(), cf.AssignedTo("yes"), cf.ByTrueValue({"yes": OUTCOMES})],
    ids=lambda c: type(c).__name__,
)
def test_categories(reading, bayesian, costs, monkeypatch):
    release = cf.Release(cf.Swap("hiv", rate=0.3), cf.Sample(fraction=0.8))
    links = cf.link(release.apply(parish(), seed=1), cf.Intruder(knows=["sex"]))
    harm = cf.Harm("hiv", costs, reading=reading, bayesian=bayesian, acts=0.0)
    quick, slow = both_ways(links, harm, monkeypatch)
    same(quick, slow)
    assert quick.right == pytest.approx(slow.right)


@pytest.mark.parametrize("attribute", ["hiv", "debt"])
@pytest.mark.parametrize("using", [cf.LinkedRecord(), cf.AllCandidates()])
def test_no_more_pairs_are_looked_at_than_anyone_can_wait_for(attribute, using, monkeypatch):
    monkeypatch.setattr(cases, "MOST", 10_000)
    data = parish(3_000)
    noisy = cf.Release(cf.Noise("debt", sd=100.0)).apply(data, seed=1)
    links = cf.link(noisy, cf.Intruder(knows=["sex"]))
    costs = OUTCOMES if attribute == "hiv" else cf.AmountCosts(cf.Close(0.1))
    assert cf.harm_of(links, cf.Harm(attribute, costs, using=using, acts=0.0)).n == 3_000
    if attribute == "debt":
        whole = cf.Harm("debt", costs, reading=cf.MeasurementError(), using=using, bayesian=True, acts=0.0)
        with pytest.raises(cf.HarmError, match="act on a larger probability"):
            cf.harm_of(links, whole)
        # an intruder who only acts on some certainty ties few records
        acts = cf.Harm("debt", costs, reading=cf.MeasurementError(), using=using, bayesian=True, acts=0.2)
        assert not cf.harm_of(links, acts).total


def test_a_shared_belief_is_that_of_its_nodes():
    rng = np.random.default_rng(5)
    start, group = np.array([0, 1, 9, 9, 40]), np.array([3, 0, 1, 3, 1, 3])
    values = rng.normal(1e9, 1.0, 40).round(1)
    weights = rng.random(40)
    shared = SharedBelief.of(start, values, weights, group)
    table = np.zeros((6, 40)), np.zeros((6, 40))
    for i, g in enumerate(group):
        here = slice(start[g], start[g + 1])
        table[0][i, here], table[1][i, here] = values[here], weights[here] / weights[here].sum()
    nodes = cf.NodesBelief(*table)
    t = np.array([1e9, values[0], values[3], values[20], 1e9 - 50, 1e9 + 50])
    for name in ("cdf", "tail", "excess", "shortfall", "squared_excess", "squared_error"):
        assert getattr(shared, name)(t) == pytest.approx(getattr(nodes, name)(t), rel=1e-9, abs=1e-6)
    for name in ("partial_first", "partial_second"):
        assert getattr(shared, name)(t) == pytest.approx(getattr(nodes, name)(t), rel=1e-12)
    assert shared.mean == pytest.approx(nodes.mean)
    assert shared.mass(t - 0.5, t + 0.5) == pytest.approx(nodes.mass(t - 0.5, t + 0.5))
    assert shared.mass(t + 1, t - 1) == pytest.approx(0.0)
    assert shared.take([2, 4]).tail(1e9) == pytest.approx(nodes.take([2, 4]).tail(1e9))
    assert shared.expect(lambda y, x: np.abs(x - y), t) == pytest.approx(nodes.expect(lambda y, x: np.abs(x - y), t))
