"""Cells that were left blank agree with everybody, or are evidence for those whose cells are blanked."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest

import confide as cf


def _files(seed: int, n: int = 300) -> tuple[list[tuple[str, str, str]], cf.Released]:
    rng = np.random.default_rng(seed)
    drawn = np.column_stack([rng.choice(["m", "f"], n), rng.integers(0, 4, n), rng.integers(0, 6, n)])
    rows = [tuple(str(x) for x in r) for r in drawn]
    names = ["sex", "race", "age"]
    source = cf.Microdata.from_dict({k: [r[j] for r in rows] for j, k in enumerate(names)})
    count = defaultdict(int)
    for r in rows:
        count[r] += 1
    blank = [count[r] <= 2 for r in rows]
    shown = {k: [None if k == "race" and b else r[j] for r, b in zip(rows, blank, strict=True)] for j, k in enumerate(names)}
    return rows, cf.Released.from_files(source, cf.Microdata.from_dict(shown))  # type: ignore[return-value]


def test_blanked_cells_were_taken_as_contradictions() -> None:
    rows, released = _files(1)
    seen = list(zip(*(released.data.column(k).values() for k in ("sex", "race", "age")), strict=True))
    expected, unique = 0.0, 0
    for mine in rows:
        alike = [all(b is None or a == b for a, b in zip(mine, z, strict=True)) for z in seen]
        expected += 1 / sum(alike)
        unique += sum(alike) == 1
    reader = cf.Intruder(knows=["sex", "race", "age"], understands_masking=False)
    found = cf.assess(released, reader).row(0)
    assert found.contradicted == 0
    assert found.expected_matches == pytest.approx(expected)
    assert found.unique_matches == unique


def _all_assignments(rows: list[tuple[str, str]], seen: list[tuple[str | None, str | None]]) -> np.ndarray:
    """Give the share of all ways to put people behind records that fit, in which person i is behind record j."""
    n = len(rows)
    fits = np.array([[all(b is None or a == b for a, b in zip(mine, z, strict=True)) for z in seen] for mine in rows])
    ways = np.array(list(itertools.permutations(range(n))))
    ways = ways[fits[np.arange(n), ways].all(axis=1)]
    return np.array([[np.mean(ways[:, i] == j) for j in range(n)] for i in range(n)])


@pytest.mark.parametrize(("chances", "tolerance"), [((0.0, 0.4), 1e-7), ((0.3, 0.4), 0.2)])
def test_a_blank_is_left_to_the_people_whose_records_do_not_show_all(chances: tuple[float, float], tolerance: float) -> None:
    """Exact where what is blanked is nested; else expected counts stand in place of a sum over all assignments."""
    rng, gaps = np.random.default_rng(5), []
    for _ in range(12):
        n = 7
        rows = [(str(a), str(b)) for a, b in zip(rng.integers(0, 2, n), rng.integers(0, 3, n), strict=True)]
        gone = rng.random((n, 2)) < chances
        seen = [(None if g[0] else r[0], None if g[1] else r[1]) for r, g in zip(rows, gone, strict=True)]
        source = cf.Microdata.from_dict({k: [r[q] for r in rows] for q, k in enumerate("ab")})
        shown = cf.Microdata.from_dict({k: [z[q] for z in seen] for q, k in enumerate("ab")})
        links = cf.link(cf.Released.from_files(source, shown), cf.Intruder(knows=["a", "b"]))
        stated = np.array([links.row(i).p for i in range(n)])
        gaps.append(np.abs(stated - _all_assignments(rows, seen)))
        assert links.best == pytest.approx(stated.max(axis=1))
    assert np.max(gaps) < tolerance
    assert np.mean(gaps) < tolerance / 10


def test_blanks_because_rare_come_true_only_for_who_knows_the_rule() -> None:
    rng = np.random.default_rng(3)
    chance = {"w": 0.8, "s": 0.05}
    gaps = defaultdict(list)
    for _ in range(40):
        n, kept = 240, 80
        region = rng.choice(["n", "s", "w"], n, p=[0.5, 0.35, 0.15])
        sex = rng.choice(["m", "f"], n)
        source = cf.Microdata.from_dict({"sex": sex.tolist(), "region": region.tolist()})
        sampled = np.sort(rng.choice(n, kept, replace=False))
        blank = rng.random(kept) < [chance.get(r, 0.0) for r in region[sampled]]
        shown = {"sex": sex[sampled].tolist()}
        shown["region"] = [None if b else str(r) for r, b in zip(region[sampled], blank, strict=True)]
        released = cf.Released.from_files(source, cf.Microdata.from_dict(shown), parent=sampled.tolist())
        west = sampled[region[sampled] == "w"]
        for name, rule in (("rule", cf.BlankedByValue({"region": chance})), ("not told", cf.NotTold())):
            links = cf.link(released, cf.Intruder(knows=["sex", "region"], blanks=rule), cf.Targets.of_rows(west.tolist()))
            stated = sum(links.row(k).p[blank].sum() for k in range(west.size))
            gaps[name].append(stated - blank[region[sampled] == "w"].sum())
    rule, plain = np.array(gaps["rule"]), np.array(gaps["not told"])
    assert abs(rule.mean()) < 4 * rule.std(ddof=1) / np.sqrt(rule.size)
    assert plain.mean() < -4 * plain.std(ddof=1) / np.sqrt(plain.size)


def test_both_readings_are_assessed_and_limits_hold_for_both() -> None:
    source = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "region": ["w", "s", "s"]})
    released = cf.Released.from_files(source, cf.Microdata.from_dict({"sex": ["m", "f", "f"], "region": [None, "s", None]}))
    clerk = cf.Intruder(knows=["sex", "region"], blanks=cf.BlankedByValue({"region": {"w": 1.0, "s": 0.1}}), name="clerk")
    found = cf.assess(released, clerk)
    assert [s.intruder.title for s in found.scenarios] == ["clerk", "clerk, blanks not told"]
    assert len(cf.assess(released, clerk.but(blanks=cf.NotTold())).scenarios) == 1


def test_a_value_that_is_not_known_of_a_target_is_no_evidence() -> None:
    source = cf.Microdata.from_dict({"sex": ["m", "m", "f", "f", None], "race": ["w", "b", "w", "w", "w"]})
    released = cf.Release().apply(source, seed=1)
    links = cf.link(released, cf.Intruder(knows=["sex", "race"]))
    # of the last one only the race is known; every record of that race is as likely, blank or not
    assert links.row(4).p == pytest.approx([0.25, 0.0, 0.25, 0.25, 0.25])


def test_chances_are_checked_and_refused_where_they_cannot_be_used() -> None:
    with pytest.raises(cf.IntruderError, match="a chance is a number from 0 to 1"):
        cf.BlankedByValue({"region": 1.5})
    with pytest.raises(cf.IntruderError, match="understands_masking"):
        cf.Intruder(knows=["a"], understands_masking=False, blanks=cf.BlankedByValue({"a": 0.1}))
    source = cf.Microdata.from_dict({"a": ["x", "y", "z"], "b": ["1", "2", "3"]})
    recode = cf.Recode("a", mapping={"x": "xy", "y": "xy", "z": "z"})
    masked = cf.Microdata.from_dict({"a": ["xy", None, "z"], "b": ["1", "2", "3"]})
    intruder = cf.Intruder(knows=["a", "b"], supposes=cf.Release(recode), blanks=cf.BlankedByValue({"a": 0.1}))
    with pytest.raises(cf.IntruderError, match="BlankedByReleased"):
        cf.link(cf.Released.from_files(source, masked), intruder)
