"""Attacks equal their definitions, worked out pair by pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

import confide as cf
from confide.risk.attacks.inference import chances, right
from confide.risk.attacks.lookup import search_for
from confide.risk.attacks.nearest import nearest_rows
from confide.risk.attacks.singling_out import alone
from confide.risk.attacks.statements import tables_of
from confide.seeds import Stream


@st.composite
def files(draw, least=1, most=20):
    n = draw(st.integers(least, most))
    number = st.one_of(st.none(), st.integers(0, 4))
    label = st.sampled_from([None, "a", "b", "c"])
    x = [np.nan if v is None else float(v) for v in draw(st.lists(number, min_size=n, max_size=n))]
    y = [float(v) for v in draw(st.lists(st.integers(0, 40), min_size=n, max_size=n))]
    columns = {
        "x": cf.Column.of_numbers(x),
        "y": cf.Column.of_numbers(y),
        "k": cf.Column.of_labels(draw(st.lists(label, min_size=n, max_size=n)), "abc"),
    }
    kinds = {"x": cf.Kind.CONTINUOUS, "y": cf.Kind.CONTINUOUS, "k": cf.Kind.NOMINAL}
    return cf.Microdata({k: cf.Variable(k, kinds[k]) for k in columns}, columns)


def distances(people, released, names):
    """All squared distances: numbers over the released deviation, missing and unequal values one."""
    total = np.zeros((people.n, released.n))
    for name in names:
        a, b = people.columns[name], released.columns[name]
        if name == "k":
            total += a.codes[:, None] != b.codes[None]
            continue
        held = [c.numbers[c.is_number] for c in (b, a)]
        units = [np.std(v, ddof=1) if v.size > 1 else 0.0 for v in (held[0], np.concatenate(held))]
        unit = next((u for u in units if u > 0), 1.0)
        gap = (a.numbers[:, None] - b.numbers[None]) / unit
        absent = a.is_missing[:, None].astype(int) + b.is_missing[None]
        total += np.where(absent == 0, np.nan_to_num(gap) ** 2, absent == 1)
    return total


@settings(deadline=None, max_examples=150)
@given(files(), files(), st.integers(1, 4), st.sampled_from([("x",), ("k",), ("x", "k"), ("y", "k"), ("x", "y", "k")]))
def test_the_nearest_records_are_the_nearest(people, released, k, names):
    assume(k <= released.n)
    rows = nearest_rows(search_for(people, released, names, {}), k, Stream(3, "test"))
    found = distances(people, released, names)
    assert rows.min() >= 0
    for i in range(people.n):
        assert len(set(rows[i].tolist())) == k
        np.testing.assert_allclose(np.sort(found[i, rows[i]]), np.sort(found[i])[:k], atol=1e-9)


def test_equally_near_records_are_drawn_evenly():
    people = cf.Microdata.from_dict({"k": ["a"] * 6000, "j": ["z"] * 6000})
    released = cf.Microdata.from_dict({"k": ["a", "b", "a", "a", "a"], "j": ["z", "z", "w", "z", "z"]})
    one = nearest_rows(search_for(people, released, ["k", "j"], {}), 1, Stream(1, "one"))
    assert np.bincount(one[:, 0], minlength=5) / 6000 == pytest.approx([1 / 3, 0, 0, 1 / 3, 1 / 3], abs=0.02)
    four = nearest_rows(search_for(people, released, ["k", "j"], {}), 4, Stream(1, "four"))
    assert np.bincount(four.ravel(), minlength=5) / 6000 == pytest.approx([1, 0.5, 0.5, 1, 1], abs=0.02)


def satisfied(table, j, says, value):
    numbers, codes = table.numbers[j], table.codes[j]
    holds = [codes == value, numbers == value, numbers <= value, numbers >= value][says]
    return holds if says == 0 else holds & (codes == -1)


@settings(deadline=None, max_examples=100)
@given(files(), files(), st.sampled_from([cf.Univariate(), cf.Multivariate(1), cf.Multivariate(2), cf.Multivariate(3)]))
def test_statements_single_out_as_they_say(original, released, predicates):
    first, second = tables_of([original, released], released.names)
    numeric = np.array([True, True, False])
    for said in (predicates.found(second, numeric, 40, 1), predicates.guessed(second, numeric, 40, 1)):
        for table in (first, second):
            count, row = said.matches(table, most=table.n)
            for k in range(said.many):
                holds = np.ones(table.n, dtype=bool)
                for c in range(said.column.shape[1]):
                    holds &= satisfied(table, said.column[k, c], said.says[k, c], said.value[k, c])
                assert count[k] == holds.sum()
                assert holds[row[k]] if holds.any() else row[k] == -1
    found = predicates.found(second, numeric, 40, 1)
    assert np.all(found.matches(second)[0] == 1)
    assert np.unique(found.matches(second)[1]).size == found.many, "one statement for each record"


@settings(deadline=None, max_examples=50)
@given(files(most=8), st.integers(1, 3))
def test_everyone_who_can_be_singled_out_is_where_all_can_be_tried(released, columns):
    (table,) = tables_of([released], released.names)
    numeric = np.array([True, True, False])
    found = cf.Multivariate(columns).found(table, numeric, 500, 1)
    middle = [np.median(table.numbers[j][table.codes[j] == -1]) if np.any(table.codes[j] == -1) else 0 for j in (0, 1)]
    everything = set()
    for i, chosen in itertools.product(range(table.n), itertools.combinations(range(3), columns)):
        said = []
        for j in chosen:
            code, x = table.codes[j, i], table.numbers[j, i]
            said.append((j, 0, float(code)) if code != -1 else (j, 3 if x > middle[j] else 2, x))
        if np.sum(np.all([satisfied(table, *s) for s in said], axis=0)) == 1:
            everything.add(tuple(said))
    made = [tuple(zip(*(x[k].tolist() for x in found), strict=True)) for k in range(found.many)]
    assert set(made) <= everything
    singled = [int(np.flatnonzero(np.all([satisfied(table, *s) for s in said], axis=0))[0]) for said in everything]
    assert sorted(found.matches(table)[1].tolist()) == sorted(set(singled)), "one statement for each who can be singled out"


@given(st.integers(0, 12), st.integers(1, 12), st.integers(1, 12))
def test_the_chance_of_one_in_a_part(count, size, part):
    assume(count <= size and part <= size)
    assert alone(np.array([count]), size, part)[0] == pytest.approx(hypergeom.pmf(1, size, count, part), abs=1e-12)


@settings(deadline=None)
@given(
    files(), files(), st.sampled_from([cf.WithinShare(0.3), cf.WithinAmount(1), cf.WithinShare(0)]), st.sampled_from("xyk")
)
def test_guessing_is_the_mean_over_all_guesses(people, released, tolerance, name):
    true, given_ = people.columns[name], released.columns[name]
    told = given_.take(np.flatnonzero(~given_.is_missing))
    assume(told.size > 0)
    mean = np.zeros(people.n)
    for i in range(told.size):
        mean += right(true, told.take(np.full(people.n, i)), tolerance)
    np.testing.assert_allclose(chances(true, told, tolerance), mean / told.size)


@settings(deadline=None, max_examples=60)
@given(files(least=2), files(least=2), st.integers(1, 2))
def test_success_is_a_common_neighbour(original, released, k):
    found = cf.linkability(original, released, None, (["x", "k"], ["y"]), neighbours=k)
    a, b = (distances(original, released, names) for names in (["x", "k"], ["y"]))
    for hit, i in zip(found.success, found.targets, strict=True):
        cut = [np.sort(d[i])[k - 1] + 1e-9 for d in (a, b)]
        possible = np.any((a[i] <= cut[0]) & (b[i] <= cut[1]))
        assert possible or not hit
        if np.sum(a[i] <= cut[0]) == np.sum(b[i] <= cut[1]) == k:
            assert hit == possible


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_the_interval_holds_the_estimate(n1, n0, data):
    x1, x0 = data.draw(st.integers(0, n1)), data.draw(st.integers(0, n0 - 1))
    rates = cf.SuccessRate.of(x1, n1), cf.SuccessRate.of(0, 1), cf.SuccessRate.of(x0, n0)
    found = cf.AttackRisk("inference", "", *rates[:2], np.zeros(0, dtype=int), np.zeros(0), n1, 0.95, rates[2]).risk
    assert found.low - 1e-9 <= found.value <= found.high + 1e-9
    assert found.high <= 1
