"""Protect one table, or several that share cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.errors import TableError
from confide.linking.parallel import Progress, silent
from confide.tables.a_priori import APriori
from confide.tables.linked import link_tables, linked_places
from confide.tables.method import TableMethod, TableTask
from confide.tables.protected import ProtectedTable
from confide.tables.protection import Protection
from confide.tables.reasons import reasons_of, told
from confide.tables.rules.rule import Rule
from confide.tables.suppression import Suppression
from confide.tables.system import System
from confide.tables.table import Table
from confide.typing import BoolArray, FloatArray, IntArray

GIVEN = "a priori"
"""The reason of cells that you call sensitive."""


def protect_table(
    table: Table,
    rule: Rule,
    *,
    method: TableMethod = Suppression(),  # noqa: B008  frozen
    a_priori: APriori = APriori(),  # noqa: B008  frozen
    whole: bool | None = None,
    progress: Progress = silent,
) -> ProtectedTable:
    """Protect a table: find its sensitive cells, leave out or change what must be, and prove it.

    Args:
        table: from `tabulate` or `table_of_aggregates`.
        rule: which cells are sensitive, and how uncertain they must be.
        method: `Suppression(...)`, `ControlledRounding(...)`, `TabularAdjustment(...)` or `CellKeys(...)`.
        a_priori: statuses, costs and levels of single cells, and the previous pattern.
        whole: whether everybody knows values to be whole numbers; None: those of a table of counts without weights.
        progress: called with how much of how much is done.

    >>> import confide as cf
    >>> firms = cf.Microdata.from_dict({
    ...     "area": ["n", "n", "n", "s", "s", "s", "s", "n"], "trade": ["a", "a", "b", "a", "b", "b", "b", "b"],
    ...     "turnover": [90, 5, 40, 30, 20, 25, 30, 35]})
    >>> table = cf.tabulate(firms, ["area", "trade"], "turnover")
    >>> cf.protect_table(table, cf.PPercentRule(10))
    ProtectedTable(turnover by area, trade: 9 cells, 4 primary and 2 secondary left out; all protected)
    """
    return protect_tables([table], rule, method=method, a_priori=[a_priori], whole=whole, progress=progress)[0]


def protect_tables(
    tables: Sequence[Table],
    rules: Rule | Sequence[Rule],
    *,
    method: TableMethod = Suppression(),  # noqa: B008  frozen
    a_priori: Sequence[APriori] = (),
    whole: bool | None = None,
    progress: Progress = silent,
) -> tuple[ProtectedTable, ...]:
    """Protect tables that share cells as one system, so that no table gives away what another hides.

    Args:
        tables: tables of the same value of the same records.
        rules: one rule for all, or one for each table; a shared cell is sensitive when a rule of one of its tables says so.
        method: as in `protect_table`.
        a_priori: one for each table, or none.
        whole: as in `protect_table`.
        progress: called with how much of how much is done.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "m", "m", "f"], "job": ["a", "a", "b", "b"], "x": [1, 2, 3, 9]})
    >>> [t.table.by for t in cf.protect_tables([cf.tabulate(data, v, "x") for v in ("sex", "job")], cf.MinimumFrequency(2))]
    [('sex',), ('job',)]
    """
    given = [rules] * len(tables) if isinstance(rules, Rule) else list(rules)
    before = list(a_priori) or [APriori()] * len(tables)
    if len(given) != len(tables) or len(before) != len(tables):
        raise TableError(
            f"{len(tables)} tables, {len(given)} rules and {len(before)} a priori; give one for each table, or one rule"
        )
    table = tables[0] if len(tables) == 1 else link_tables(*tables)
    places = [np.arange(table.n)] if len(tables) == 1 else linked_places(tables)
    asked, sensitive = ask(table, tables, places, given, before, whole=whole)
    done = method.protect(asked, progress)
    notes = tuple(n for b in before for n in b.notes) + done.notes
    names = tuple(told(_reasons(t, r, b), t.n) for t, r, b in zip(tables, given, before, strict=True))
    return tuple(
        ProtectedTable(t, r, p, why, sensitive[p], done, asked.protection, method, notes)
        for t, r, p, why in zip(tables, given, places, names, strict=True)
    )


def task_of(table: Table, rule: Rule, a_priori: APriori = APriori(), *, whole: bool | None = None) -> TableTask:  # noqa: B008
    """Gather what is asked of a method that protects one table."""
    return ask(table, [table], [np.arange(table.n)], [rule], [a_priori], whole=whole)[0]


def ask(
    table: Table, tables: Sequence[Table], places: Sequence[IntArray], rules: Sequence[Rule], before: Sequence[APriori],
    *, whole: bool | None,
) -> tuple[TableTask, BoolArray]:  # fmt: skip
    """Gather what rules and statuses say of each cell of the linked tables."""
    system = System.of_table(table, whole=whole)
    n = system.n
    sensitive, safe, frozen, previous = (np.zeros(n, dtype=np.bool_) for _ in range(4))
    lower, upper, costs = np.zeros(n), np.zeros(n), np.full(n, np.nan)
    for t, place, rule, b in zip(tables, places, rules, before, strict=True):
        levels = rule.protection(t)
        np.maximum.at(lower, place, levels.lower)
        np.maximum.at(upper, place, levels.upper)
        sensitive[place] |= rule.sensitive(t)
        mine = place[b.cells("sensitive", t.n)]
        sensitive[mine] = True
        _at_least(lower, upper, mine, b.share * np.abs(system.values[mine]))
        for mask, which in ((safe, "safe"), (frozen, "frozen"), (previous, "previous")):
            mask[place[b.cells(which, t.n)]] = True
        for c, x in b.costs.items():
            costs[place[c]] = x
        for c, (low, high) in b.levels.items():
            lower[place[c]], upper[place[c]] = low, high
            sensitive[place[c]] |= low > 0 or high > 0
    sensitive &= ~safe
    keep = sensitive.astype(np.float64)
    protection = Protection.of_levels(system, lower * keep, upper * keep, sensitive)
    primary, fixed, before_now = (np.flatnonzero(m).astype(np.int64) for m in (sensitive, frozen, previous))
    return TableTask(table, system, protection, primary, fixed, before_now, costs), sensitive


def _at_least(lower: FloatArray, upper: FloatArray, cells: IntArray, level: FloatArray) -> None:
    """Raise levels that are smaller."""
    for bound in (lower, upper):
        bound[cells] = np.maximum(bound[cells], level)


def _reasons(table: Table, rule: Rule, before: APriori) -> list[tuple[str, BoolArray]]:
    """Give the reasons of a table's cells."""
    mask = np.zeros(table.n, dtype=np.bool_)
    mask[before.cells("sensitive", table.n)] = True
    return [*reasons_of(rule, table), (GIVEN, mask)]
