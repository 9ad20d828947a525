"""Cells that were left blank agree with everybody, or are evidence for those whose cells are blanked."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

import confide as cf
from confide.data.column import MISSING


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
    return rows, cf.Released.from_files(source, cf.Microdata.from_dict(shown), same_order=True)  # type: ignore[return-value]


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
        links = cf.link(cf.Released.from_files(source, shown, same_order=True), cf.Intruder(knows=["a", "b"]))
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
    released = cf.Released.from_files(
        source, cf.Microdata.from_dict({"sex": ["m", "f", "f"], "region": [None, "s", None]}), same_order=True
    )
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
        cf.link(cf.Released.from_files(source, masked, same_order=True), intruder)


def test_one_variable_blanked_before_and_another_after_the_masking() -> None:
    """Held against Bayes' theorem written out, the chance of presence being known, or certain."""
    levels, swap = ["n", "s", "w"], [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.05, 0.25, 0.7]]
    before, after = {"m": 0.3, "f": 0.1}, {"w": 0.8, "n": 0.05}
    people = {("m", "n"): 0.2, ("m", "s"): 0.15, ("m", "w"): 0.1, ("f", "n"): 0.25, ("f", "s"): 0.2, ("f", "w"): 0.1}
    shown = [("m", None), (None, "s"), ("m", "s"), ("f", None), (None, None), ("m", "w")]

    def chance(z: tuple[str | None, str | None], y: tuple[str, str]) -> float:
        sex = before[y[0]] if z[0] is None else (1 - before[y[0]]) * (z[0] == y[0])
        row = swap[levels.index(y[1])]
        hidden = sum(p * after.get(v, 0) for p, v in zip(row, levels, strict=True))
        return sex * (hidden if z[1] is None else row[levels.index(z[1])] * (1 - after.get(z[1], 0)))

    atoms = [cf.Atom(p, {"sex": s, "region": r}) for (s, r), p in people.items()]
    released = cf.Released.seen(cf.Microdata.from_dict({"sex": [z[0] for z in shown], "region": [z[1] for z in shown]}))
    targets = cf.Targets.of_records(cf.Microdata.from_dict({"sex": ["m"], "region": ["w"]}))
    for q in (0.6, 1.0):
        intruder = cf.Intruder(
            knows=["sex", "region"],
            target_in_file=False,
            population=cf.KnownChance(q),
            supposes=cf.Release(cf.Swap("region", matrix=cf.GivenMatrix(levels, swap))),
            beliefs=cf.SuppliedBeliefs([atoms]),
            blanks=cf.BlankRules([cf.BlankedByValue({"sex": before}), cf.BlankedByReleased({"region": after})]),
        )
        found = cf.link(released, intruder, targets).row(0)
        ratio = [chance(z, ("m", "w")) / sum(p * chance(z, y) for y, p in people.items()) for z in shown]
        odds = np.array([*(q / len(shown) * b for b in ratio), 1 - q])
        assert [*found.p, found.null] == pytest.approx(odds / odds.sum())


def test_a_variable_has_one_rule_for_its_blanks() -> None:
    with pytest.raises(cf.IntruderError, match="region stands in two rules"):
        cf.BlankRules([cf.BlankedByValue({"region": 0.1}), cf.BlankedByReleased({"region": 0.1})])
    with pytest.raises(cf.IntruderError, match="at least one"):
        cf.BlankRules([])


def _with_gaps(released: cf.Released, name: str, gone: np.ndarray) -> cf.Released:
    column = released.data.columns[name]
    blanked = replace(column, numbers=np.where(gone, np.nan, column.numbers), codes=np.where(gone, MISSING, column.codes))
    return replace(released, data=released.data.with_columns({name: blanked}))


def test_a_blank_noisy_number_left_no_doubt_about_presence() -> None:
    """Its class was looked up in a table of true numbers, and found nobody: null links of 0 where 40 of 100 are true."""
    stated = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        columns = {"area": rng.choice(["a", "b"], 100).tolist(), "income": rng.lognormal(3, 0.6, 100).tolist()}
        data = cf.Microdata.from_dict(columns).declare(kinds={"income": "continuous"})
        out = cf.Release(cf.Sample(n=60), cf.Noise("income", sd=6.0)).apply(data, seed=seed)
        out = _with_gaps(out, "income", rng.random(60) < 0.3)
        people = cf.Microdata.from_dict({**columns, "count": [1.0] * 100}).declare(kinds={"income": "continuous"})
        table = cf.PopulationTable(people)
        beliefs = cf.SuppliedBeliefs([[cf.Atom(1.0, {"income": cf.Lognormal(3.0, 0.6)})]])
        who = cf.Intruder(knows=["area", "income"], target_in_file=False, population=table, beliefs=beliefs)
        stated.append(cf.link(out, who).null.sum())
    assert np.mean(stated) == pytest.approx(40, abs=1.5)


@pytest.mark.parametrize("rule", [None, {"y": 0.6, "x": 0.1}], ids=["not told", "rule"])
def test_a_blank_is_one_of_several_levels_only_in_part(rule: dict[str, float] | None) -> None:
    """It counted in full, so that records that show one of the levels were believed too little: 11.0 where 14.2 are true."""
    gaps = []
    for seed in range(120):
        rng = np.random.default_rng(seed)
        kind = rng.choice(["x", "y", "z"], 40, p=[0.5, 0.3, 0.2])
        gone = rng.random(40) < ([rule.get(k, 0.0) for k in kind] if rule else 0.3)
        data = cf.Microdata.from_dict({"kind": kind.tolist(), "sex": ["m"] * 40})
        out = _with_gaps(cf.Release().apply(data, seed=seed), "kind", gone)
        rows = np.flatnonzero(kind != "x")
        blanks = cf.BlankedByValue({"kind": rule}) if rule else cf.NotTold()
        who = cf.Intruder(knows=["sex", cf.OneOf("kind", ["y", "z"])], blanks=blanks)
        p = cf.link(out, who, cf.Targets.of_rows(rows.tolist())).row(0).p
        gaps.append(rows.size * p[~gone].sum() - np.sum(~gone[rows]))
    gap = np.array(gaps)
    assert abs(gap.mean()) < max(4 * gap.std(ddof=1) / np.sqrt(gap.size), 1e-6)
