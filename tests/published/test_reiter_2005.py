"""Reiter 2005: the reproduced cases, and what Tables 3 to 6 say about the example file."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import confide as cf
from published import run_cases

ALL = json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))["cases"]
MINE = {c["name"]: c for c in ALL if c["kind"].startswith(("reiter", "swap"))}


@pytest.mark.parametrize("name", list(MINE))
def test_case(name: str) -> None:
    assert run_cases.run(MINE[name]) == []


BASE = ["sex", "race", "marital", "age"]
WITHOUT_P, WITH_P = cf.Intruder(knows=BASE, name="no P"), cf.Intruder(knows=[*BASE, "property_tax"], name="P")
UNSURE = WITHOUT_P.but(target_in_file=False, name="unsure")
AGE, R, M = cf.Recode("age", width=5), cf.Swap("race", rate=0.3), cf.Swap("marital", rate=0.3)
P = cf.Noise("property_tax", sd=0.10, relative_to="positive", keep_zero=True, lower=0)
TOP = (cf.Topcode("property_tax", at=3000), cf.Noise("property_tax", sd=290.7, keep_zero=True, lower=0, upper=3000))
STRATEGIES = {
    "No SDL": cf.Release(name="No SDL"),
    "Age recode": cf.Release(AGE, name="Age recode"),
    "RM swap": cf.Release(R, M, name="RM swap"),
    "Age+RM": cf.Release(AGE, R, M, name="Age+RM"),
    "Age+RM+P": cf.Release(AGE, R, M, P, name="Age+RM+P"),
    "Age+RM+P/top": cf.Release(AGE, R, M, *TOP, name="Age+RM+P/top"),
}
UNITS: dict[str, dict[str, Any]] = {
    "Everyman": {"sex": 1, "age": 43, "race": 1, "marital": 1, "property_tax": 635, "income": 40000},
    "Unique": {"sex": 2, "age": 39, "race": 3, "marital": 3},
    "Big I": {"income": 768742},
    "Big P": {"property_tax": 99997, "age": 79, "sex": 2, "income": 94552},
}


@pytest.fixture(scope="module")
def cps() -> cf.Microdata:
    return cf.examples.cps()


@pytest.fixture(scope="module")
def rows(cps: cf.Microdata) -> dict[str, int]:
    """The first row that fits each unit's values."""
    return {name: int(cf.Targets.where(**values).resolve(cps)[1][0]) for name, values in UNITS.items()}


@pytest.fixture(scope="module")
def released(cps: cf.Microdata) -> dict[str, cf.Released]:
    return {name: release.apply(cps, seed=7) for name, release in STRATEGIES.items()}


@pytest.fixture(scope="module")
def table6(released: dict[str, cf.Released]) -> cf.Assessment:
    return cf.assess(list(released.values()), [WITHOUT_P, WITH_P])


def the_row(released: cf.Released, intruder: cf.Intruder, row: int) -> cf.LinkRow:
    return cf.link(released, intruder, cf.Targets.of_rows([row])).row(0)


@pytest.mark.parametrize(
    ("unit", "strategy", "printed", "others"),
    [
        ("Everyman", "No SDL", ".0022", 454),
        ("Unique", "No SDL", "1", 0),
        ("Big I", "No SDL", ".0029", 344),
        ("Big P", "No SDL", ".0060", 165),
        ("Everyman", "Age recode", ".00045", 2229),
        ("Unique", "Age recode", "1", 0),
        ("Big I", "Age recode", ".00067", 1497),
        ("Big P", "Age recode", ".0013", 775),
    ],
)
def test_table_3_without_swaps(
    unit: str, strategy: str, printed: str, others: int, released: dict[str, cf.Released], rows: dict[str, int]
) -> None:
    row = the_row(released[strategy], WITHOUT_P, rows[unit])
    digits = len(printed.partition(".")[2])
    assert round(float(row.p[row.own]), digits) == float(printed)
    assert row.p[row.own] == pytest.approx(1 / (others + 1))
    assert row.others_at_least == others
    assert row.null == 0


@pytest.mark.parametrize(
    ("unit", "strategy", "printed"),
    [
        ("Everyman", "No SDL", "0.000001"),
        ("Unique", "No SDL", "0.00032"),
        ("Big I", "No SDL", "0.000002"),
        ("Big P", "No SDL", "0.000003"),
        ("Everyman", "Age recode", "0.0000002"),
        ("Unique", "Age recode", "0.00032"),
        ("Big I", "Age recode", "0.0000003"),
        ("Big P", "Age recode", "0.0000006"),
    ],
)
def test_table_3_unsure(
    unit: str, strategy: str, printed: str, released: dict[str, cf.Released], rows: dict[str, int]
) -> None:
    row = the_row(released[strategy], UNSURE, rows[unit])
    n_t, people = row.sample_matches, row.population_matches
    assert round(float(row.p[row.own]), len(printed.partition(".")[2])) == float(printed)
    assert row.p[row.own] == pytest.approx(1 / people)
    assert row.null == pytest.approx((people - n_t) / people)
    assert round(row.null, 4) >= 0.9995


