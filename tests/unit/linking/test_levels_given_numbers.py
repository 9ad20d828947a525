"""Levels that are not known are as probable as they are for people with the numbers that are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import confide as cf
from confide.linking.pieces import BeliefPiece

LEVELS = ("a", "b", "c")


def _people(seed: int, n: int) -> cf.Microdata:
    random = np.random.default_rng(seed)
    race = random.choice(3, n, p=[0.6, 0.3, 0.1])
    tax = np.exp(np.array([3.0, 4.0, 5.0])[race] + 0.4 * random.standard_normal(n))
    columns = {"race": [LEVELS[k] for k in race], "tax": tax.tolist()}
    return cf.Microdata.from_dict(columns).declare(kinds={"race": "nominal", "tax": "continuous"})


def _masked(data: cf.Microdata, seed: int) -> cf.Released:
    return cf.Release(cf.Swap("race", rate=0.3), cf.MultiplicativeNoise("tax", sd=0.3)).apply(data, seed=seed)


def _by_hand(released: cf.Released, allowed: str) -> np.ndarray:
    """Bayes' rule, level by level: link probabilities of all targets, where levels are known to be among some."""
    source = released.source
    assert source is not None
    race = np.array([LEVELS.index(x) for x in source.column("race").values()])
    log_y, log_z = np.log(source.columns["tax"].numbers), np.log(released.data.columns["tax"].numbers)
    swap: Any = released.steps[0].channels["race"]
    move = np.array([[swap.likelihood(z, level) for level in LEVELS] for z in released.data.column("race").values()])
    mean = np.array([log_y[race == k].mean() for k in range(3)])
    sd = np.sqrt(np.sum((log_y - mean[race]) ** 2) / (race.size - 3))
    joint = np.bincount(race, minlength=3) / race.size * norm.pdf(log_y[:, None], mean, sd)
    joint *= np.isin(LEVELS, list(allowed))
    of_target = joint / joint.sum(axis=1, keepdims=True) @ move.T * norm.pdf(log_z[None, :], log_y[:, None], 0.3)
    share = np.bincount(race, minlength=3) / race.size
    of_stranger = (share * move * norm.pdf(log_z[:, None], mean, np.hypot(sd, 0.3))).sum(axis=1)
    weight = of_target / of_stranger
    return weight / weight.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("asked", "allowed"),
    [
        ({"knows": ["tax"], "unavailable": cf.Regression()}, "abc"),
        ({"knows": ["tax"], "unavailable": {"race": cf.OneOf("race", ["b", "c"])}}, "bc"),
        ({"knows": ["tax", cf.OneOf("race", ["a", "b", "c"])]}, "abc"),
    ],
)
def test_an_uncertain_level_ignored_the_number_that_is_known(asked: Any, allowed: str) -> None:
    data = _people(3, 80)
    rows = [i for i, x in enumerate(data.column("race").values()) if x in allowed]
    released = _masked(data, 3)
    links = cf.link(released, cf.Intruder(**asked), cf.Targets.of_rows(rows))
    found = np.stack([links.row(i).p for i in range(len(rows))])
    assert found == pytest.approx(_by_hand(released, allowed)[rows], rel=1e-6, abs=1e-12)


def test_best_links_with_an_uncertain_level_were_stated_two_times_too_often() -> None:
    stated, true = [], []
    for seed in range(8):
        released = _masked(_people(seed, 100), seed)
        links = cf.link(released, cf.Intruder(knows=["tax"], unavailable=cf.Regression()))
        best = [links.row(t) for t in range(100)]
        stated.append(sum(row.p.max() for row in best))
        true.append(sum(row.own in row.at_best for row in best))
    # it stated 11.0 in a file, and 4.5 were right
    assert np.mean(stated) == pytest.approx(np.mean(true), abs=4 * np.std(true) / np.sqrt(8))
    assert np.mean(stated) < 8


def test_an_uncertain_level_ignored_numbers_with_correlated_noise() -> None:
    data = _people(5, 60)
    other = np.random.default_rng(1).normal(size=60).tolist()
    log_tax = np.log(data.columns["tax"].numbers).tolist()
    both = cf.Microdata.from_dict({"race": data.column("race").values(), "x": log_tax, "y": other}).declare(
        kinds={"race": "nominal", "x": "continuous", "y": "continuous"}
    )
    noise = cf.CorrelatedNoise(["x", "y"], covariance=[[0.09, 0.0], [0.0, 1.0]])
    released = cf.Release(cf.Swap("race", rate=0.3), noise).apply(both, seed=2)
    links = cf.link(released, cf.Intruder(knows=["x", "y", cf.OneOf("race", ["b", "c"])]), cf.Targets.of_rows(
        [i for i, x in enumerate(both.column("race").values()) if x != "a"]
    ))
    piece = next(p for p in links.evidence.pieces if isinstance(p, BeliefPiece))
    chance = np.exp(piece.prior.log_weight[piece.kind])
    amounts = np.array(log_tax)[[x != "a" for x in both.column("race").values()]]
    # people with much are of the level that has much, and none of a level that is ruled out
    assert chance[amounts > 5, piece.prior.categories["race"][0] == LEVELS.index("c")].min() > 0.5
    assert chance[amounts < 4, piece.prior.categories["race"][0] == LEVELS.index("c")].max() < 0.1
