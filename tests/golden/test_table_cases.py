"""The tables that other programs ship: nobody learns too much, by programmes of their own, and patterns repeat."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import confide as cf

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import table_cases

pytestmark = pytest.mark.skipif(bool(table_cases.absent()), reason=table_cases.absent() or "the tables are here")
QUICK = [c for c in table_cases.CASES if not c.slow]
NAMES = [f"{c.data}: {c.table}" for c in QUICK]
TINY = [c for c in QUICK if c.data in {"microdata1", "microdata2", "z1", "z1micro", "z2"} or c.table.endswith("request 0.7")]


def reach(system: cf.System, suppressed: np.ndarray, known: set[int], cell: int) -> tuple[float, float]:
    """Find both ends of what can be deduced, with all cells as columns and nothing reduced."""
    low, high = system.values.copy(), system.values.copy()
    free = np.setdiff1d(suppressed, list(known))
    low[free], high[free] = system.lower[free], system.upper[free]
    objective = np.zeros(system.n)
    objective[cell] = 1.0
    ends = []
    for sign in (1.0, -1.0):
        found = linprog(sign * objective, A_eq=system.equations, b_eq=system.equations @ system.values,
                        bounds=np.column_stack([low, high]), method="highs")  # fmt: skip
        assert found.status in {0, 3}
        ends.append(sign * (found.fun if found.status == 0 else -np.inf))
    return ends[0], ends[1]


def narrow(system: cf.System, levels: cf.Protection, suppressed: np.ndarray, known: set[int]) -> list[int]:
    """List the sensitive cells whose interval is too narrow for somebody who knows cells.

    What follows from the known cells alone, with nothing published, cannot be kept from anybody and is not asked.
    """
    found = []
    everything = np.arange(system.n)
    for c in (int(c) for c in levels.sensitive if int(c) not in known):
        low, high = reach(system, suppressed, known, c)
        least, most = reach(system, everything, known, c) if known else (-np.inf, np.inf)
        x, slack = float(system.values[c]), 1e-6 * max(1.0, abs(float(system.values[c])))
        below, above = min(levels.lower[c], x - least), min(levels.upper[c], most - x)
        wide = high - low >= min(levels.sliding[c], most - least) - slack
        if not (x - low >= below - slack and high - x >= above - slack and wide):
            found.append(c)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("case", QUICK, ids=NAMES)
def test_the_audit_is_clean_for_every_attacker_and_patterns_repeat(case):
    first, second = table_cases.protect(case), table_cases.protect(case)
    assert first.exposed() == 0
    assert first.suppressed.tobytes() == second.suppressed.tobytes()
    assert np.isin(first.outside.suppressed, first.suppressed).all()


@pytest.mark.parametrize("case", TINY, ids=[f"{c.data}: {c.table}" for c in TINY])
def test_fresh_programmes_over_all_cells_find_nothing_exposed(case):
    found = table_cases.protect(case)
    assert narrow(found.system, found.levels, found.suppressed, set()) == []
    for attacker in found.attackers:
        assert narrow(found.system, found.levels, found.suppressed, set(attacker.cells)) == []


def test_fresh_programmes_find_what_the_audit_finds():
    found = table_cases.protect(next(c for c in QUICK if c.data == "z2"), insiders=False)
    for k in (0, 3, 7):
        cells = np.delete(found.suppressed, k + found.levels.sensitive.size)
        told = {e.cell for e in cf.audit(found.system, cells, found.levels).exposed}
        assert told == set(narrow(found.system, found.levels, cells, set()))


@pytest.mark.slow
@pytest.mark.parametrize("case", [c for c in QUICK if c.data not in {"turnover", "indiv_dt"}], ids=lambda c: c.table)
def test_the_heuristic_costs_little_more_than_the_cheapest_pattern(case):
    heuristic = table_cases.protect(case, insiders=False).outside
    exact = table_cases.protect(case, cf.Exact(), insiders=False).outside
    assert exact.gap == pytest.approx(0, abs=1e-6)
    assert exact.cost <= heuristic.cost * (1 + 1e-9)
    assert heuristic.cost <= 1.1 * exact.cost
