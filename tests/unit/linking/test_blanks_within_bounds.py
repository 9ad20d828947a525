"""A blank meets every interval: what is known within bounds, where the file has blanks, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import confide as cf
from confide.linking.arrays import Tables
from confide.linking.graph import assemble
from confide.linking.kernels import passes, scan
from confide.linking.pieces import TestPiece as Interval

N = 120
BREAKS = [10, 20, 30, 50]


def world(share: float, seed: int = 0) -> tuple[cf.Released, np.ndarray, np.ndarray, np.ndarray]:
    """A file with blanks in a number that is not masked; area, true and released numbers."""
    rng = np.random.default_rng(seed)
    area = rng.choice(list("abc"), N, p=[0.7, 0.2, 0.1])
    true = np.round(rng.lognormal(3, 0.6, N))
    blank = rng.random(N) < share
    kinds = {"v": "integer"}
    source = cf.Microdata.from_dict({"a": area.tolist(), "v": true.astype(int).tolist()}).declare(kinds=kinds)
    shown = [None if b else int(x) for b, x in zip(blank, true, strict=True)]
    data = cf.Microdata.from_dict({"a": area.tolist(), "v": shown}).declare(kinds=kinds)
    return cf.Released.from_files(source, data, same_order=True), area, true, np.where(blank, np.nan, true)


def fits(item: object, true: float, shown: np.ndarray) -> np.ndarray:
    """Which released numbers may be those of a person; a blank may."""
    if isinstance(item, cf.Within):
        found = np.abs(shown - true) <= abs(true) * item.percent / 100
    elif isinstance(item, cf.Bracket):
        found = np.digitize(shown, item.breaks) == np.digitize(true, item.breaks)
    else:
        found = (shown >= 10) & (shown <= 30)
    return found | np.isnan(shown)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5])
@pytest.mark.parametrize("item", [cf.Within("v", 10), cf.Bracket("v", BREAKS), cf.Between("v", 10, 30)], ids=str)
@pytest.mark.parametrize("understands", [True, False])
def test_blanks_were_left_out_of_the_sum_over_records(item, share, understands):
    """Probabilities of one target added up to 3, to 29, to 42."""
    released, area, true, shown = world(share)
    rows = [i for i in range(N) if not isinstance(item, cf.Between) or 10 <= true[i] <= 30]
    intruder = cf.Intruder(knows=["a", item], understands_masking=understands)
    links = cf.link(released, intruder, cf.Targets.of_rows(rows))
    for k, i in enumerate(rows):
        by_hand = (fits(item, true[i], shown) & (area == area[i])).astype(float)
        by_hand /= by_hand.sum()
        assert links.row(k).p == pytest.approx(by_hand, rel=1e-9, abs=1e-15)
        assert links.own[k] == pytest.approx(by_hand[i], rel=1e-9)


def test_the_smallest_file_with_blanks_within_bounds():
    true, shown = [10, 11, 30, 52, 70, 90], [10, None, 30, 52, None, 90]
    source, data = (cf.Microdata.from_dict({"v": v}).declare(kinds={"v": "integer"}) for v in (true, shown))
    links = cf.link(cf.Released.from_files(source, data, same_order=True), cf.Intruder(knows=[cf.Within("v", 10)]))
    assert links.row(0).p == pytest.approx([1 / 3, 1 / 3, 0, 0, 1 / 3, 0])
    assert links.row(4).p == pytest.approx([0, 1 / 2, 0, 0, 1 / 2, 0])
    assert links.own == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 2, 1 / 3])


def test_blanks_within_bounds_where_the_target_may_be_absent():
    """Probabilities and the null link summed to 1.035."""
    released, *_ = world(0.2)
    intruder = cf.Intruder(knows=["a", cf.Within("v", 20)], target_in_file=False, population=cf.Constant(200))
    links = cf.link(released, intruder)
    sums = [links.row(i).p.sum() + links.null[i] for i in range(N)]
    assert sums == pytest.approx(np.ones(N), rel=1e-9)
    assert links.null == pytest.approx([1 - links.sample_matches[i] / 200 for i in range(N)])


def test_blanks_within_bounds_without_replacement_were_refused():
    """Some records had "too few possible targets"."""
    released, *_ = world(0.2)
    found = cf.link(released, cf.Intruder(knows=["a", cf.Within("v", 20)], matching=cf.WithoutReplacement()))
    sums = np.array([found.row(i).p for i in range(N)])
    assert sums.sum(axis=1) == pytest.approx(np.ones(N), abs=0.002)
    assert sums.sum(axis=0) == pytest.approx(np.ones(N), abs=0.002)


def test_blanks_in_the_source_file_within_bounds():
    rng = np.random.default_rng(1)
    v = [None if rng.random() < 0.3 else int(x) for x in rng.lognormal(3, 0.6, 100)]
    source = cf.Microdata.from_dict({"b": ["x", "y"] * 50, "v": v}).declare(kinds={"v": "integer"})
    told = cf.Targets.of_rows([i for i in range(100) if v[i] is not None])
    for methods in ([], [cf.Swap("b", rate=0.2)], [cf.Round("v", to=5)], [cf.Recode("v", width=5)]):
        released = cf.Release(*methods).apply(source, seed=1)
        for item in (cf.Within("v", 10), cf.Bracket("v", BREAKS)):
            links = cf.link(released, cf.Intruder(knows=["b", item]), told)
            rows = [links.row(i) for i in range(links.n)]
            assert [r.p.sum() for r in rows] == pytest.approx(np.ones(links.n), rel=1e-9)
            assert links.own == pytest.approx([r.p[r.own] for r in rows], rel=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_intervals_in_any_order_are_found(seed):
    """The search asked for lower ends in order, and looked at upper ends only."""
    rng = np.random.default_rng(seed)
    n, m = 60, 40
    record, target = rng.integers(0, 12, n), rng.integers(0, 9, m)
    middle = rng.normal(0, 3, 12)
    lo, hi = middle - rng.exponential(2, 12), middle + rng.exponential(2, 12)
    lo[rng.random(12) < 0.2], hi[rng.random(12) < 0.2] = -np.inf, np.inf
    lo[5] = hi[5] = np.nan
    about = rng.normal(0, 3, 9)
    piece = Interval("v", record, lo, hi, target, about - 1, about + 1)
    graph = assemble([piece], n, m, None, units=False)
    empty = np.zeros(graph.count.size, dtype=np.int64), np.zeros(1)
    tables = _no_tables(graph.target_first.size, graph.count.size)
    records, scores = graph.records(np.zeros(graph.count.size)), np.empty(graph.count.size)
    for t in range(graph.target_first.size):
        first, last = scan(
            t, 0, graph.count.size, graph.primary, records, *empty, graph.nums, tables, graph.tests, scores
        )  # fmt: skip
        found = [r for r in range(first, last) if not np.isnan(scores[r])]
        assert found == [r for r in range(graph.count.size) if passes(r, t, graph.tests)]


def _no_tables(targets: int, records: int):
    whole, none = np.zeros((0, targets)), np.zeros((0, records), dtype=np.int64)
    return Tables(
        whole.astype(np.int64), np.zeros(0), none, whole.astype(np.int64), whole, whole, np.zeros(targets),
        np.zeros(targets, dtype=np.int64), np.zeros((0, records)),
    )  # fmt: skip


def test_a_blank_among_numbers_with_correlated_noise_gave_nan():
    rng = np.random.default_rng(2)
    source = cf.Microdata.from_dict({"h": rng.normal(100, 10, 40).tolist(), "m": rng.normal(50, 10, 40).tolist()})
    noise = cf.CorrelatedNoise(["h", "m"], covariance=[[36.0, 20.0], [20.0, 49.0]])
    masked = cf.Release(noise).apply(source, seed=1)
    blank = cf.Microdata.from_dict({"h": [None, *masked.data.column("h").values()[1:]]}).columns["h"]
    masked = replace(masked, data=masked.data.with_columns({"h": blank}))
    with pytest.raises(cf.IntruderError, match=r"1 released record\(s\) hold no number in h, m"):
        cf.link(masked, cf.Intruder(knows=["h", "m"]))


@pytest.mark.parametrize("item", [cf.Within("v", 10), cf.Bracket("v", BREAKS), cf.Between("v", 0, 1e9)], ids=str)
def test_blanks_that_count_in_full_are_named(item):
    """They say less than a number that fits, so that records that show one are believed too little."""
    why = "every record with a blank in v counts in full among those that meet the bounds"
    assert why in cf.failing_assumptions(cf.Intruder(knows=["a", item]), world(0.1)[0])
    assert why not in cf.failing_assumptions(cf.Intruder(knows=["a", item]), world(0.0)[0])
    assert why not in cf.failing_assumptions(cf.Intruder(knows=["a", "v"]), world(0.1)[0])
