"""Every cost and every reading of a record keeps the same promises."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

import confide as cf
from confide.harm.sensitive import sensitive_of

SOURCE = Path(__file__).parents[2] / "src" / "confide" / "harm"
LEVELS = ["no", "yes", "maybe"]
AMOUNT_COSTS = {
    "OverEstimate": cf.OverEstimate(),
    "Threshold": cf.Threshold(above=2.0, loss=3.0),
    "Excess": cf.Excess(),
    "AbsoluteError": cf.AbsoluteError(),
    "SquaredError": cf.SquaredError(),
    "Close": cf.Close(within=0.2, loss=2.0),
    "GivenCost": cf.GivenCost(lambda y, x: np.minimum(np.abs(x - y), 1.5), name="capped"),
    "NoCost": cf.NoCost(),
}
CATEGORY_COSTS = {
    "Outcomes": cf.Outcomes(tt=10, tf=6, ft=3, ff=5, tn=2, fn=1),
    "AssignedTo": cf.AssignedTo("yes", loss=2.0),
    "ByTrueValue": cf.ByTrueValue({"yes": cf.Outcomes(tt=9, ff=2)}, cf.Outcomes(tf=1)),
    "BeliefCosts": cf.BeliefCosts({"yes": 8.0, "no": 1.0}, {"yes": 4.0}, tn=2.0, fn=1.0),
}
READINGS = {
    "AsReleased": cf.AsReleased(),
    "Shrunk": cf.Shrunk(0.7),
    "MeasurementError": cf.MeasurementError(["age"]),
    "Misrecorded": cf.Misrecorded(["age"]),
}


def test_every_cost_and_reading_is_under_contract():
    def classes(folder: str, method: str) -> set[str]:
        names = set()
        for path in (SOURCE / folder).glob("*.py"):
            module = __import__(f"confide.harm.{folder}.{path.stem}".rstrip("."), fromlist=["x"])
            for name, one in inspect.getmembers(module, inspect.isclass):
                if one.__module__ == module.__name__ and method in vars(one) and not getattr(one, "_is_protocol", False):
                    names.add(name)
        return names

    assert classes("costs", "at") == set(AMOUNT_COSTS)
    assert classes("reading", "categories") == set(READINGS)


@pytest.mark.parametrize("name", AMOUNT_COSTS)
def test_an_amount_cost(name):
    cost = AMOUNT_COSTS[name]
    rng = np.random.default_rng(1)
    y, guess = rng.normal(2, 1, 50), rng.normal(2, 1, 50)
    at = cost.at(y, guess)
    assert at.shape == (50,)
    assert (at >= 0).all()
    assert cost.describe()
    # certainty is a point, and a belief of little spread is nearly one
    assert cost.expected(y, cf.PointBelief(guess)) == pytest.approx(at)
    assert cost.expected(y, cf.NormalBelief(guess, 0.0)) == pytest.approx(at)
    assert cost.expected(y, cf.NodesBelief(guess[:, None], np.ones((50, 1)))) == pytest.approx(at)
    # the average over draws
    draws = rng.normal(1.8, 0.7, 200_000)
    for one in (0.5, 2.0, 3.5):
        mean = cost.expected(np.array([one]), cf.NormalBelief([1.8], [0.7]))[0]
        seen = cost.at(np.full(draws.size, one), draws)
        assert mean == pytest.approx(seen.mean(), abs=5 * seen.std() / np.sqrt(draws.size) + 1e-12)
    # amounts: nothing without a link, only_true forgives false ones
    both = cf.AmountCosts(cost, tn=1.0, fn=1.0)
    assert not both.harm(np.full(50, -1), y, guess).any()
    assert not both.only_true().harm(np.zeros(50, dtype=int), y, guess).any()
    assert both.only_true().harm(np.ones(50, dtype=int), y, guess) == pytest.approx(at)


@pytest.mark.parametrize("name", CATEGORY_COSTS)
def test_a_category_cost(name):
    costs = CATEGORY_COSTS[name]
    linked, true, guess = (a.ravel() for a in np.meshgrid([-1, 0, 1], [0, 1, 2], [-1, 0, 1, 2]))
    harm = costs.harm(linked, true, guess, LEVELS)
    assert (harm >= 0).all()
    assert not harm[linked < 0].any()
    assert costs.describe()
    told = guess >= 0
    certain = np.eye(3)[np.maximum(guess, 0)]
    assert costs.expected(linked, true, certain, LEVELS, told) == pytest.approx(harm)
    only = costs.only_true().harm(linked, true, guess, LEVELS)
    assert not only[linked == 0].any()
    assert only[linked == 1] == pytest.approx(harm[linked == 1])
    # a mixture of beliefs costs the mixture of their costs
    mixed = np.tile([0.2, 0.5, 0.3], (linked.size, 1))
    parts = [costs.harm(linked, true, np.full(linked.size, k), LEVELS) for k in range(3)]
    assert costs.expected(linked, true, mixed, LEVELS) == pytest.approx(np.array([0.2, 0.5, 0.3]) @ np.stack(parts))


def people(n: int = 500) -> cf.Microdata:
    rng = np.random.default_rng(6)
    age = rng.normal(size=n)
    return cf.Microdata.from_dict(
        {
            "sex": rng.choice(["f", "m"], n).tolist(),
            "age": age.tolist(),
            "pay": (30 + 5 * age + rng.normal(size=n)).tolist(),
            "ill": np.where(rng.random(n) < 1 / (1 + np.exp(-age)), "yes", "no").tolist(),
        }
    ).declare(kinds={"age": "continuous", "pay": "continuous"})


def seen(release: cf.Release, name: str):
    links = cf.link(release.apply(people(), seed=2), cf.Intruder(knows=["sex"]), cf.Targets.of_rows([0, 1]))
    return sensitive_of(links, name)


@pytest.mark.parametrize("name", READINGS)
def test_a_reading(name):
    reading = READINGS[name]
    assert reading.describe()
    plain = seen(cf.Release(), "ill")
    found = reading.categories(plain)
    assert found.sum(axis=1) == pytest.approx(1.0)
    assert (found.argmax(axis=1) == plain.released_codes).all()
    missing = seen(cf.Release(cf.Drop(["ill", "pay"])), "ill")
    assert not reading.categories(missing).any()
    swapped = reading.categories(seen(cf.Release(cf.Swap("ill", rate=0.3)), "ill"))
    assert swapped.sum(axis=1) == pytest.approx(1.0)
    assert (swapped >= 0).all()
    if name == "Misrecorded":
        return
    truth = people().column("pay").numbers
    exact = reading.amounts(seen(cf.Release(), "pay"))
    if name != "Shrunk":
        assert exact.estimate == pytest.approx(truth)
    assert not reading.amounts(seen(cf.Release(cf.Drop(["ill", "pay"])), "pay")).known.any()
    for release in (cf.Noise("pay", sd=2.0), cf.Round("pay", to=5.0), cf.Topcode("pay", at=35.0), cf.Recode("pay", width=4)):
        told = reading.amounts(seen(cf.Release(release), "pay"))
        assert told.known.all()
        assert told.belief.mean == pytest.approx(told.estimate)
        assert np.corrcoef(told.estimate, truth)[0, 1] > 0.8
