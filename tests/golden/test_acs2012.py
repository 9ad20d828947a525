"""A released file made by someone else: the published risks of the ACS 2012 synthetic copies."""

from __future__ import annotations

import pytest

import confide as cf
from outside import DATA, needs

FOLDER = DATA / "acs2012_hu"
pytestmark = needs("acs2012_hu")
KNOWS = ["SEX", "RACE", "MAR", "LANX", "WAOB", "DIS", "HICOV"]


def figures(copy: str) -> tuple[float, float, float, int]:
    """Expected match risk, true match rate, false match rate, unique matches."""
    files = [
        cf.read(FOLDER / f"{name}.csv.gz").declare(kinds=dict.fromkeys(KNOWS, "nominal")) for name in ("ACSdata_org", copy)
    ]
    released = cf.Released.from_files(*files, name=copy, same_order=True)
    scenario = cf.assess(released, cf.Intruder(knows=KNOWS, understands_masking=False)).row(0)
    unique = int((scenario.summary.at_best == 1).sum())
    return scenario.expected_matches, scenario.value("true_match_rate"), scenario.value("false_match_rate"), unique


def test_first_copy() -> None:
    expected, true, false, unique = figures("ACSdata_syn")
    assert expected == pytest.approx(41.36863, abs=5e-6)
    assert true == pytest.approx(0.0005)
    assert false == pytest.approx(0.974359, abs=5e-7)
    assert unique == 195


def test_mean_of_three_copies() -> None:
    found = [figures(f"ACSdata_syn{k}") for k in ("", "2", "3")]
    mean = [sum(x) / 3 for x in zip(*found, strict=True)]
    for got, (want, digits) in zip(mean, [(41.46743, 5), (0.00056667, 8), (0.9638026, 7), (161, 9)], strict=True):
        assert round(got, digits) == want
