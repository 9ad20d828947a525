"""Numbers that other programs publish about their own tables.

rtauargus: vignettes/rtauargus.html (2025-02-17, tau-ARGUS 4.2.3) and vignettes/protect_multi_tables.Rmd (2022-10-02,
tau-ARGUS 4.2.2b1) of github.com/InseeFrLab/rtauargus. sdcTable: tests/testthat/test-protectTable.r of
github.com/sdcTools/sdcTable.
GaussSuppression: tests/testthat/test-GaussSuppressionFromData.R of github.com/statisticsnorway/ssb-gausssuppression.
easySdcTable: comparison/ProtectTableTest_2026-05-29.html and the comparison for version 0.8.0 of
github.com/statisticsnorway/ssb-easysdctable.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import confide as cf
from outside import needs

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import table_cases

pytestmark = needs(*table_cases.FOLDERS)


def case_of(data: str, start: str) -> table_cases.Case:
    return next(c for c in table_cases.CASES if c.data == data and c.table.startswith(start))


def names(found: table_cases.Result) -> set[str]:
    return {found.system.name(int(c)) for c in found.suppressed}


def codes(table: cf.Table, cell: int) -> frozenset[str]:
    return frozenset(table.cell_name(cell).split(" x ")) - {"Total"}


def test_tau_argus_calls_the_same_cells_sensitive():
    """`N_OBS > 0 & N_OBS < 3` is status A, `MAX/TOT > 0.85` beside it status B."""
    found = {}
    for name in table_cases.ALL4:
        table = table_cases.turnover_table(name)
        by_number = cf.MinimumFrequency(3).sensitive(table)
        dominated = cf.DominanceRule(1, 0.85).sensitive(table) & ~by_number
        found[name] = (int(by_number.sum()), int(dominated.sum()))
    assert found == {"act_size": (52, 25), "act_cj": (35, 25), "nuts_size": (55, 17), "nuts_cj": (45, 20)}


@pytest.mark.slow
def test_the_cheapest_pattern_is_as_large_as_that_of_tau_argus():
    """`tab_rtauargus(turnover_act_size, ..., suppress = "OPT(1,5)")`: 77 primary, 64 secondary, 273 published."""
    found = table_cases.protect(case_of("turnover", "activity x size"), cf.Exact(), insiders=False).outside
    assert (found.primary.size, found.secondary.size, found.system.n - found.suppressed.size) == (77, 64, 273)
    assert found.gap == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
def test_four_linked_tables_lose_fewer_cells_than_table_by_table():
    """`tab_multi_manager` protects one table after the other: 83, 90, 82 and 101 secondary cells."""
    found = table_cases.protect(case_of("turnover", "four linked"), insiders=False)
    assert found.exposed() == 0
    places = {codes(found.table, c): c for c in range(found.table.n)}
    secondary = []
    for name in table_cases.ALL4:
        table = table_cases.turnover_table(name)
        cells = [places[codes(table, c)] for c in range(table.n)]
        secondary.append(int(np.isin(cells, found.outside.secondary).sum()))
    assert sum(secondary) < 83 + 90 + 82 + 101


def test_sdctable_suppresses_the_same_four_cells():
    """`protectTable(p, method = "OPT")`, "HYPERCUBE", "HITAS" and "SIMPLEHEURISTIC" all give rows 5, 6, 11 and 12."""
    assert names(table_cases.protect(case_of("microdata1", ""))) == {"A x male", "A x female", "C x male", "C x female"}


def test_gauss_suppression_suppresses_the_same_six_cells():
    """`GaussSuppressionFromData(z1, 1:2, 3)` gives rows 12, 13, 22, 23, 42 and 43."""
    found = table_cases.protect(case_of("z1", ""))
    assert names(found) == {f"{r} x {h}" for r in ("B", "D", "H") for h in ("annet", "arbeid")}


def test_two_groupings_of_z2_need_no_more_cells_than_gauss():
    """`ProtectTable(z2, 1:4, 5, maxN = most, protectZeros = FALSE)`, method Gauss and SIMPLEHEURISTIC."""
    for most, gauss, simple in ((2, 20, 28), (10, 44, 47)):
        found = table_cases.protect(case_of("z2", f"two groupings x hovedint, counts to {most}"))
        assert found.suppressed.size <= simple
        assert found.outside.suppressed.size <= gauss


def test_z3_has_the_published_cells_and_nothing_of_it_is_revealed():
    """`ProtectTable(z3, 1:6, 7, protectZeros = FALSE)`: SIMPLEHEURISTIC suppressed 557 and left 18 of 350 revealed."""
    for start, cells, primary, zeros, gauss in (("fylke", 1200, 333, 482, 515), ("two groupings", 1350, 350, 503, 521)):
        found = table_cases.protect(case_of("z3", start), insiders=False)
        assert (found.table.n, found.outside.primary.size) == (cells, primary)
        assert int((np.round(found.table.values) <= 3).sum()) == zeros
        assert found.outside.suppressed.size <= gauss
        proof = cf.audit(found.system, found.suppressed, found.levels)
        assert proof.clean
        assert proof.determined.size == 0


def test_no_sensitive_cell_of_the_linked_social_tables_is_recoverable():
    """Regions grouped in two ways, and by months and main income, as in the examples of SSBtools."""
    found = table_cases.protect(case_of("sosialFiktiv", "four linked"), insiders=False)
    proof = cf.audit(found.system, found.suppressed, found.levels)
    assert proof.clean
    assert not np.isin(proof.determined, found.outside.primary).any()
