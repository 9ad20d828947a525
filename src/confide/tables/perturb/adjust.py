"""Controlled tabular adjustment (Dandekar and Cox 2002; Castro 2006)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from confide.errors import InternalError, TableError, Unprotectable
from confide.tables.perturb.adjusted import Adjusted
from confide.tables.perturb.directions import LeastChange, balanced, repaired
from confide.tables.perturb.programme import Effort
from confide.tables.perturb.swing import Swing, weights_of
from confide.tables.perturb.switch import best_directions
from confide.tables.protect.clock import Clock, Late
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.typing import AnyArray, BoolArray, FloatArray, IntArray

SMALL = 40
"""Up to so many sensitive cells are adjusted optimally unless a method is given."""


class Moved(NamedTuple):
    """What a method gives."""

    change: FloatArray
    upward: BoolArray
    bound: float
    optimal: bool
    finished: bool


class AdjustmentMethod(Protocol):
    """A way to choose the directions of sensitive cells."""

    def search(self, swing: Swing, clock: Clock) -> Moved:
        """Search; raise `Late` when the time is over before there is an adjustment, `Unprotectable` when there is none."""


@dataclass(frozen=True, slots=True)
class BalancedAdjustment:
    """Let levels of sensitive cells cancel in the equations, change the others as little as possible, turn round what fails.

    For large systems: a linear programme for each round of repairs. The bound is the distance of the sensitive cells alone.
    """

    nodes: int = 500
    """How long directions are sought by mixed-integer programming where repairs fail: in nodes, never in time."""

    def search(self, swing: Swing, clock: Clock) -> Moved:
        """Balance, then repair."""
        d, upward, programme = repaired(swing, balanced(swing), clock)
        if d is None:
            found = best_directions(swing, Effort(1.0, clock.left, self.nodes))
            if found.upward is None and found.proven:
                raise no_adjustment(swing)
            if found.upward is None:
                if clock.over:
                    raise Late
                raise TableError(
                    f"no directions were found for {swing.sensitive.size:,} sensitive cells within {self.nodes:,} nodes, "
                    "and it is not proven that there are none; use OptimalAdjustment(), or freeze fewer cells"
                )
            upward = found.upward
            d = _change(programme, upward)
        return Moved(d, upward, swing.least, False, not clock.over)


@dataclass(frozen=True, slots=True)
class OptimalAdjustment:
    """Search the directions with the least change by mixed-integer programming.

    Begins with `BalancedAdjustment`, whose adjustment is given back when the time is over and no better one was found.
    """

    gap: float = 1e-6
    """Which gap is good enough."""

    def search(self, swing: Swing, clock: Clock) -> Moved:
        """Begin with the heuristic, then solve."""
        d, upward, programme = repaired(swing, balanced(swing), clock)
        start = None if d is None else (d, upward)
        found = best_directions(swing, Effort(self.gap, clock.left), start)
        if found.upward is None and found.proven:
            raise no_adjustment(swing)
        if found.upward is None and d is None:
            raise Late
        best, chosen = d, upward
        if found.upward is not None:
            other = _change(programme, found.upward)
            if best is None or _cost(swing, other) < _cost(swing, best):
                best, chosen = other, found.upward
        if best is None:
            raise Late
        bound = min(max(found.bound, swing.least), _cost(swing, best))
        return Moved(best, chosen, bound, found.proven, found.proven)


def adjust_table(
    system: System,
    protection: Protection,
    *,
    costs: AnyArray | None = None,
    frozen: Iterable[int] | AnyArray = (),
    method: AdjustmentMethod | None = None,
    time_limit: float | None = None,
) -> Adjusted:
    """Move sensitive cells down by their lower or up by their upper protection level, or farther; the others follow.

    All sums and all bounds hold, and the weighted sum of absolute changes is as small as possible. A sensitive cell for
    which only a width is asked (`sliding`) moves by half of it at least. A cell without a level in one direction moves in
    the other. Values are not kept whole. The same input gives the same table, unless a time limit ends the search.

    Args:
        system: the cells, their equations and bounds, of one table or of several linked ones.
        protection: the levels of sensitive cells.
        costs: what a change by one unit costs; None: one over the value.
        frozen: cells that keep their value.
        method: None: optimal for up to 40 sensitive cells, else `BalancedAdjustment`.
        time_limit: seconds.

    >>> from confide.tables.nested import nested_system
    >>> table = nested_system([[3, 5, 9], [6, 6, 7], [8, 2, 7]])
    >>> found = adjust_table(table, Protection.of(table, [5, 6], 0.4))
    >>> found.values.reshape(4, 4)[1].round(6).tolist()
    [17.8, 1.8, 7.0, 9.0]
    >>> found
    Adjusted(2 sensitive cells, 1 of them up, and 4 others of 16 changed; distance 1.08659, optimal, gap 0.00%)
    """
    if protection.lower.size != system.n:
        raise TableError(
            f"protection levels for {protection.lower.size:,} cells, and there are {system.n:,}; give one for each"
        )
    kept = system.cells(frozen, "frozen")
    swing = Swing.of(system, protection, kept, weights_of(system, costs))
    if not swing.sensitive.size:
        none = np.zeros(0, dtype=np.bool_)
        return Adjusted(system, protection, system.values, swing.sensitive, none, kept, swing.weights, 0.0, True)
    way = method or (OptimalAdjustment() if swing.sensitive.size <= SMALL else BalancedAdjustment())
    try:
        d, upward, bound, optimal, finished = way.search(swing, Clock(time_limit))
    except Late:
        raise TableError(
            f"no adjustment was found within {time_limit:g} seconds, for {system.n:,} cells, {swing.sensitive.size:,} of "
            "them sensitive; give more time"
        ) from None
    values = np.clip(system.values + d, np.minimum(system.lower, system.values), np.maximum(system.upper, system.values))
    return Adjusted(system, protection, values, swing.sensitive, upward, kept, swing.weights, bound, optimal, finished)


def _cost(swing: Swing, d: FloatArray) -> float:
    return float((swing.weights * np.abs(d)).sum())


def _change(programme: LeastChange, upward: BoolArray) -> FloatArray:
    """Give the least change for directions that are known to be possible."""
    found = programme.solve(upward, None)
    if found is None or found[1].any():
        raise InternalError("directions that a programme found possible are not")
    return found[0]


def no_adjustment(swing: Swing, tries: int = 200) -> Unprotectable:
    """Say why there is none: the fewest sensitive cells that cannot all be moved, and the frozen cells that hold them."""
    every = np.ones(swing.sensitive.size, dtype=np.bool_)

    def without(held: IntArray) -> Swing:
        mask = np.zeros(every.size, dtype=np.bool_)
        mask[held] = True
        return swing.only(mask)

    cells = _fewest(np.flatnonzero(every), lambda held: _impossible(without(held)), tries)
    small = without(cells)
    fixed = np.flatnonzero((swing.low == 0) & (swing.high == 0))

    def thawed(held: IntArray) -> Swing:
        low, high = small.low.copy(), small.high.copy()
        free = np.setdiff1d(fixed, held)
        low[free], high[free] = -np.inf, np.inf
        return Swing(small.system, small.sensitive, small.down, small.up, low, high, small.weights)

    frozen = _fewest(fixed, lambda held: _impossible(thawed(held)), tries)
    system, s = swing.system, small.sensitive
    rows = np.flatnonzero(np.asarray(abs(system.equations)[:, np.union1d(s, frozen)].sum(axis=1)).ravel() > 1)
    shown = "; ".join(system.equation(int(e)) for e in rows[:3])
    what = "them" if s.size > 1 else "it"
    held = f"{frozen.size:,} frozen cell(s) hold {what}: {system.listed(frozen)}" if frozen.size else f"bounds hold {what}"
    return Unprotectable(
        f"{system.listed(s)} cannot be moved {'together ' if s.size > 1 else ''}as far as asked: {held}"
        f"{', in ' + shown if shown else ''}; free a cell, widen the bounds or lower the levels",
        int(s[0]), frozen.tolist(), rows.tolist(),
    )  # fmt: skip


def _impossible(swing: Swing) -> bool:
    found = best_directions(swing, Effort(1.0, None, 200))
    return found.proven and found.upward is None


def _fewest(cells: IntArray, impossible: Callable[[IntArray], bool], tries: int) -> IntArray:
    """Leave cells away, groups first, as long as it stays impossible."""
    keep, size = cells, max(1, cells.size // 2)
    while size >= 1 and tries > 0:
        start = 0
        while start < keep.size and tries > 0:
            rest = np.delete(keep, slice(start, start + size))
            tries -= 1
            if impossible(rest):
                keep = rest
            else:
                start += size
        size //= 2
    return keep
