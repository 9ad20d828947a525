"""Linkage by distance: truths, ties, one to one, subsets, links that other measures read."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.linking.distance import assignment
from confide.linking.distance.tree import distinct

NAMES = ["a", "b", "c"]


def numbers(x):
    made = cf.Microdata.from_dict({k: x[:, j].tolist() for j, k in enumerate(NAMES[: x.shape[1]])})
    return made.declare(kinds=dict.fromkeys(made.names, "continuous"))


@pytest.fixture
def noisy():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 3))
    return cf.Released.from_files(numbers(x), numbers(x + rng.normal(scale=0.3, size=x.shape)), same_order=True)


def test_risk_grows_with_what_is_known_and_is_seeded(noisy):
    found = cf.risk_by_number_known(noisy, NAMES)
    means = [r.mean for r in found.rows]
    assert means == sorted(means)
    assert found.of(2).worst in {("a", "b"), ("a", "c"), ("b", "c")}
    sampled = [cf.risk_by_number_known(noisy, NAMES, sizes=[2], most_subsets=2, seed=4).of(2) for _ in range(2)]
    assert sampled[0] == sampled[1]
    assert sampled[0].sampled
    assert "2 of 3, sampled" in repr(cf.risk_by_number_known(noisy, NAMES, sizes=[2], most_subsets=2))
    assert found.to_frame().height == 3
    with pytest.raises(cf.IntruderError, match="between 1 and 3"):
        cf.risk_by_number_known(noisy, NAMES, sizes=[4])


def test_one_to_one_is_the_least_sum_and_the_sparse_one_agrees_with_enough_candidates(noisy):
    from scipy.optimize import linear_sum_assignment

    full = cf.distance_linkage(noisy, NAMES, replacement=False)
    table = cf.record_distances(noisy, NAMES)
    rows, columns = linear_sum_assignment(table)
    assert full.assigned.tolist() == columns.tolist()
    assert full.share == np.mean(rows == columns)
    near = cf.distance_linkage(noisy, NAMES, replacement=False, candidates=60)
    assert "approximate" in repr(near)
    assert near.assigned.tolist() == full.assigned.tolist()
    few = cf.distance_linkage(noisy, NAMES, replacement=False, candidates=1)
    kept = few.assigned[few.assigned >= 0]
    assert np.unique(kept).size == kept.size
    assert (few.assigned < 0).any()


def test_one_to_one_among_records_that_are_alike():
    source = cf.Microdata.from_dict({"s": ["m", "m", "f", "f", "f"]})
    file = cf.Released.from_files(source, source, same_order=True)
    for more in ({}, {"candidates": 2}):
        found = cf.distance_linkage(file, ["s"], replacement=False, **more)
        assert sorted(found.assigned.tolist()) == list(range(5))
        assert found.expected == pytest.approx(2.0)
    assert cf.distance_linkage(file, ["s"]).expected == pytest.approx(2.0)


def test_a_table_of_all_pairs_is_refused_with_its_size(noisy, monkeypatch):
    monkeypatch.setattr(assignment.squared_distances, "__defaults__", (1_000,))
    with pytest.raises(cf.IntruderError, match="300 by 300 distances would take 0.0 GB"):
        cf.distance_linkage(noisy, NAMES, replacement=False)
    with pytest.raises(cf.IntruderError, match="replacement=False as well"):
        cf.distance_linkage(noisy, NAMES, candidates=5)


def test_links_feed_perceived_risk_and_true_identification(noisy):
    found = cf.distance_linkage(noisy, NAMES)
    links = found.links()
    assert cf.true_identification(links, noisy.parent, act_at=0.0).count <= found.expected + 1e-9
    assert cf.perceived_risks(links).worst == 1.0
    assert links.sum() == pytest.approx(found.n)


def test_simulated_records_belong_to_nobody():
    x = np.array([[0.0], [1.0], [5.0]])
    file = cf.Released.from_files(numbers(x), numbers(x), parent=[0, 1, -1])
    found = cf.distance_linkage(file, ["a"])
    assert found.correct.tolist() == [1.0, 1.0, 0.0]
    assert np.isnan(found.parent_distance[2])


def test_nearest_in_all_is_its_own_truth(noisy):
    assert cf.distance_linkage(noisy, NAMES, truth=cf.NearestInAll()).share == 1.0
    with pytest.raises(cf.IntruderError, match="give it with Released.from_files"):
        cf.distance_linkage(cf.Released.seen(noisy.data), NAMES)


def test_a_single_source_record_and_all_equal_records():
    one = cf.Released.from_files(cf.Microdata.from_dict({"s": ["m"]}), cf.Microdata.from_dict({"s": ["f"]}), same_order=True)
    found = cf.distance_linkage(one, ["s"])
    assert (found.correct.tolist(), found.distance.tolist()) == ([1.0], [1.0])
    assert np.isinf(found.second[0])
    same = cf.Microdata.from_dict({"s": ["m"] * 50_000})
    found = cf.distance_linkage(cf.Released.from_files(same, same, same_order=True), ["s"])
    assert found.expected == pytest.approx(1.0)
    with pytest.raises(cf.IntruderError, match="2,500,000,000 pairs, would take"):
        found.links()


def test_names_once_and_at_least_one(noisy):
    with pytest.raises(cf.IntruderError, match="name a variable once"):
        cf.distance_linkage(noisy, ["a", cf.NumericDistance("a")])
    with pytest.raises(cf.IntruderError, match="at least one"):
        cf.distance_linkage(noisy, [])
    with pytest.raises(cf.IntruderError, match="there is no variable"):
        cf.distance_linkage(noisy, ["z"])


def test_rows_whose_mixtures_collide_are_still_told_apart(monkeypatch):
    rows = np.array([[1.0], [2.0], [1.0], [np.nan], [0.0], [-0.0]])
    monkeypatch.setattr(distinct, "_mix_rows", lambda rows, out: out.fill(7))
    found = distinct.distinct_rows(rows)
    assert found.times.size == 4
    assert found.which[0] == found.which[2]
    assert found.which[4] == found.which[5]
    for k in range(4):
        members = found.order[found.begin[k] : found.begin[k + 1]]
        assert (found.which[members] == k).all()


def test_a_large_mixture_is_linked_as_by_all_pairs():
    rng = np.random.default_rng(2)
    n = 3_000
    source = {
        "s": rng.choice(list("abcdef"), n).tolist(),
        "t": rng.choice(list("uvw"), n).tolist(),
        "x": rng.normal(size=n).tolist(),
        "y": rng.gamma(2.0, size=n).tolist(),
    }
    moved = rng.random(n) < 0.2
    masked = source | {
        "s": np.where(moved, rng.permutation(source["s"]), source["s"]).tolist(),
        "x": (np.array(source["x"]) + rng.normal(scale=0.2, size=n)).tolist(),
    }
    file = cf.Released.from_files(*(cf.Microdata.from_dict(f) for f in (source, masked)), same_order=True)
    found = cf.distance_linkage(file, list(source))
    table = cf.record_distances(file, list(source))
    assert found.distance == pytest.approx(np.sqrt(table.min(axis=1)))
    assert found.second == pytest.approx(np.sqrt(np.partition(table, 1, axis=1)[:, 1]))
    assert found.share == pytest.approx(np.mean(table.argmin(axis=1) == np.arange(n)), abs=1e-3)
