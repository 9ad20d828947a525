"""Minimal uniques equal those by comparing all pairs on all sets of keys; what the scores keep to."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf
from confide.risk.uniques import search


@st.composite
def files(draw):
    n, wide = draw(st.integers(1, 30)), draw(st.integers(1, 6))
    names = [f"k{i}" for i in range(wide)]
    columns = {}
    for name in names:
        levels = "abcdefghij"[: draw(st.integers(1, 10))]
        value = st.sampled_from([*([None] if draw(st.booleans()) else []), *levels])
        columns[name] = cf.Column.of_labels(draw(st.lists(value, min_size=n, max_size=n)), levels)
    data = cf.Microdata.from_dict({name: ["a"] * n for name in names})
    return data.with_columns(columns).declare(key=names)


def brute_force(data, largest, *, wildcard):
    """Each record's minimal sets, by the definition."""
    names = data.with_role(cf.Role.KEY)
    codes = np.column_stack([data.columns[k].codes for k in names])
    same = codes[:, None] == codes[None]
    if wildcard:
        same |= (codes < 0)[:, None] | (codes < 0)[None]
    found = [[] for _ in range(data.n)]
    for size in range(1, largest + 1):
        for keys in combinations(range(len(names)), size):
            unique = same[:, :, keys].all(axis=2).sum(axis=1) == 1
            for i in np.flatnonzero(unique):
                if not any(set(smaller) <= set(keys) for smaller in found[i]):
                    found[i].append(keys)
    return [[tuple(names[k] for k in keys) for keys in sets] for sets in found]


def missing(*, wildcard):
    return cf.MissingAsWildcard() if wildcard else cf.MissingAsLevel()


@settings(deadline=None, max_examples=200)
@given(files(), st.booleans(), st.data())
def test_minimal_uniques_equal_all_pairs(data, wildcard, more):
    keys = len(data.with_role(cf.Role.KEY))
    largest = more.draw(st.integers(1, keys))
    found = cf.minimal_uniques(data, max_size=largest, missing=missing(wildcard=wildcard))
    want = brute_force(data, largest, wildcard=wildcard)
    assert [found.of(i) for i in range(data.n)] == want
    assert found.per_record.tolist() == [len(sets) for sets in want]
    assert found.by_size.tolist() == [[sum(len(s) == k for s in sets) for k in range(1, keys + 1)] for sets in want]


@settings(deadline=None)
@given(files(), st.booleans())
def test_how_the_scores_stand_to_each_other(data, wildcard):
    says = missing(wildcard=wildcard)
    scores, names = cf.suda(data, missing=says), data.with_role(cf.Role.KEY)
    uniques, counts = cf.sample_uniques(data, missing=says), cf.frequencies(data, missing=says, weights=False)
    assert np.array_equal(scores.per_record > 0, uniques.per_record)
    assert (scores.found.uniques, scores.found.pairs) == (uniques.count, int((counts.f == 2).sum()))
    parts = scores.parts(shared=True)
    assert np.allclose(parts.sum(axis=1), scores.per_record)
    assert np.all(scores.parts() >= parts - 1e-12)
    if uniques.count:
        assert np.isclose(sum(scores.contributions(shared=True).values()), 100)
    if len(names) > 1:
        special = cf.special_uniques(data, missing=says)
        assert np.array_equal(special.per_record, scores.found.by_size[:, :-1].any(axis=1))
    dis = cf.dis_suda(data, None, 0.1, missing=says)
    order = np.argsort(scores.per_record, kind="stable")
    assert np.all(np.diff(dis.per_record[order]) >= -1e-12)
    assert np.all((dis.per_record >= 0) & (dis.per_record <= 1))


@settings(deadline=None)
@given(files(), st.randoms(use_true_random=False))
def test_the_order_of_records_and_keys_does_not_matter(data, random):
    names = list(data.with_role(cf.Role.KEY))
    rows = list(range(data.n))
    random.shuffle(rows)
    turned = names[:]
    random.shuffle(turned)
    found, other = cf.minimal_uniques(data, names), cf.minimal_uniques(data.take(np.array(rows)), turned)
    for new, old in enumerate(rows):
        assert {frozenset(s) for s in other.of(new)} == {frozenset(s) for s in found.of(old)}


def test_two_searches_side_by_side_find_the_same(monkeypatch):
    rng = np.random.default_rng(1)
    data = cf.Microdata.from_dict({f"k{i}": rng.integers(0, 2 + 3 * i, 3000).tolist() for i in range(5)})
    keys = list(data.names)
    alone = cf.minimal_uniques(data, keys)
    monkeypatch.setattr(search, "PARALLEL", 0)
    beside = cf.minimal_uniques(data, keys)
    assert beside.start.tolist() == alone.start.tolist()
    assert beside.sets.tolist() == alone.sets.tolist()
    assert alone.sets.size > 3000
