"""Publish again what is not needed."""

from __future__ import annotations

import numpy as np

from confide.tables.audit.insider import reach_of
from confide.tables.audit.reach import Block, Doubts, Need
from confide.tables.audit.view import View, look, part_of, settle_all
from confide.tables.audit.witness import Witness, take_in
from confide.tables.protect.clock import Clock
from confide.tables.protect.proofs import Task
from confide.typing import BoolArray, IntArray

LARGE = 10_000
"""Parts of the pattern with more columns are left as they are; each programme would take too long."""
MOST = 16
"""How many cells are tried together; as many are only after others could be published."""


def prune(task: Task, suppressed: BoolArray, shown: tuple[Witness, ...], clock: Clock, most: int) -> BoolArray:
    """Publish cells that the external protection can do without, the dearest first.

    A cell may be published when all sensitive cells keep their protection from somebody who knows it.

    Args:
        task: what is asked.
        suppressed: a pattern that protects from the external attacker.
        shown: moves that prove it.
        clock: the time; what is found when it is over is kept.
        most: how much may be solved: pivots times columns, of which some twenty million take a second.
    """
    cells = np.flatnonzero(suppressed)
    view = look(task.system, cells, task.protection)
    take_in(view, shown)
    settle_all(view, exact=False)
    need = view.need(exact=False, every=False)
    asked = (need.low > 0) | (need.high > 0) | (need.wide > 0)
    column = view.reduced.column
    primary = np.isin(cells, task.primary)
    kept = np.ones(cells.size, dtype=np.bool_)
    kept[(column < 0) & ~primary] = False  # equations give them away in any case
    bound = np.zeros(view.reduced.low.size, dtype=np.bool_)
    bound[column[primary & (column >= 0)]] = True
    cost = np.bincount(column[column >= 0], weights=task.costs[cells[column >= 0]], minlength=bound.size)
    free = np.flatnonzero(~bound & ~asked)
    doubts = {i: Doubts(np.zeros(2 * b.columns.size)) for i, b in enumerate(view.blocks)}
    free = free[np.lexsort((free, -cost[free]))]
    spent, place, size, before = 0, 0, 1, False
    while place < free.size and not clock.over and spent <= most:
        block = int(view.block[free[place]])
        b = view.blocks[block]
        some = free[place : place + size][view.block[free[place : place + size]] == block]
        start = b.pivots
        gone = b.columns.size <= LARGE and _gone(view, b, some, need, doubts[block])
        spent += (b.pivots - start) * b.columns.size
        if gone:
            kept[np.isin(column, some)] = False
        place += some.size if gone or some.size == 1 else 0
        size = min(2 * size, MOST) if gone and before else max(some.size // 2, 1) if not gone else size
        before = gone
    found = np.zeros(suppressed.size, dtype=np.bool_)
    found[cells[kept]] = True
    return found


def _gone(view: View, b: Block, columns: IntArray, need: Need, doubts: Doubts) -> bool:
    """Fix columns of a block if everything keeps its protection, and say whether."""
    if not b.matrix.shape[0]:
        return True
    at, zero, wanted = view.place[columns], np.zeros(columns.size), part_of(need, b.columns)
    reach = reach_of(b, at, zero, zero, wanted, doubts=doubts)
    if reach.short(wanted):
        return False
    b.reach = reach
    b.low[at] = b.high[at] = 0.0
    b.model.bound(at, zero, zero)
    _forget(b, at)
    return True


def _forget(b: Block, at: IntArray) -> None:
    """Drop the solutions that move some columns."""
    fixed = np.zeros(b.columns.size, dtype=np.bool_)
    fixed[at] = True
    b.pool = [(places, d) for places, d in b.pool if not fixed[places].any()]
    b.kept = sum(places.size for places, _ in b.pool)
    b.stacked = None
