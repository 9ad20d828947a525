"""Recodings are told apart: released values are spread over the source values that they stand for."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf
from confide.utility.spread import room_of

LEVELS = "abcdef"
FINE = {"a": "ab", "b": "ab", "c": "c", "d": "de", "e": "de", "f": "f"}
COARSE = {"a": "abc", "b": "abc", "c": "abc", "d": "def", "e": "def", "f": "def"}
COUNTS = {"a": 30, "b": 10, "c": 25, "d": 5, "e": 20, "f": 10}


def people():
    edu = [x for x in LEVELS for _ in range(COUNTS[x])]
    sex = ["m" if i % 3 else "f" for i in range(len(edu))]
    return cf.Microdata.from_dict({"edu": edu, "sex": sex})


def releases(data, *methods):
    return [cf.Release(m).apply(data, seed=1) for m in methods]


def expanded(data, released, share):
    """The released file with each category replaced by its levels, in whole copies: the brute way to spread."""
    copies = []
    for value, sex in zip(released.data.column("edu").values(), released.data.column("sex").values(), strict=True):
        members = [x for x in LEVELS if x in value]
        for x in members:
            copies += [(x, sex)] * round(share(x, members))
    return cf.Microdata.from_dict({"edu": [c[0] for c in copies], "sex": [c[1] for c in copies]})


def test_the_old_distance_could_not_tell_a_fine_recoding_from_no_variable():
    data = people()
    none = [
        cf.Hellinger("edu").of(cf.Released.from_files(data, r.data, same_order=True)).value
        for r in releases(data, cf.Recode("edu", mapping={x: x * 2 for x in LEVELS}), cf.Recode("edu", mapping=COARSE))
    ]
    assert none == [1.0, 1.0]
    files = releases(data, cf.Recode("edu", mapping=FINE), cf.Recode("edu", mapping=COARSE), cf.Drop("edu"))
    for measure in (cf.Hellinger("edu"), cf.Hellinger(ways=2), cf.KullbackLeibler("edu"), cf.ValueLoss("edu")):
        found = [measure.unmasked(data).value, *(measure.of(f).value for f in files)]
        assert found == sorted(found)
        assert len(set(found)) == 4
        assert np.isfinite(found[-1])


@pytest.mark.parametrize("ways", [1, 2])
@pytest.mark.parametrize(
    ("spread", "share"),
    [
        (cf.SpreadEvenly(), lambda x, members: 2_700 / len(members)),
        (cf.SpreadByCounts(), lambda x, members: 2_730 * COUNTS[x] / sum(COUNTS[m] for m in members)),
    ],
)
def test_spreading_is_comparing_with_copies_of_every_level(ways, spread, share):
    data = people()
    (file,) = releases(data, cf.Recode("edu", mapping=COARSE))
    copies = expanded(data, file, share)
    by_hand = cf.Released.from_files(data, copies, parent=[-1] * copies.n)
    found = cf.Hellinger(ways=ways, spread=spread).of(file).value
    assert found == pytest.approx(cf.Hellinger(ways=ways).of(by_hand).value, abs=2e-4)
    if isinstance(spread, cf.SpreadByCounts) and ways == 1:
        assert found == pytest.approx(0, abs=1e-12)


def test_a_new_name_loses_nothing():
    data = people()
    (file,) = releases(data, cf.Recode("edu", mapping={x: x.upper() for x in LEVELS}))
    for measure in (cf.Hellinger(), cf.Hellinger(ways=2), cf.KullbackLeibler(), cf.ValueLoss()):
        assert measure.of(file).value == 0


@given(st.lists(st.integers(1, 9), min_size=6, max_size=6), st.lists(st.integers(0, 3), min_size=6, max_size=6))
@settings(max_examples=60, deadline=None)
def test_putting_categories_together_never_brings_the_divergence_down(counts, group):
    edu = [x for x, n in zip(LEVELS, counts, strict=True) for _ in range(n)]
    data = cf.Microdata.from_dict({"edu": edu, "sex": ["m"] * len(edu)})
    fine = dict(zip(LEVELS, map(str, group), strict=True))
    coarse = {x: str(int(g) // 2) for x, g in fine.items()}
    files = releases(data, cf.Recode("edu", mapping=fine), cf.Recode("edu", mapping=coarse), cf.Drop("edu"))
    found = [cf.KullbackLeibler("edu", smoothing=0).of(f).value for f in files]
    assert all(a <= b + 1e-12 for a, b in pairwise(found))


def ages(n=3_000):
    rng = np.random.default_rng(1)
    data = {"age": rng.gamma(4, 12, n).round().clip(0, 99).tolist(), "pay": rng.lognormal(8, 1, n).tolist()}
    return cf.Microdata.from_dict(data).declare(kinds={"age": "integer", "pay": "continuous"})


def test_wider_intervals_and_coarser_rounding_are_further_away():
    data = ages()
    for make in (
        lambda w: cf.Recode("age", width=w),
        lambda w: cf.Round("age", to=w),
        lambda w: cf.Recode("pay", width=900 * w),
    ):
        name = make(1).variable
        files = releases(data, *(make(w) for w in (2, 10, 40)), cf.Drop(name))
        for measure in (cf.Hellinger(name, bins=30), cf.KullbackLeibler(name, bins=30)):
            found = [measure.of(f).value for f in files]
            assert found == sorted(found)
            assert 0 < found[0] < found[1] < found[3] < np.inf


def test_numbers_are_even_along_the_line_and_not_where_the_source_has_many():
    data = ages()
    x = data.column("pay").numbers
    middle = float(np.median(x))
    (file,) = releases(data, cf.Recode("pay", breaks=[0, middle, float(x.max()) + 1]))
    found = cf.Hellinger("pay", bins=10).of(file).value
    ends = np.quantile(x, np.linspace(0, 1, 11))
    lines = np.diff(ends) / np.repeat([ends[5] - ends[0], ends[10] - ends[5]], 5) / 2
    assert found == pytest.approx(np.sqrt(1 - np.sum(np.sqrt(0.1 * lines))), abs=0.01)
    assert cf.Hellinger("pay", bins=10, spread=cf.SpreadByCounts()).of(file).value < 1e-7


def test_room():
    def alone(*x):
        return room_of(np.zeros(len(x), dtype=np.int64), np.array(x)).tolist()

    assert alone() == []
    assert alone(5.0) == [1]
    assert alone(-1e308, 1e308) == [1, 1]
    assert alone(np.nan, np.nan) == [1, 1]
    assert alone(-np.inf, 0.0, 1.0, 9.0) == [1, *alone(0.0, 1.0, 9.0)]
    group, x = np.array([1, 0, 1, 0, 1, 2, 1]), np.array([0.0, 1.0, 2.0, 3.0, 9.0, 10.0, np.nan])
    apart = room_of(group, x)
    for g in range(3):
        assert apart[group == g].tolist() == pytest.approx(alone(*x[group == g]))


def test_categories_of_an_unknown_making_are_said_to_be_unknown():
    data = people()
    (file,) = releases(data, cf.Recode("edu", mapping=COARSE))
    found = cf.Hellinger("edu").of(cf.Released.from_files(data, file.data, same_order=True))
    assert found.value == 1
    assert (
        "'edu' is released with 2 categories that the source does not have, and how they were made is not known"
        in found.notes[0]
    )
    told = cf.Hellinger("edu").of(file)
    assert told.notes == ("a released value of 'edu' is spread evenly over the source values that it stands for",)


def test_ordinal_levels_count_by_their_places():
    data = people().declare(order={"edu": list(LEVELS)})
    (file,) = releases(data, cf.Recode("edu", mapping=COARSE))
    place = {x: i for i, x in enumerate(LEVELS)}
    far = [
        np.mean([abs(place[x] - place[y]) for y in LEVELS if COARSE[y] == COARSE[x]]) / 5
        for x in data.column("edu").values()
    ]
    assert cf.ValueLoss("edu").of(file).value == pytest.approx(np.mean(far))


def test_a_swap_after_a_recoding_is_still_spread():
    data = people()
    file = cf.Release(cf.Recode("edu", mapping=COARSE), cf.Swap("edu", rate=0.9)).apply(data, seed=1)
    (plain,) = releases(data, cf.Recode("edu", mapping=COARSE))
    assert cf.Hellinger("edu").of(file).value == pytest.approx(cf.Hellinger("edu").of(plain).value)
    assert cf.ValueLoss("edu").of(file).value > cf.ValueLoss("edu").of(plain).value


def test_missing_values_stay_missing():
    edu = ["a", "b", None, "c", None, "a"]
    data = cf.Microdata.from_dict({"edu": edu})
    (file,) = releases(data, cf.Recode("edu", mapping={"a": "ab", "b": "ab", "c": "c"}))
    p, q = np.array([2, 1, 1, 2]) / 6, np.array([1.5, 1.5, 1, 2]) / 6
    assert cf.Hellinger("edu").of(file).value == pytest.approx(np.sqrt(1 - np.sqrt(p * q).sum()))
    assert cf.ValueLoss("edu").of(file).value == pytest.approx(3 / 6 * 0.5)


def test_weights_count():
    data = {"edu": list("aabc"), "w": [1.0, 2.0, 5.0, 2.0]}
    data = cf.Microdata.from_dict(data).declare(weight="w", kinds={"w": "continuous"})
    (file,) = releases(data, cf.Recode("edu", mapping={"a": "ab", "b": "ab", "c": "c"}))
    even = np.sqrt(1 - np.sqrt(0.3 * 0.4) - np.sqrt(0.5 * 0.4) - 0.2)
    assert cf.Hellinger("edu").of(file).value == pytest.approx(even)
    assert cf.Hellinger("edu", spread=cf.SpreadByCounts()).of(file).value == pytest.approx(0, abs=1e-7)
