"""A pattern as attackers see it: the reduced system of its suppressed cells, cut into blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array, csr_array

from confide.linking.parallel import Progress, silent
from confide.tables.attackers import Attacker
from confide.tables.audit.blocks import blocks_of
from confide.tables.audit.reach import Block, Need, settle
from confide.tables.audit.reduce import Reduced, reduce
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(slots=True, eq=False)
class View:
    """The system of suppressed cells, its blocks and what is asked of its columns."""

    system: System
    cells: IntArray
    protection: Protection
    reduced: Reduced
    blocks: list[Block]
    block: IntArray
    """The block of each column."""
    place: IntArray
    """The place of each column in its block."""
    asked: Mapping[int, list[int]]
    """The places of the sensitive cells of each column."""

    @property
    def solved(self) -> int:
        """How many linear programmes were solved."""
        return sum(b.solved for b in self.blocks)

    def need(self, *, exact: bool, every: bool) -> Need:
        """Say how far columns must reach.

        Args:
            exact: whether the exact ends are wanted.
            every: whether of all cells; else of the sensitive ones.
        """
        r, p = self.reduced, self.protection
        n = r.low.size
        if every and exact:
            return Need(np.full(n, np.inf), np.full(n, np.inf), np.zeros(n))
        need = Need(np.zeros(n), np.zeros(n), np.zeros(n))
        live = np.flatnonzero(r.column >= 0)
        at, f, cells = r.column[live], r.ratio[live], self.cells[live]
        size = np.abs(f)
        down, up = p.lower[cells] / size, p.upper[cells] / size
        np.maximum.at(need.low, at, np.where(f > 0, down, up))
        np.maximum.at(need.high, at, np.where(f > 0, up, down))
        np.maximum.at(need.wide, at, p.sliding[cells] / size)
        if exact:
            asked = (need.low > 0) | (need.high > 0) | (need.wide > 0)
            need.low[asked] = need.high[asked] = np.inf
        return need

    def need_from(self, attacker: Attacker, column: int) -> tuple[float, float, float]:
        """Say how far down, up and wide one column must reach from an attacker, who may know some of its cells better.

        What an attacker knows of a cell by itself limits what is asked of it.
        """
        at = np.array(self.asked.get(column, []), dtype=np.int64)
        cells, f, p = self.cells[at], self.reduced.ratio[at], self.protection
        size, (down, up) = np.abs(f), attacker.room(self.system, cells)
        lower, upper = np.minimum(p.lower[cells], down) / size, np.minimum(p.upper[cells], up) / size
        wide = np.minimum(p.sliding[cells], down + up) / size
        low, high = np.where(f > 0, lower, upper), np.where(f > 0, upper, lower)
        return float(low.max(initial=0.0)), float(high.max(initial=0.0)), float(wide.max(initial=0.0))

    def ends(self, low: FloatArray, high: FloatArray, at: IntArray) -> tuple[FloatArray, FloatArray]:
        """Carry the reach of columns over to suppressed cells, as deviations from the values."""
        column, f = self.reduced.column[at], self.reduced.ratio[at]
        fixed = column < 0
        if not low.size:
            return np.zeros(at.size), np.zeros(at.size)
        a, b = f * low[column], f * high[column]
        return np.where(fixed, 0.0, np.minimum(a, b)), np.where(fixed, 0.0, np.maximum(a, b))

    def reach(self) -> tuple[FloatArray, FloatArray]:
        """Gather how far the columns of all blocks reach."""
        low, high = np.zeros(self.reduced.low.size), np.zeros(self.reduced.low.size)
        for b in self.blocks:
            low[b.columns], high[b.columns] = b.reach.low, b.reach.high
        return low, high


def part_of(need: Need, columns: IntArray) -> Need:
    """Take what is asked of some columns."""
    return Need(need.low[columns], need.high[columns], need.wide[columns])


def look(system: System, cells: IntArray, protection: Protection) -> View:
    """Reduce the system of suppressed cells and cut it into blocks."""
    part = csr_array(csc_array(system.equations)[:, cells])
    x = system.values[cells]
    reduced = reduce(part, np.minimum(system.lower[cells] - x, 0.0), np.maximum(system.upper[cells] - x, 0.0))
    blocks = blocks_of(reduced)
    block, place = (np.zeros(reduced.low.size, dtype=np.int64) for _ in range(2))
    for i, b in enumerate(blocks):
        block[b.columns], place[b.columns] = i, np.arange(b.columns.size)
    asked: dict[int, list[int]] = {}
    for k in np.flatnonzero(np.isin(cells, protection.sensitive) & (reduced.column >= 0)).tolist():
        asked.setdefault(int(reduced.column[k]), []).append(k)
    return View(system, cells, protection, reduced, blocks, block, place, asked)


def settle_all(view: View, *, exact: bool, progress: Progress = silent) -> None:
    """Find how far all columns reach for the external attacker."""
    need = view.need(exact=exact, every=True)
    total = max(view.reduced.low.size, 1)
    done = 0
    for b in view.blocks:
        settle(b, b.reach, part_of(need, b.columns), lambda: progress(done, total))  # noqa: B023  called before the next turn
        done += b.columns.size
        progress(done, total)


def asked_of(view: View) -> BoolArray:
    """Say for which suppressed cells something is asked."""
    return np.isin(view.cells, view.protection.sensitive)
