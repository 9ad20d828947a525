"""The tables that other programs ship: nobody learns too much, by programmes of their own, and patterns repeat.

In every clone the same cases run on generated tables with the same files and columns (`stand_ins`).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import confide as cf
import stand_ins
from outside import DATA, needs

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import table_cases

CASES = table_cases.CASES
QUICK = [c for c in CASES if not c.slow]
TINY = [c for c in QUICK if c.data in {"microdata1", "microdata2", "z1", "z1micro", "z2"} or c.table.endswith("request 0.7")]
LARGE = {
    "IndustryCode x Size x Region, p 15", "act x product x region, holdings", "A88 x NUTS3 x SIZE, weighted",
    "the same with mnd2, counts to 3", "two groupings x hovedint x mnd, counts to 3",
}  # fmt: skip
GENERATED = [c for c in CASES if c.data != "datatest2" and c.table not in LARGE]
SMALL = [c for c in GENERATED if not c.slow]


def chosen(*names: str) -> list[table_cases.Case]:
    """Give cases by name."""
    return [c for c in CASES if f"{c.data}: {c.table}" in names]


Z2, FIRMS = chosen("z2: two groupings x hovedint, counts to 2"), chosen("indiv_dt: A88 x SIZE, weighted")


def params(real: list[table_cases.Case], generated: list[table_cases.Case]) -> list[object]:
    """Give cases with the folder of their files; those of others only where these are here."""
    found = [] if table_cases.absent() else [pytest.param(c, DATA, id=f"{c.data}: {c.table}") for c in real]
    return found + [pytest.param(c, stand_ins.folder(), id=f"generated {c.data}: {c.table}") for c in generated]


@pytest.fixture
def files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the files of the case."""
    monkeypatch.setattr(table_cases, "DATA", folder)


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


@needs(*table_cases.FOLDERS)
def test_the_tables_of_others_are_among_the_cases():
    assert {p.values[1] for p in params(QUICK, GENERATED)} == {DATA, stand_ins.folder()}


@pytest.mark.slow
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("case", "folder"), params(QUICK, GENERATED))
def test_the_audit_is_clean_for_every_attacker_and_patterns_repeat(case):
    first, second = table_cases.protect(case), table_cases.protect(case)
    assert first.exposed() == 0
    assert first.suppressed.tobytes() == second.suppressed.tobytes()
    assert np.isin(first.outside.suppressed, first.suppressed).all()


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("case", "folder"), params(TINY, SMALL))
def test_fresh_programmes_over_all_cells_find_nothing_exposed(case):
    found = table_cases.protect(case)
    assert narrow(found.system, found.levels, found.suppressed, set()) == []
    for attacker in found.attackers:
        assert narrow(found.system, found.levels, found.suppressed, set(attacker.cells)) == []


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("case", "folder"), params(Z2, FIRMS))
def test_fresh_programmes_find_what_the_audit_finds(case):
    found = table_cases.protect(case, insiders=False)
    for k in (0, 3, 7):
        cells = np.delete(found.suppressed, k + found.levels.sensitive.size)
        told = {e.cell for e in cf.audit(found.system, cells, found.levels).exposed}
        assert told == set(narrow(found.system, found.levels, cells, set()))


@pytest.mark.slow
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("case", "folder"), params([c for c in QUICK if c.data not in {"turnover", "indiv_dt"}], SMALL))
def test_the_heuristic_costs_little_more_than_the_cheapest_pattern(case):
    heuristic = table_cases.protect(case, insiders=False).outside
    exact = table_cases.protect(case, cf.Exact(), insiders=False).outside
    assert exact.gap == pytest.approx(0, abs=1e-6)
    assert exact.cost <= heuristic.cost * (1 + 1e-9)
    assert heuristic.cost <= 1.1 * exact.cost
