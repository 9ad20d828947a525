"""Nearest records by the tree are those of all pairs, for any mixture, with ties and missing values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf
from reference import linkage_brute

LEVELS = ["a", "b", "c", "d"]
RULES = [cf.MissingCosts(), cf.MissingCosts(0.5, 0.25), cf.IgnoreMissing()]


@st.composite
def problems(draw):
    """Two small files of four variables with few values, and distances of several kinds."""
    n, m = draw(st.integers(1, 12)), draw(st.integers(1, 40))
    gaps = draw(st.booleans())
    value = st.integers(0, 5).map(float)
    level = st.sampled_from(LEVELS)

    def column(kind, size):
        return draw(st.lists(st.one_of(st.none(), kind) if gaps else kind, min_size=size, max_size=size))

    kinds = [value, value, level, level]
    source, released = ([column(k, size) for k in kinds] for size in (m, n))
    return source, released, draw(st.sampled_from(RULES)), draw(st.sampled_from([1.0, 2.5])), draw(st.integers(0, 2))


def file(columns):
    made = {
        f"v{j}": cf.Column.of_numbers([math.nan if x is None else x for x in c]) if j < 2 else cf.Column.of_labels(c, LEVELS)
        for j, c in enumerate(columns)
    }
    kinds = [cf.Kind.CONTINUOUS, cf.Kind.CONTINUOUS, cf.Kind.NOMINAL, cf.Kind.ORDINAL]
    return cf.Microdata({k: cf.Variable(k, kind) for k, kind in zip(made, kinds, strict=True)}, made)


def rule(missing):
    ignore = isinstance(missing, cf.IgnoreMissing)
    return {"ignore": ignore, "one": 0 if ignore else missing.one, "both": 0 if ignore else missing.both}


def given_distance(a, b):
    return (LEVELS.index(a) * 2 + LEVELS.index(b)) % 5 / 4


@given(problems())
@settings(max_examples=150, deadline=None)
def test_nearest_records_are_those_of_all_pairs(problem):
    source, released, missing, weight, last = problem
    made = cf.Released.from_files(file(source), file(released), parent=[-1] * len(released[0]))
    third = [
        cf.OrdinalDistance("v3", weight=weight, missing=missing),
        cf.PrintedOrdinalDistance("v3", weight=weight, missing=missing),
        cf.GivenDistance("v3", given_distance, weight=weight, missing=missing),
    ][last]
    by = [
        cf.NumericDistance("v0", scale=cf.Unscaled(), missing=missing),
        cf.NumericDistance("v1", scale=cf.Unscaled(), weight=weight, missing=missing),
        cf.NominalDistance("v2", weight=weight, missing=missing),
        third,
    ]
    place = LEVELS.index
    kinds = [
        lambda a, b: abs(place(a) - place(b)) / 4,
        lambda a, b: (abs(place(a) - place(b)) + 1) / 4,
        given_distance,
    ]
    columns = [
        {"weight": 1.0, "distance": lambda a, b: abs(a - b), "coordinate": float},
        {"weight": weight, "distance": lambda a, b: abs(a - b), "coordinate": lambda a: a * weight**0.5},
        {"weight": weight, "distance": lambda a, b: float(a != b)},
        {"weight": weight, "distance": kinds[last]},
    ]
    columns = [c | rule(missing) for c in columns]
    want = linkage_brute.nearest(list(zip(*released, strict=True)), list(zip(*source, strict=True)), columns)
    found = cf.distance_linkage(made, by)
    for i, (ties, distance, second) in enumerate(want):
        assert found.nearest(i).tolist() == ties
        assert found.ties[i] == len(ties)
        assert found.distance[i] == pytest.approx(distance)
        assert found.second[i] == pytest.approx(second)
    table = found.links()
    assert table.shape == (len(released[0]), len(source[0]))
    for i, (ties, _, _) in enumerate(want):
        row = table[[i]].toarray().ravel()
        assert np.flatnonzero(row).tolist() == ties
        assert row.sum() == pytest.approx(1.0 if ties else 0.0)


@given(st.integers(0, 10_000), st.integers(2, 60), st.booleans())
@settings(max_examples=60, deadline=None)
def test_plain_numbers_credits_and_closer_counts(seed, n, coarse):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3))
    if coarse:
        x = np.rint(x)
    z = x + np.rint(rng.normal(size=(n, 3)))
    names = ["a", "b", "c"]
    kinds = dict.fromkeys(names, "continuous")
    files = [cf.Microdata.from_dict({k: t[:, j].tolist() for j, k in enumerate(names)}).declare(kinds=kinds) for t in (x, z)]
    parent = rng.permutation(n)
    made = cf.Released.from_files(files[0], files[1], parent=parent.tolist())
    found = cf.distance_linkage(made, [cf.NumericDistance(k, scale=cf.Unscaled()) for k in names], count_closer=True)
    d = np.sqrt(((z[:, None] - x[None]) ** 2).sum(axis=2))
    slack = linkage_brute.EPS * (np.abs(z).sum(axis=1) + d.min(axis=1))
    near = d <= (d.min(axis=1) + slack)[:, None]
    mine = d[np.arange(n), parent]
    assert found.correct == pytest.approx(near[np.arange(n), parent] / near.sum(axis=1))
    assert found.parent_distance == pytest.approx(mine)
    tight = mine - linkage_brute.EPS * (np.abs(z).sum(axis=1) + mine)
    assert found.closer.tolist() == ((d <= tight[:, None]) & (tight > 0)[:, None]).sum(axis=1).tolist()
    assert found.closer[found.correct > 0].sum() == 0


@given(st.integers(0, 10_000), st.integers(1, 9), st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_coincidence_vectors_are_those_of_all_pairs(seed, n, m):
    rng = np.random.default_rng(seed)
    files = [
        {k: [None if u < 0.2 else v for u, v in zip(rng.random(size), rng.integers(3, size=size).tolist(), strict=True)]
         for k in "abc"}
        for size in (m, n)
    ]  # fmt: skip
    data = [cf.Microdata.from_dict(f).declare(kinds=dict.fromkeys("abc", "nominal")) for f in files]
    parent = rng.permutation(max(n, m))[:n]
    parent = np.where(parent < m, parent, -1).tolist()
    made = cf.Released.from_files(*data, parent=parent)
    for agree in (False, True):
        found = cf.coincidence_vectors(made, "abc", missing_agree=agree)
        want: dict[str, int] = {}
        matched: dict[str, int] = {}
        for i in range(n):
            for k in range(m):
                pairs = [(files[1][v][i], files[0][v][k]) for v in "abc"]
                bits = "".join(str(int(a == b and (agree or a is not None))) for a, b in pairs)
                want[bits] = want.get(bits, 0) + 1
                if parent[i] == k:
                    matched[bits] = matched.get(bits, 0) + 1
        assert found.all_pairs == want
        assert found.matched == matched


@given(st.lists(st.integers(0, 8), min_size=1, max_size=30), st.integers(1, 100), st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_rank_intervals_are_the_union_over_equal_values(masked, percent, seed):
    n = len(masked)
    original = np.random.default_rng(seed).integers(9, size=n).astype(float)
    for around, sides in ((cf.RankWidth(percent), 2), (cf.RankHalfWidth(percent), 1)):
        h = max(k for k in range(n + 1) if k == 0 or sides * k * 100 < percent * n)
        x = sorted(masked)
        ends = around.ends(original, np.array(masked, dtype=float))
        for i, value in enumerate(masked):
            ranks = [r for r in range(n) if x[r] == value]
            low = min(x[max(r - h, 0)] for r in ranks)
            high = max(x[min(r + h, n - 1)] for r in ranks)
            assert (ends.low[i], ends.high[i]) == (low, high)
            assert bool(ends.hold(original)[i]) == (low <= original[i] <= high)
