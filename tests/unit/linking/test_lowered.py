"""Strangers by survey weights, where a list of targets competes for the records: as many true links as there are."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.linking.posterior import lowered as module
from confide.linking.posterior.lowered import lowered


def linked(seed: int, groups: int, listed: float, share: float = 0.1) -> tuple[cf.Links, int]:
    """Draw a population, a list of some of its people and a sample of it; give the links and the number of true ones."""
    draw, n = np.random.default_rng(seed), 3000
    people = cf.Microdata.from_dict(
        {
            "region": [f"r{k}" for k in draw.integers(0, groups, n)],
            "status": draw.choice(["x", "y", "z"], n, p=[0.6, 0.3, 0.1]).tolist(),
            "w": [1.0] * n,
        }
    ).declare(weight="w", kinds={"w": "continuous"})
    released = cf.Release(cf.Swap("status", rate=0.3), cf.Sample(fraction=share)).apply(people, seed=seed)
    targets = cf.Targets.of_rows(np.sort(draw.choice(n, int(n * listed), replace=False)).tolist())
    intruder = cf.Intruder(knows=["region", "status"], target_in_file=False, matching=cf.WithoutReplacement())
    links = cf.link(released, intruder, targets)
    return links, int((links.evidence.own_records >= 0).sum())


@pytest.mark.parametrize(
    ("groups", "listed", "was"), [(60, 1.0, 0.87), (60, 0.5, 0.975), (1000, 1.0, 0.4), (1000, 0.5, 0.4)]
)
def test_cut_off_strangers_made_true_links_too_few(groups, listed, was, monkeypatch):
    """As many true links are stated as there are; with strangers cut off on one side it was a smaller share (`was`)."""
    found = [linked(seed, groups, listed) for seed in range(4)]
    true = sum(number for _, number in found)
    stated = sum(float((1 - links.null).sum()) for links, _ in found)
    assert stated == pytest.approx(true, abs=3 * np.sqrt(true * (1 - listed) + 1))
    monkeypatch.setattr(module, "MOST", 0.0)
    before = sum(float((1 - linked(seed, groups, listed)[0].null).sum()) for seed in range(4))
    assert before < was * stated
    assert ("lowered by" in found[0][0].people_notes[0]) == (before < stated)


def test_by_drawing_blocks_alone():
    """Blocks of all sizes, lists that cover some blocks and leave others out."""
    rng = np.random.default_rng(3)
    true = stated = before = 0.0
    for _ in range(20):
        size = rng.poisson(rng.choice([2, 30, 200], 300))
        n = rng.binomial(size, 0.1)
        targets = rng.binomial(size, rng.choice([0.0, 0.3, 1.0], 300))
        true += float(rng.hypergeometric(targets, size - targets, n).sum())
        seen = n > 0
        w = size.sum() / n.sum()
        found = lowered(n[seen] * w, n[seen] * w**2, n[seen], targets[seen], int(targets[~seen].sum()))
        assert found.reached == pytest.approx(found.wanted)
        assert np.all(found.people >= np.maximum(targets, n)[seen])
        stated += float((n[seen] * targets[seen] / found.people).sum())
        before += float((n * targets / np.maximum(n * w, np.maximum(targets, 1))).sum())
    assert stated == pytest.approx(true, rel=0.01)
    assert before < 0.95 * true


def test_nothing_moves_where_nothing_is_cut_off():
    weight, n = np.array([50.0, 20.0, 3.0]), np.array([5, 2, 3])
    found = lowered(weight, weight * 10, n, np.array([3, 1, 0]), 0)
    assert found.people.tolist() == [50.0, 20.0, 3.0]
    assert (found.errors, found.note) == (0.0, "")
    one = lowered(weight, weight * 10, n, np.array([0, 1, 0]), 0)
    assert one.people.tolist() == [50.0, 20.0, 3.0]


def test_weights_of_one_say_how_many_people_there_are():
    found = lowered(np.array([5.0, 2.0]), np.array([5.0, 2.0]), np.array([5, 2]), np.array([3, 2]), 4)
    assert found.people.tolist() == [5.0, 2.0]


def test_no_block_is_lowered_by_more_than_three_standard_errors():
    found = lowered(np.array([10_000.0]), np.array([100_000.0]), np.array([1000]), np.array([1]), 50)
    assert found.errors == 3.0
    assert found.people[0] == pytest.approx(10_000 - 3 * np.sqrt(90_000))
    assert found.reached < found.wanted
