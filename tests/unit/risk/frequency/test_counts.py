"""Frequency counts: levels, wildcards, weights, many keys, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.risk.frequency.cells import cells_of, coded

DATA = cf.Microdata.from_dict({
    "sex": ["f", "f", "m", "m", None],
    "age": [30, 30, 41, 42, 30],
    "w": [10.0, 20.0, 30.0, 40.0, 50.0],
}).declare(key=["sex", "age"], weight="w", kinds={"age": "integer"})  # fmt: skip


def brute(file, keys, weights, *, wildcard):
    rows = list(zip(*(file.columns[k].values() for k in keys), strict=True))

    def agree(a, b):
        return all(x == y or (wildcard and (x is None or y is None)) for x, y in zip(a, b, strict=True))

    match = np.array([[agree(a, b) for b in rows] for a in rows])
    return match.sum(axis=1), match @ weights


def test_a_missing_value_is_a_level_or_a_wildcard():
    found = cf.frequencies(DATA)
    assert found.f.tolist() == [2, 2, 1, 1, 1]
    assert found.F.tolist() == [30, 30, 30, 40, 50]
    assert (found.cells, found.uniques, found.violates(2), found.violates(3)) == (4, 3, 3, 5)
    assert found.unique.tolist() == [False, False, True, True, True]
    wild = cf.frequencies(DATA, missing=cf.MissingAsWildcard())
    assert wild.f.tolist() == [3, 3, 1, 1, 3]
    assert wild.F.tolist() == [80, 80, 30, 40, 80]
    assert wild.f.dtype == np.int64


def test_a_share_of_a_wildcard_counts_for_others_only():
    found = cf.frequencies(DATA, missing=cf.MissingAsWildcard(0.5))
    assert found.f.tolist() == [2.5, 2.5, 1, 1, 3]
    assert cf.frequencies(DATA, missing=cf.MissingAsWildcard(0.0)).f.tolist() == [2, 2, 1, 1, 3]


def test_keys_in_any_order_or_one_alone():
    assert cf.frequencies(DATA, ["age", "sex"]).f.tolist() == cf.frequencies(DATA, ["sex", "age"]).f.tolist()
    assert cf.frequencies(DATA, "age").f.tolist() == [3, 3, 1, 1, 3]


def test_without_weights_there_is_no_population_count():
    assert cf.frequencies(DATA, weights=False).F is None
    plain = cf.Microdata.from_dict({"sex": ["f"]})
    assert cf.frequencies(plain, "sex").F is None
    with pytest.raises(cf.DeclarationError, match=r"declare\(weight="):
        cf.frequencies(plain, "sex", weights=True)


def test_a_released_file_is_counted_as_it_is_released():
    released = cf.Release(cf.Recode("age", width=10)).apply(DATA, seed=1)
    assert cf.frequencies(released).f.tolist() == [2, 2, 2, 2, 1]


@pytest.mark.parametrize("n", [1, 7])
def test_one_record_and_all_equal_records(n):
    found = cf.frequencies(cf.Microdata.from_dict({"a": ["x"] * n, "b": [1.5] * n}), ["a", "b"])
    assert found.f.tolist() == [n] * n
    assert found.cells == 1


def test_numbers_far_apart_fractions_and_labels_among_numbers():
    values = [1e15, -3.0, 0.25, -0.0, 0.0, None, 1e15]
    column = cf.Column.of_numbers([np.nan if v is None else v for v in values])
    column = column.with_codes(np.array([False, True, False, False, False, False, False]), "low")
    code = coded(column)
    assert code.has_missing
    assert code.is_missing.tolist() == [v is None for v in values]
    assert cells_of([code]).size[cells_of([code]).of].tolist() == [2, 1, 1, 2, 2, 1, 2]


@pytest.mark.parametrize("missing", [cf.MissingAsLevel(), cf.MissingAsWildcard()])
@pytest.mark.parametrize("width", [3, 5000])
def test_many_keys_with_many_levels(missing, width):
    """The product of the levels is far beyond 2**64: keys take several words."""
    rng = np.random.default_rng(width)
    pool = rng.integers(0, width, (12, 14))
    rows = pool[rng.integers(0, 12, 120)].astype(float)
    rows[rng.random(rows.shape) < 0.05] = np.nan
    names = [f"k{i}" for i in range(14)]
    file = cf.Microdata.from_dict(dict.fromkeys(names, [0.0] * 120)).with_columns({
        name: cf.Column.of_numbers(rows[:, i] * (1 if i % 2 else 1000.0)) for i, name in enumerate(names)
    })  # fmt: skip
    f, _ = brute(file, names, np.ones(120), wildcard=isinstance(missing, cf.MissingAsWildcard))
    assert cf.frequencies(file, names, missing=missing).f.tolist() == f.tolist()


def test_k_anonymity():
    found = cf.k_anonymity(DATA)
    assert found.value == 1
    assert (found.below(2), found.below(3)) == (3, 5)
    assert cf.k_anonymity(DATA, "age", missing=cf.MissingAsWildcard()).per_record.tolist() == [3, 3, 1, 1, 3]
    assert not found.larger_is_riskier
    assert "3 below 2" in repr(found)


def test_what_is_refused():
    with pytest.raises(cf.DeclarationError, match="did you mean 'sex'"):
        cf.frequencies(DATA, ["sexx"])
    with pytest.raises(cf.DeclarationError, match="at least one variable"):
        cf.frequencies(DATA, [])
    with pytest.raises(cf.DeclarationError, match="twice"):
        cf.frequencies(DATA, ["sex", "sex"])
    with pytest.raises(cf.DeclarationError, match="declares no keys"):
        cf.frequencies(DATA.declare(unavailable=["sex", "age"]))
    with pytest.raises(cf.DataError, match="no records"):
        cf.frequencies(DATA.take(np.array([], dtype=np.int64)))
    with pytest.raises(cf.IntruderError, match="1 or more"):
        cf.frequencies(DATA).violates(0)
    with pytest.raises(cf.IntruderError, match="between 0 and 1"):
        cf.MissingAsWildcard(1.5)
    bad = DATA.with_columns({"w": cf.Column.of_numbers([1.0, np.nan, 1.0, -1.0, 1.0])})
    with pytest.raises(cf.DeclarationError, match="2 of 5 records"):
        cf.frequencies(bad)


def test_the_print_shows_counts_and_no_values():
    text = repr(cf.frequencies(DATA))
    assert "5 records, 4 combinations of sex, age; 3 unique" in text
    assert "41" not in text
