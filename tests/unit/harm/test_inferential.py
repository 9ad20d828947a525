"""Inferential disclosure, against the rows of link probabilities."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def town(n: int = 80, seed: int = 4) -> cf.Microdata:
    rng = np.random.default_rng(seed)
    trade = rng.choice(["plumber", "baker", "clerk"], n)
    wage = np.where(trade == "plumber", 30.0, rng.integers(10, 60, n))
    return cf.Microdata.from_dict(
        {
            "trade": trade.tolist(),
            "age": rng.integers(20, 23, n).tolist(),
            "wage": wage.tolist(),
            "union": rng.choice(["yes", "no"], n).tolist(),
            "wt": [3.0] * n,
        }
    ).declare(kinds={"age": "integer", "wage": "continuous"}, weight="wt")


INTRUDERS = [
    cf.Intruder(knows=["trade", "age"]),
    cf.Intruder(knows=["trade", "age"], target_in_file=False),
    cf.Intruder(knows=["trade"], population=cf.AtLeast(200), target_in_file=False),
]


@pytest.mark.parametrize("intruder", INTRUDERS, ids=lambda i: i.title)
@pytest.mark.parametrize("without_own", [False, True])
@pytest.mark.parametrize("release", [cf.Release(), cf.Release(cf.Swap("trade", rate=0.3))], ids=lambda r: r.name)
def test_amounts_and_categories_by_hand(intruder, without_own, release):
    data = town()
    released = release.apply(data, seed=3)
    links = cf.link(released, intruder)
    y, z = data.column("wage").numbers, released.data.column("wage").numbers
    union = np.array(data.column("union").values())
    told = np.array(released.data.column("union").values())
    amounts = cf.inferential_disclosure(links, "wage", close=0.2, without_own=without_own)
    categories = cf.inferential_disclosure(links, "union", without_own=without_own)
    for t in range(0, links.n, 3):
        row = links.row(t)
        p, null = row.p.copy(), row.null
        if without_own:
            p[row.own] = 0.0
            total = p.sum() + null
            p, null = (p / total, null / total) if total > 1e-12 else (p, 1.0)
        near = np.abs(z - y[t]) <= 0.2 * y[t]
        before = float(np.mean(np.abs(y - y[t]) <= 0.2 * y[t]))
        assert amounts.before[t] == pytest.approx(before)
        assert amounts.after[t] == pytest.approx(float(p @ near) + null * before, abs=1e-9)
        guess = float(p @ z) + null * y.mean()
        assert amounts.with_release.error[t] == pytest.approx(abs(y[t] - guess), abs=1e-9)
        second = float(p @ z**2) + null * float(np.mean(y**2))
        assert amounts.with_release.spread[t] == pytest.approx(np.sqrt(max(second - guess**2, 0.0)), abs=1e-6)
        share = float(np.mean(union == union[t]))
        assert categories.after[t] == pytest.approx(float(p @ (told == union[t])) + null * share, abs=1e-9)
    assert amounts.rms_error[0] == pytest.approx(float(np.std(y)))
    assert categories.rms_error is None


def test_plumbers_are_disclosed_without_being_identified():
    data = town()
    links = cf.link(cf.Release().apply(data, seed=3), INTRUDERS[0])
    found = cf.inferential_disclosure(links, "wage", close=0.01)
    plumbers = np.array(data.column("trade").values()) == "plumber"
    assert found.disclosed(0.9)[plumbers].all()
    assert found.without_identification(0.9, threshold=0.2)[plumbers & (links.best <= 0.2)].all()
    assert "without identification" in repr(found)
    # and they would be had they not taken part
    others = cf.inferential_disclosure(links, "wage", close=0.01, without_own=True)
    assert others.after[plumbers] == pytest.approx(1.0)
    assert "own records left out" in repr(others)


@pytest.mark.parametrize(
    ("before", "chance"),
    [
        (cf.Normal(30, 10), 0.6826894921370859),
        (cf.Uniform(0, 100), 0.2),
        (cf.Lognormal(np.log(30), 0.3), None),
    ],
)
def test_beliefs_before_the_release_may_be_given(before, chance):
    data = cf.Microdata.from_dict({"sex": ["m", "m"], "wage": [30.0, 30.0]}).declare(kinds={"wage": "continuous"})
    links = cf.link(cf.Release().apply(data, seed=3), cf.Intruder(knows=["sex"]))
    found = cf.inferential_disclosure(links, "wage", close=1 / 3, before=before)
    if chance is None:
        from scipy.stats import lognorm

        chance = float(np.diff(lognorm(0.3, scale=30).cdf([20, 40]))[0])
    assert found.before == pytest.approx(chance)
    assert found.after.tolist() == [1.0, 1.0]
    assert found.with_release.spread.tolist() == [0.0, 0.0]


def test_noise_makes_guesses_worse_and_seeing_through_it_makes_them_better():
    cps = cf.examples.cps()
    released = cf.Release(cf.Noise("income", sd=0.5, relative_to="all")).apply(cps, seed=7)
    intruder = cf.Intruder(knows=["sex", "race", "marital", "age", "education", "property_tax"])
    links = cf.link(released, intruder, cf.Targets.of_rows(range(0, 51_016, 50)))
    plain = cf.inferential_disclosure(links, "income")
    aware = cf.inferential_disclosure(links, "income", reading=cf.MeasurementError())
    assert aware.rms_error[1] < plain.rms_error[1]
    assert aware.with_release.spread.min() > 0


def test_someone_without_a_value():
    data = cf.Microdata.from_dict({"sex": ["m", "f"], "union": ["yes", None], "wage": [1.0, None]})
    data = data.declare(kinds={"wage": "continuous"})
    links = cf.link(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"]))
    for name in ("union", "wage"):
        found = cf.inferential_disclosure(links, name)
        assert np.isnan(found.after[1])
        assert not found.disclosed()[1]
        assert found.mean_after == 1.0


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda links: cf.inferential_disclosure(links, "wage", close=0.0), "above 0"),
        (lambda links: cf.inferential_disclosure(links, "wages"), "did you mean 'wage'"),
        (lambda links: cf.inferential_disclosure(links, "union", before=cf.Normal(1, 1)), "distribution of an amount"),
        (lambda links: cf.inferential_disclosure(links, "trade"), "knows 'trade' already"),
        (lambda links: cf.inferential_disclosure(links, "wage").disclosed(0.0), "above 0"),
    ],
)
def test_mistakes(call, says):
    links = cf.link(cf.Release().apply(town(), seed=3), INTRUDERS[0])
    with pytest.raises(cf.HarmError, match=says):
        call(links)


def test_nobody_has_a_value():
    data = cf.Microdata.from_dict({"sex": ["m", "f"], "wage": [None, None]})
    links = cf.link(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"]))
    with pytest.raises(cf.HarmError, match="missing for every respondent"):
        cf.inferential_disclosure(links, "wage", category=True)
    with pytest.raises(cf.HarmError, match="give before"):
        cf.inferential_disclosure(links, "wage", category=False)
