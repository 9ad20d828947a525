"""Domingo-Ferrer and Torra 2004, section 3: sensitivity rules, and what is wrong with dominance."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import confide as cf
from published import run_cases

ALL = json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))["cases"]
MINE = {c["name"]: c for c in ALL if c["kind"] in {"sensitivity", "constructions"}}


def cells(**contributions):
    data = {"cell": [c for c, x in contributions.items() for _ in x], "x": [v for x in contributions.values() for v in x]}
    return cf.tabulate(cf.Microdata.from_dict(data), "cell", "x")


@pytest.mark.parametrize("name", list(MINE))
def test_case(name):
    assert run_cases.run(MINE[name]) == []


def test_example_1_the_safe_cell_is_bounded_more_closely():
    table = cells(a=[59, 40, 1], b=[61, 20, 19])
    a, b = table.cell("a"), table.cell("b")
    found = cf.rule_contradictions(table, cf.DominanceRule(1, 0.6))
    assert found.sensitive[[a, b]].tolist() == [False, True]
    # upper bounds 60 and 80 on 59 and 61
    assert found.closeness[[a, b]] == pytest.approx([1 / 59, 19 / 61])
    assert found.cells.tolist() == [a]
    assert found.pairs == 1


@pytest.mark.parametrize("p", [5, 10])
def test_example_1_the_p_per_cent_rule_has_it_the_right_way_round(p):
    table = cells(a=[59, 40, 1], b=[61, 20, 19])
    assert cf.PPercentRule(p).sensitive(table)[[table.cell("a"), table.cell("b")]].tolist() == [True, False]


def test_example_2_printed_tails_and_the_largest_contribution_of_the_safe_cell():
    found = cf.dominance_constructions(1, 3, r=0.9)
    assert found.k == pytest.approx(0.369, abs=5e-4)
    assert found.tail(found.safe) == pytest.approx(0.298893, abs=5e-7)
    assert found.tail(found.sensitive) == pytest.approx(0.315498, abs=5e-7)
    assert found.sensitive[0] == pytest.approx(0.369, abs=5e-4)
    # the paper prints .369 here too; Construction 1 takes eps from it when n = 1
    assert found.safe[0] == pytest.approx(0.356704, abs=5e-7)
    assert found.closeness(found.safe) < found.closeness(found.sensitive)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("k", [0.3, 0.6, 0.75, 0.9])
def test_theorem_1_holds_for_every_admissible_number_of_contributions(n, k):
    for size in range(n + 2, 40):
        if n / size >= k:
            continue
        found = cf.dominance_constructions(n, size, k=k)
        assert found.safe.sum() == pytest.approx(1)
        assert found.sensitive.sum() == pytest.approx(1)
        assert found.tail(found.safe) < found.tail(found.sensitive)
        assert found.closeness(found.safe) < found.closeness(found.sensitive)
        assert found.safe[:n].sum() == pytest.approx(k - found.eps)


def test_a_2_the_limit_of_the_tail():
    found = cf.dominance_constructions(2, 400, k=0.6)
    assert found.tail(found.safe) == pytest.approx(np.sqrt(0.4) * 0.4, rel=1e-9)


def test_the_rule_calls_the_cells_as_the_constructions_say():
    found = cf.dominance_constructions(2, 6, k=0.7)
    table = cells(safe=found.safe.tolist(), sensitive=found.sensitive.tolist())
    rule = cf.DominanceRule(2, 0.7)
    assert rule.sensitive(table)[[table.cell("safe"), table.cell("sensitive")]].tolist() == [False, True]
    assert cf.rule_contradictions(table, rule).cells.tolist() == [table.cell("safe")]


@pytest.mark.parametrize(("n", "size", "k"), [(1, 2, 0.6), (2, 3, 0.9), (1, 5, 0.2), (1, 5, 1.0)])
def test_constructions_without_tails_or_ratio_are_refused(n, size, k):
    with pytest.raises(cf.TableError):
        cf.dominance_constructions(n, size, k=k)


def test_pq_requires_p_below_q():
    with pytest.raises(cf.TableError, match="q must be larger than p"):
        cf.PQRule(30, 30)
