"""The programme of controlled rounding: multiples near the values that add up, as near as possible.

A cell goes up from its least multiple by steps of one base; each step is a column with the change of the distance as its
cost. The distance is convex, so steps are taken in their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csc_array, csr_array

from confide.tables.audit.model import pass_model, solver
from confide.tables.perturb.grid import Grid
from confide.typing import FloatArray, IntArray

if TYPE_CHECKING:
    import highspy


class Effort(NamedTuple):
    """How long a programme may search."""

    gap: float = 1e-6
    seconds: float | None = None
    nodes: int | None = None
    """How many nodes; unlike seconds the same on every machine."""


class Solved(NamedTuple):
    """What the programme gave."""

    multiples: FloatArray | None
    """The multiples of the cells; None: none found."""
    bound: float
    """The least distance that any has, in units of the base."""
    proven: bool
    """Whether these are the nearest, up to the gap, or it is proven that there are none."""


class Columns(NamedTuple):
    """The steps that cells can take, one column each."""

    cell: IntArray
    """The place of the cell among those asked for."""
    before: FloatArray
    """The multiple before the step."""
    cost: FloatArray
    low: FloatArray
    """The least multiple of each cell."""
    base: float
    """The distance of the least multiples."""

    @classmethod
    def of(cls, grid: Grid, cells: IntArray, steps: int) -> Columns:
        """Write the steps of some cells."""
        low, high = grid.ends(steps, cells)
        many = (high - low).astype(np.int64)
        cell = np.repeat(np.arange(cells.size), many)
        before = low[cell] + np.arange(cell.size) - np.repeat(np.cumsum(many) - many, many)
        cost = grid.cost(before + 1, cells[cell]) - grid.cost(before, cells[cell])
        return cls(cell, before, cost, low, float(grid.cost(low, cells).sum()))

    def given_to(self, h: highspy.Highs, a: csr_array, target: FloatArray) -> None:
        """Give a solver the programme with parts of steps."""
        rest = target - a @ self.low
        m = self.cell.size
        pass_model(h, csr_array(csc_array(a)[:, self.cell]), (self.cost, np.zeros(m), np.ones(m)), (rest, rest))


def nearest_multiples(
    grid: Grid,
    a: csr_array,
    target: FloatArray,
    cells: IntArray,
    steps: int,
    effort: Effort,
    start: FloatArray | None = None,
) -> Solved:
    """Find multiples k of some cells with a @ k == target.

    Args:
        grid: the cells.
        a: the equations, with one column for each of the cells.
        target: what the equations must give.
        cells: the places of the cells.
        steps: how many steps a cell may go.
        effort: when to stop.
        start: multiples to begin with.
    """
    import highspy

    c = Columns.of(grid, cells, steps)
    m = c.cell.size
    if not m:
        good = not bool(np.any(np.abs(target - a @ c.low) > 0.5))
        return Solved(c.low if good else None, c.base if good else np.inf, True)
    h = solver(effort.seconds)
    h.setOptionValue("mip_rel_gap", 0.0)
    h.setOptionValue("mip_abs_gap", max(effort.gap * grid.nearest_of(cells), 1e-9))
    if effort.nodes is not None:
        h.setOptionValue("mip_max_nodes", effort.nodes)
    c.given_to(h, a, target)
    h.changeColsIntegrality(m, np.arange(m, dtype=np.int32), np.full(m, highspy.HighsVarType.kInteger))
    if start is not None:
        taken = highspy.HighsSolution()
        taken.col_value = (c.before < start[c.cell]).astype(np.float64).tolist()
        h.setSolution(taken)
    h.run()
    status, info = h.getModelStatus(), h.getInfo()
    if status == highspy.HighsModelStatus.kInfeasible:
        return Solved(None, np.inf, True)
    k = None
    if info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
        taken_steps = np.rint(np.array(h.getSolution().col_value))
        k = c.low + np.bincount(c.cell, weights=taken_steps, minlength=cells.size)
    bound = c.base + float(info.mip_dual_bound)
    return Solved(k, bound if np.isfinite(bound) else 0.0, status == highspy.HighsModelStatus.kOptimal)


def relaxed(grid: Grid, a: csr_array, steps: int, seconds: float | None = None) -> float | None:
    """Give the least distance when parts of steps are allowed: what no rounding can beat; None: not found in time."""
    import highspy

    c = Columns.of(grid, np.arange(grid.units.size), steps)
    if not c.cell.size:
        return c.base
    h = solver(seconds)
    c.given_to(h, a, np.zeros(a.shape[0]))
    h.run()
    found = h.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(h.getInfo().objective_function_value) + c.base if found else None