@pytest.mark.parametrize(
    ("unit", "probability", "others"), [("Everyman", 1 / 2, 1), ("Unique", 1, 0), ("Big I", 1 / 7, 6), ("Big P", 1, 0)]
)
def test_table_4_without_masking(
    unit: str, probability: float, others: int, released: dict[str, cf.Released], rows: dict[str, int]
) -> None:
    row = the_row(released["No SDL"], WITH_P, rows[unit])
    assert row.p[row.own] == pytest.approx(probability)
    assert row.others_at_least == others


@pytest.mark.parametrize("strategy", ["RM swap", "Age+RM", "Age+RM+P", "Age+RM+P/top"])
@pytest.mark.parametrize("intruder", [WITHOUT_P, WITH_P], ids=lambda i: i.name)
@pytest.mark.parametrize("unit", UNITS)
def test_a_probability_is_at_most_one_over_those_at_least_as_probable(
    unit: str, strategy: str, intruder: cf.Intruder, released: dict[str, cf.Released], rows: dict[str, int]
) -> None:
    row = the_row(released[strategy], intruder, rows[unit])
    assert 0 < row.p[row.own] <= 1 / (row.others_at_least + 1) + 1e-12
    assert row.p.sum() + row.null == pytest.approx(1)


def test_table_5_topcoding_lowers_big_p(cps: cf.Microdata, rows: dict[str, int]) -> None:
    own = []
    for cut in (35_000, 10_000, 5_000, 3_000):
        released = cf.Release(AGE, R, M, cf.Topcode("property_tax", at=cut)).apply(cps, seed=7)
        row = the_row(released, WITH_P, rows["Big P"])
        own.append(float(row.p[row.own]))
    assert all(a > b for a, b in itertools.pairwise(own))
    assert own[0] <= 1
    assert own[-1] < 0.1


def test_noise_does_not_protect_big_p(released: dict[str, cf.Released], rows: dict[str, int]) -> None:
    row = the_row(released["Age+RM+P"], WITH_P, rows["Big P"])
    assert row.p[row.own] == pytest.approx(1, abs=1e-6)
    assert row.others_at_least == 0


def test_naive_intruder_gets_zero_for_swapped_records(cps: cf.Microdata, released: dict[str, cf.Released]) -> None:
    file = released["RM swap"]
    changed = np.zeros(cps.n, dtype=bool)
    for name in ("race", "marital"):
        changed |= file.data.columns[name].codes != cps.columns[name].codes
    links = cf.link(file, WITHOUT_P.but(understands_masking=False))
    assert changed.sum() > 1000
    assert (links.own[changed] == 0).all()
    assert (links.own[~changed] > 0).all()
    assert np.allclose(links.own[~changed] * links.sample_matches[~changed], 1)


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["expected_matches", "unique_matches"])
@pytest.mark.parametrize("who", ["no P", "P"])
def test_table_6_more_masking_means_fewer_matches(measure: str, who: str, table6: cf.Assessment) -> None:
    value = {s: table6.scenario(s, who).value(measure) for s in STRATEGIES}
    assert value["No SDL"] > value["Age recode"] > value["Age+RM"]
    assert value["RM swap"] > value["Age+RM"]
    if who == "P":
        assert value["Age+RM"] > value["Age+RM+P"] > value["Age+RM+P/top"]
    else:
        assert value["No SDL"] > value["RM swap"]
        assert value["Age+RM"] == value["Age+RM+P"] == value["Age+RM+P/top"]


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("measure", ["perceived", "expected_matches", "unique_matches"])
def test_table_6_knowing_p_helps(strategy: str, measure: str, table6: cf.Assessment) -> None:
    assert table6.scenario(strategy, "P").value(measure) >= table6.scenario(strategy, "no P").value(measure)


@pytest.mark.slow
def test_table_6_without_masking_is_counting(cps: cf.Microdata, table6: cf.Assessment) -> None:
    keys = np.column_stack([cps.columns[n].profile()[0] for n in BASE])
    _, which, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    n_t = counts[which.ravel()]
    scenario = table6.scenario("No SDL", "no P")
    assert scenario.expected_matches == pytest.approx(counts.size)
    assert scenario.unique_matches == (n_t == 1).sum()
    assert scenario.perceived == (1 / n_t > 0.2).sum()
