"""Beliefs about a variable that was swapped within strata, which were masked afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import confide as cf

BELIEF = {"a": 0.9, "b": 0.1}


def _file(*between: Any) -> tuple[cf.Released, np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    region = random.choice(2, 200)
    race = np.where(random.random(200) < np.array([0.8, 0.2])[region], 0, 1)
    columns = {"region": [("n", "s")[k] for k in region], "race": [("a", "b")[k] for k in race]}
    data = cf.Microdata.from_dict(columns).declare(kinds={"region": "nominal", "race": "nominal"})
    release = cf.Release(cf.Swap("race", rate=0.9, within="region"), *between, cf.Swap("region", rate=0.6))
    return release.apply(data, seed=1), region, race


def _by_hand(released: cf.Released, region: np.ndarray, race: np.ndarray, names: str = "ns") -> np.ndarray:
    """Sum over the true regions and races of a stranger, and over the races of a target in the first region."""
    swap: Any = released.steps[0].channels["race"]
    move: Any = released.steps[-1].channels["region"]
    shown = list(zip(released.data.column("region").values(), released.data.column("race").values(), strict=True))
    weight = []
    for z, x in shown:
        mine = move.likelihood(z, names[0]) * sum(p * swap.likelihood(x, level, "n") for level, p in BELIEF.items())
        theirs = sum(
            np.mean((region == i) & (race == j)) * move.likelihood(z, names[i]) * swap.likelihood(x, level, s)
            for i, s in enumerate("ns")
            for j, level in enumerate("ab")
        )
        weight.append(mine / theirs)
    return np.array(weight) / sum(weight)


ASKED: list[Any] = [
    {"knows": ["region"], "unavailable": {"race": BELIEF}},
    {"knows": ["region"], "unavailable": {"race": cf.OneOf("race", ["a", "b"], [0.9, 0.1])}},
    {"knows": ["region"], "unavailable": cf.AboutTargets([[cf.Atom(w, {"race": x}) for x, w in BELIEF.items()]])},
    {"knows": ["region", cf.Distributed("race", BELIEF)]},
]


@pytest.mark.parametrize("asked", ASKED)
def test_a_belief_took_the_matrix_of_another_stratum(asked: Any) -> None:
    released, region, race = _file()
    target = int(np.flatnonzero(region == 0)[0])
    found = cf.link(released, cf.Intruder(**asked), cf.Targets.of_rows([target])).row(0).p
    assert found == pytest.approx(_by_hand(released, region, race), rel=1e-6)


@pytest.mark.parametrize("asked", ASKED)
def test_a_belief_in_a_stratum_that_exchanged_its_names_took_the_matrix_of_another(asked: Any) -> None:
    released, region, race = _file(cf.Recode("region", mapping={"n": "s", "s": "n"}))
    target = int(np.flatnonzero(region == 0)[0])
    found = cf.link(released, cf.Intruder(**asked), cf.Targets.of_rows([target])).row(0).p
    assert found == pytest.approx(_by_hand(released, region, race, "sn"), rel=1e-6)


def test_any_level_says_as_much_as_a_regression_in_its_stratum() -> None:
    released, *_ = _file()
    ways: list[Any] = [cf.Regression(), {"race": cf.OneOf("race", ["a", "b"])}]
    found = [cf.link(released, cf.Intruder(knows=["region"], unavailable=how)).own for how in ways]
    assert found[0] == pytest.approx(found[1], rel=1e-6)


def test_a_belief_in_an_unknown_stratum_is_refused() -> None:
    released, *_ = _file()
    who = cf.Intruder(knows=[cf.OneOf("region", ["n", "s"])], unavailable={"race": BELIEF})
    with pytest.raises(cf.LikelihoodError, match="let the intruder know 'region' exactly"):
        cf.link(released, who)
