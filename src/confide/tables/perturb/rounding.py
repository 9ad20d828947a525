"""Controlled rounding of a table, or of linked ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from confide.errors import TableError
from confide.tables.perturb.families import bottom_up, no_rounding, top_down
from confide.tables.perturb.grid import Grid
from confide.tables.perturb.programme import Effort, nearest_multiples, relaxed
from confide.tables.perturb.rounded import Rounded
from confide.tables.protect.clock import Clock, Late
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.typing import AnyArray, FloatArray, IntArray

SMALL = 1500
"""Systems of at most so many cells are rounded optimally unless a method is given."""
MOST_POWER = 32
"""Higher powers of a difference count the largest one alone, and overflow."""
RELAXED = 5000
"""Up to so many cells the bound is that of the linear programme; beyond, that of the nearest multiples."""


class Chosen(NamedTuple):
    """What a method gives."""

    multiples: FloatArray
    bound: float
    optimal: bool
    finished: bool


class RoundingMethod(Protocol):
    """A way to search a rounding."""

    def search(self, system: System, grid: Grid, fixed: IntArray, clock: Clock) -> Chosen:
        """Search; raise `Late` when the time is over before there is a rounding, `Unprotectable` when there is none."""


@dataclass(frozen=True, slots=True)
class FamilyRounding:
    """Round totals first, then the parts of rounded totals, each family by a small programme of its own.

    For large systems. The distance may be larger than that of `OptimalRounding`, and some cells may take more steps than
    needed; the result's `bound` and `gap` say how far it may be from the nearest.
    """

    steps: int = 16
    """How many steps a cell may take at most."""

    def search(self, system: System, grid: Grid, fixed: IntArray, clock: Clock) -> Chosen:
        """Go from the top down; where that ends, add up the rounded inner cells."""
        k = top_down(system, grid, self.steps, clock)
        k = bottom_up(system, grid) if k is None else k
        every = np.arange(system.n)
        if k is None:
            found = nearest_multiples(grid, system.equations, _zero(system), every, self.steps, Effort(1.0, clock.left))
            if found.multiples is None and not found.proven:
                raise Late
            if found.multiples is None:
                raise no_rounding(system, grid, fixed, self.steps)
            k = found.multiples
        steps = int(grid.steps(k).max(initial=1))
        bound = grid.nearest_of(every)
        if system.n <= RELAXED:
            bound = max(bound, relaxed(grid, system.equations, max(steps, 1), clock.left) or 0.0)
        return Chosen(k, bound, False, not clock.over)


@dataclass(frozen=True, slots=True)
class OptimalRounding:
    """Search the nearest rounding by mixed-integer programming, with as few steps as there is one for.

    Begins with that of `FamilyRounding`, which is given back when the time is over.
    """

    gap: float = 1e-6
    """Which gap is good enough."""
    steps: int = 16
    """How many steps a cell may take at most."""

    def search(self, system: System, grid: Grid, fixed: IntArray, clock: Clock) -> Chosen:
        """Try one step, then two, until there is a rounding."""
        every = np.arange(system.n)
        first = top_down(system, grid, self.steps, clock)
        known = 0 if first is None else max(1, int(grid.steps(first).max(initial=1)))
        for steps in range(1, self.steps + 1):
            start = first if first is not None and known <= steps else None
            effort = Effort(self.gap, clock.left)
            found = nearest_multiples(grid, system.equations, _zero(system), every, steps, effort, start)
            if found.multiples is not None:
                return Chosen(found.multiples, found.bound, found.proven, found.proven)
            if not found.proven:
                if first is None:
                    raise Late
                return Chosen(first, grid.nearest_of(every), False, False)
        raise no_rounding(system, grid, fixed, self.steps)


def round_table(
    system: System,
    base: float,
    *,
    protection: Protection | None = None,
    fixed: Iterable[int] | AnyArray = (),
    power: float = 1.0,
    method: RoundingMethod | None = None,
    time_limit: float | None = None,
) -> Rounded:
    """Round every cell to a multiple of a base so that all sums still hold, as near to the true values as possible.

    A value goes to one of its two neighbouring multiples, a multiple stays as it is. Tables of two variables always have
    such a rounding; others may need cells that go farther, and then the least number of steps is sought for which there is
    one (`OptimalRounding`), or a small one (`FamilyRounding`). Cells known not to be negative stay so. The same input gives
    the same rounding, unless a time limit ends the search.

    Args:
        system: the cells and their equations, of one table or of several linked ones.
        base: what published values are multiples of.
        protection: what must remain unknown; judged by `Rounded.audit`, it does not steer the rounding.
        fixed: cells that must take their nearest multiple, the larger of two.
        power: the power of the differences that is added up; 1: their absolute values, 2: their squares.
        method: None: optimal for up to 1,500 cells, else by families.
        time_limit: seconds.

    >>> from confide.tables.nested import nested_system
    >>> found = round_table(nested_system([[3, 5, 9], [6, 6, 7], [8, 2, 7]]), 5)
    >>> found.values.reshape(4, 4).astype(int).tolist()
    [[50, 15, 10, 25], [15, 0, 5, 10], [20, 5, 5, 10], [15, 10, 0, 5]]
    >>> found
    Rounded(16 cells to multiples of 5, 15 changed; distance 30, optimal, gap 0.00%)
    """
    if not (np.isfinite(base) and base > 0):
        raise TableError(f"the base must be a number above 0; found {base}")
    if not 1 <= power <= MOST_POWER:
        raise TableError(f"the power of the distance must be between 1 and {MOST_POWER}; found {power:g}")
    if protection is not None and protection.lower.size != system.n:
        raise TableError(f"protection levels for {protection.lower.size:,} cells, and there are {system.n:,}; give one each")
    kept = system.cells(fixed, "fixed")
    grid = Grid.of(system, float(base), kept, float(power))
    way = method or (OptimalRounding() if system.n <= SMALL else FamilyRounding())
    clock = Clock(time_limit)
    try:
        k, bound, optimal, finished = way.search(system, grid, kept, clock)
    except Late:
        raise TableError(
            f"no rounding was found within {time_limit:g} seconds, for {system.n:,} cells; give more time, or another base"
        ) from None
    least = base * max(bound, 0.0) ** (1 / power)  # a solver may be a little below zero
    return Rounded(
        system, float(base), k * base + 0.0, grid.steps(k), kept, float(power), least, optimal, finished, protection
    )


def _zero(system: System) -> FloatArray:
    return np.zeros(system.equations.shape[0])
