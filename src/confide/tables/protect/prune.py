"""Publish again what is not needed."""

from __future__ import annotations

import numpy as np

from confide.tables.audit.insider import reach_of
from confide.tables.audit.reach import Block, Need
from confide.tables.audit.view import View, look, part_of, settle_all
from confide.tables.audit.witness import Witness, take_in
from confide.tables.protect.clock import Clock
from confide.tables.protect.proofs import Task
from confide.typing import BoolArray, FloatArray, IntArray

LARGE = 10_000
"""Parts of the pattern with more columns are left as they are; each programme would take too long."""


def prune(task: Task, suppressed: BoolArray, shown: tuple[Witness, ...], clock: Clock, most: int) -> BoolArray:
    """Publish cells that the external protection can do without, the dearest first.

    A cell may be published when all sensitive cells keep their protection from somebody who knows it.

    Args:
        task: what is asked.
        suppressed: a pattern that protects from the external attacker.
        shown: moves that prove it.
        clock: the time; what is found when it is over is kept.
        most: how much may be solved: programmes times their columns.
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
    doubts = {i: np.zeros(2 * b.columns.size) for i, b in enumerate(view.blocks)}
    spent = 0
    for j in free[np.lexsort((free, -cost[free]))].tolist():
        if clock.over or spent > most:
            break
        b = view.blocks[int(view.block[j])]
        if b.columns.size <= LARGE:
            before = b.solved
            if _gone(view, j, need, doubts[int(view.block[j])]):
                kept[column == j] = False
            spent += (b.solved - before) * b.columns.size
    found = np.zeros(suppressed.size, dtype=np.bool_)
    found[cells[kept]] = True
    return found


def _gone(view: View, column: int, need: Need, doubts: FloatArray) -> bool:
    """Fix a column if everything keeps its protection, and say whether."""
    b, at = view.blocks[int(view.block[column])], np.array([view.place[column]])
    if not b.matrix.shape[0]:
        return True
    wanted = part_of(need, b.columns)
    zero = np.zeros(1)
    reach = reach_of(b, at, zero, zero, wanted, doubts=doubts)
    if reach.short(wanted):
        return False
    b.reach = reach
    b.low[at] = b.high[at] = 0.0
    b.model.bound(at, zero, zero)
    _forget(b, at)
    return True


def _forget(b: Block, at: IntArray) -> None:
    """Drop the solutions that move a column."""
    b.pool = [(places, d) for places, d in b.pool if not (places == at[0]).any()]
    b.kept = sum(places.size for places, _ in b.pool)
    b.stacked = None
