"""The cheapest way to move one cell by an amount: which further cells must move with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, hstack

from confide.tables.audit.model import pass_model, solver
from confide.tables.moves.move import Move
from confide.tables.moves.neighbours import Neighbours
from confide.typing import BoolArray, FloatArray, IntArray

SIZES = (250, 1500, 10_000)
"""How many cells around a cell are looked at, before all are."""
HINTED = 1500
"""How many cells around a cell are looked at where a move is known."""
PIVOTS = 4000
"""After so many, and as many as there are cells, interior points are tried."""
SMALL = 1e-7
"""Amounts smaller than this share of the asked one are the solver's rounding."""


def most_pivots(cells: int) -> int:
    """Say how many pivots a programme of so many cells may take; pivots that lead nowhere were seen to go on for minutes."""
    return max(PIVOTS, cells)


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """What may move, how far, and what it costs."""

    usable: BoolArray
    low: FloatArray
    high: FloatArray
    cost: FloatArray
    """Per cell."""
    free: BoolArray
    """Cells that cost nothing, being suppressed anyhow."""

    def of(self, cells: IntArray) -> FloatArray:
        """Give what some cells cost."""
        return np.where(self.free[cells], 0.0, self.cost[cells])


def cheapest_move(
    near: Neighbours, cell: int, amount: float, costs: Costs, most: int | None = None, hint: Move | None = None
) -> Move | None:
    """Find the cheapest move of a cell by an amount; None where there is none.

    The cost of a move is the sum of amounts times costs, which leads to few and cheap cells without being the least number
    of them. Looks near the cell first, then farther away.

    Args:
        near: the equations.
        cell: the cell.
        amount: by how much it moves.
        costs: what may move, how far, and what it costs.
        most: how many cells around it are looked at; None: all.
        hint: a move that is possible; then its cells are looked at beside a fixed number of others, and no more.
    """
    if not costs.low[cell] * (1 + SMALL) <= amount <= costs.high[cell] * (1 + SMALL):
        return None
    if hint is not None:
        cells = np.union1d(near.around(cell, costs.usable, costs.of, HINTED), hint.cells)
        return _solve(near.part(cells), cells, cell, amount, costs)
    last = 0
    end = costs.usable.size if most is None else most
    for size in (*(s for s in SIZES if s < end), end):
        cells = near.around(cell, costs.usable, costs.of, size)
        if cells.size == last:
            continue
        last = cells.size
        found = _solve(near.part(cells), cells, cell, amount, costs)
        if found is not None:
            return found
        if cells.size < size:  # all that hangs together was there
            return None
    return None


def _solve(a: csr_array, cells: IntArray, cell: int, amount: float, costs: Costs) -> Move | None:
    """Solve min cost of ups and downs with A (up - down) = 0 and the cell's amount given, in units of the amount."""
    import highspy

    unit = abs(amount)
    own = int(np.searchsorted(cells, cell))
    down, up = np.minimum(-costs.low[cells] / unit, 1e6), np.minimum(costs.high[cells] / unit, 1e6)
    down[own], up[own] = max(-np.sign(amount), 0.0), max(np.sign(amount), 0.0)
    low = np.zeros(2 * cells.size)
    low[own], low[own + cells.size] = up[own], down[own]
    cost = costs.of(cells)
    cost = cost / max(float(cost.max()), 1e-300) + 1e-6
    cost[own] = 0.0
    h = solver()
    h.setOptionValue("presolve", "off")  # small programmes are solved before it pays
    zero = np.zeros(a.shape[0])
    room = np.concatenate([up, down])
    # a cell that can take only a part of the amount costs as much as one that can take it all
    each = np.concatenate([cost, cost]) / np.clip(room, 1e-6, 1.0)
    columns = each, low, room
    pass_model(h, csr_array(hstack([a, -a])), columns, (zero, zero))
    h.setOptionValue("simplex_iteration_limit", most_pivots(cells.size))
    h.run()
    if h.getModelStatus() == highspy.HighsModelStatus.kIterationLimit:  # pivots that lead nowhere
        h.clearSolver()
        for name, value in (("presolve", "on"), ("solver", "ipm"), ("simplex_iteration_limit", 2_147_483_647)):
            h.setOptionValue(name, value)
        h.run()
    if h.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    both = np.array(h.getSolution().col_value)
    d = both[: cells.size] - both[cells.size :]
    at = np.flatnonzero(np.abs(d) > SMALL)
    return Move(cells[at], d[at] * unit)
