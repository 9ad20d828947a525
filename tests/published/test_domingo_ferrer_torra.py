"""Domingo-Ferrer and Torra 2004, section 2: linkage by distance, coincidence vectors, interval disclosure."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import confide as cf
from published import run_cases

ALL = json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))["cases"]
KINDS = {"nominal_distance", "ordinal_distance", "distance_linkage", "coincidence_vectors", "interval_disclosure"}
MINE = {c["name"]: c for c in ALL if c["kind"] in KINDS}

A = {
    "name": ["Joan", "Pere", "J.M.", "Juan", "Ricardo", "Pere", "Juan", "Ricard"],
    "surname": ["Casanovas", "Joan", "Casanovas", "Garcia", "Garcia", "Garcia", "Garcia", "Tanaka"],
    "age": [19, 17, 35, 53, 14, 18, 18, 14],
}
B = {
    "name": ["Joan", "Pere", "J.Manel", "Juan", "Ricard", "Pere", "Juan", "Ricard"],
    "surname": A["surname"],
    "age": [19, 17, 35, 53, 14, 82, 18, 18],
}
BY = [cf.NominalDistance("name"), cf.NominalDistance("surname"), cf.NumericDistance("age")]


@pytest.fixture
def table_1():
    return cf.Released.from_files(cf.Microdata.from_dict(A), cf.Microdata.from_dict(B), same_order=True)


@pytest.mark.parametrize("name", list(MINE))
def test_case(name):
    assert run_cases.run(MINE[name]) == []


def test_table_1_six_of_eight_one_tie_one_error(table_1):
    found = cf.distance_linkage(table_1, BY)
    assert (found.certain, found.expected) == (6, 6.5)
    assert found.nearest(4).tolist() == [4, 7]
    assert found.nearest(5).tolist() == [3]
    assert found.correct.tolist() == [1, 1, 1, 1, 0.5, 0, 1, 1]


def test_table_1_one_to_one_resolves_the_tie_but_the_error_drags_two_along(table_1):
    found = cf.distance_linkage(table_1, BY, replacement=False)
    assert found.assigned.tolist() == [0, 1, 5, 2, 4, 3, 6, 7]
    assert found.expected == 5


def test_table_1_vectors_of_unmatched_pairs(table_1):
    found = cf.coincidence_vectors(table_1, list(A))
    assert len(found.all_pairs) == 8
    assert sum(found.all_pairs.values()) == 64
    assert found.matched == {"011": 2, "110": 2, "111": 4}
    assert found.unmatched == {"000": 37, "001": 2, "010": 11, "011": 1, "100": 2, "101": 1, "110": 2}


def test_section_2_1_the_corresponding_record_is_the_nearest_in_all_variables(table_1):
    by_name = cf.distance_linkage(table_1, ["name"], truth=cf.NearestInAll(BY))
    parents = cf.distance_linkage(table_1, ["name"])
    # Pere Garcia, 82, corresponds to Juan Garcia, 53: 'Pere' never links to him; Ricard Garcia to the tied Ricard Tanaka
    assert by_name.correct[5] == 0
    assert by_name.correct[4] == pytest.approx(0.5)
    assert parents.correct[4] == 0
    assert parents.correct[5] == 0.5


def test_definition_1_the_printed_offset_changes_the_nearest_record():
    levels = list(range(10))
    data = [
        cf.Microdata.from_dict({"v": v, "w": w}).declare(kinds={"v": "ordinal", "w": "ordinal"})
        for v, w in (([0, 2], [3, 2]), ([0], [0]))
    ]
    released = cf.Released.from_files(*data, parent=[-1])
    corrected, printed = (
        cf.record_distances(released, [kind("v", levels), kind("w", levels)])[0]
        for kind in (cf.OrdinalDistance, cf.PrintedOrdinalDistance)
    )
    assert corrected == pytest.approx([0.09, 0.08])
    assert printed == pytest.approx([0.17, 0.18])
    for kind, nearest in ((cf.OrdinalDistance, 1), (cf.PrintedOrdinalDistance, 0)):
        assert cf.distance_linkage(released, [kind("v", levels), kind("w", levels)]).nearest(0).tolist() == [nearest]


def test_section_2_1_risk_against_the_number_of_variables_known(table_1):
    found = cf.risk_by_number_known(table_1, BY)
    assert [(r.known, r.subsets, r.possible) for r in found.rows] == [(1, 3, 3), (2, 3, 3), (3, 1, 1)]
    assert found.of(3).mean == 6.5 / 8
    singles = [cf.distance_linkage(table_1, [d]).share for d in BY]
    assert found.of(1).mean == pytest.approx(np.mean(singles))
    assert found.of(1).largest == max(singles)
