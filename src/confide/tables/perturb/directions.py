"""Directions of sensitive cells by a rule, the least change for given directions, and the repair of directions."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array, csr_array, hstack

from confide.errors import InternalError
from confide.tables.audit.model import pass_model, solver
from confide.tables.perturb.swing import Swing
from confide.tables.protect.clock import Clock
from confide.typing import BoolArray, FloatArray, IntArray

SHORT = 1e-6
"""Levels missed by this share are met; the solver's rounding is smaller."""
EXACT = 1e-12
"""Levels met up to this share are met exactly."""
DEAR = 100.0
"""What it costs to miss a level by one unit, in the largest weight."""


def balanced(swing: Swing, sweeps: int = 10) -> BoolArray:
    """Let sensitive cells go up and down such that their levels cancel in the equations as far as possible.

    The largest levels choose first; then cells turn round as long as the sum of what is left in the equations falls.
    """
    a = csc_array(swing.system.equations)
    rest = np.zeros(a.shape[0])
    n = swing.sensitive.size
    moved = np.zeros(n)
    size = np.minimum(swing.down, swing.up)
    for _ in range(sweeps):
        turned = False
        for k in np.argsort(-size, kind="stable").tolist():
            own = slice(a.indptr[swing.sensitive[k]], a.indptr[swing.sensitive[k] + 1])
            rows, signs = a.indices[own], a.data[own]
            others = rest[rows] - signs * moved[k]
            left = [
                np.inf if np.isinf(d) else float(np.abs(others + signs * d).sum()) for d in (swing.up[k], -swing.down[k])
            ]
            new = float(swing.up[k] if left[0] <= left[1] else -swing.down[k])
            if new != moved[k]:
                rest[rows] = others + signs * new
                moved[k], turned = new, True
        if not turned:
            break
    return np.asarray(moved > 0)


class LeastChange:
    """The linear programme for given directions; it is kept, and directions change."""

    def __init__(self, swing: Swing) -> None:
        self.swing = swing
        self.unit = swing.unit
        n, s = swing.system.n, swing.sensitive
        a = swing.system.equations
        own = csr_array(csc_array(a)[:, s])
        self.n, self.s = n, s
        # columns: further up, further down, then the levels of sensitive cells up and down, each with a prize
        self.matrix = csr_array(hstack([a, -a, own, -own]))
        w = swing.weights / max(float(swing.weights.max(initial=0.0)), 1e-300)
        prize = w[s] - DEAR
        self.cost = np.concatenate([w, w, prize, prize])
        self.h = solver()
        self.solved = 0

    def _bounds(self, upward: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Open the columns of the chosen directions."""
        swing, s = self.swing, self.s
        more_up, more_down = swing.high.copy(), -swing.low
        up, down = (np.where(np.isinf(x), 0.0, x) for x in (swing.up, swing.down))
        more_up[s] = np.where(upward, np.maximum(swing.high[s] - up, 0.0), 0.0)
        more_down[s] = np.where(upward, 0.0, np.maximum(-swing.low[s] - down, 0.0))
        levels = np.concatenate([np.where(upward, up, 0.0), np.where(upward, 0.0, down)])
        high = np.concatenate([more_up, more_down, levels]) / self.unit
        return np.zeros(high.size), high

    def solve(self, upward: BoolArray, seconds: float | None) -> tuple[FloatArray, BoolArray] | None:
        """Give the changes of all cells, and which sensitive cells fall short of their level; None: the time is over."""
        import highspy

        low, high = self._bounds(upward)
        if seconds is not None:
            self.h.setOptionValue("time_limit", max(seconds, 0.01) + float(self.h.getRunTime()))
        if not self.solved:
            zero = np.zeros(self.matrix.shape[0])
            pass_model(self.h, self.matrix, (self.cost, low, high), (zero, zero))
        else:
            self.h.setOptionValue("presolve", "off")
            self.h.changeColsBounds(high.size, np.arange(high.size, dtype=np.int32), low, high)
        self.h.run()
        self.solved += 1
        status = self.h.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            raise InternalError(f"an adjustment has no solution: {self.h.modelStatusToString(status)}")
        z = np.clip(np.array(self.h.getSolution().col_value), low, high) * self.unit
        n, m = self.n, self.s.size
        d = z[:n] - z[n : 2 * n]
        reached = z[2 * n : 2 * n + m] - z[2 * n + m :]
        wanted = self.swing.level(upward)
        near = np.abs(reached - wanted) <= SHORT * np.abs(wanted)
        d[self.s] += np.where(np.abs(reached - wanted) <= EXACT * np.abs(wanted), wanted, reached)
        return d, np.asarray(~near)


def repaired(
    swing: Swing, upward: BoolArray, clock: Clock, rounds: int = 40
) -> tuple[FloatArray | None, BoolArray, LeastChange]:
    """Turn sensitive cells round that fall short of their level, until none does; changes are None where some still do.

    A cell turns round twice at most; then the cells beside it in its equations do.
    """
    programme = LeastChange(swing)
    upward = upward.copy()
    turned = np.zeros(upward.size, dtype=np.int64)
    a = swing.system.equations
    by_cell = csc_array(a)
    place = np.full(swing.system.n, -1)
    place[swing.sensitive] = np.arange(swing.sensitive.size)
    free = np.isfinite(swing.up) & np.isfinite(swing.down)
    for _ in range(rounds):
        found = programme.solve(upward, clock.left)
        if found is None:
            break
        d, short = found
        if not short.any():
            return d, upward, programme
        flip = np.flatnonzero(short & free & (turned < 2))
        if not flip.size:
            flip = _beside(a, by_cell, swing.sensitive[short], place)
            flip = flip[free[flip] & (turned[flip] < 2)]
        if not flip.size:
            break
        flip = _apart(flip, by_cell, swing)
        upward[flip] = ~upward[flip]
        turned[flip] += 1
    return None, upward, programme


def _apart(flip: IntArray, by_cell: csc_array, swing: Swing) -> IntArray:
    """Keep at most one cell of each equation, so that they do not turn round against each other."""
    used: set[int] = set()
    kept = []
    for k in flip.tolist():
        c = swing.sensitive[k]
        rows = set(by_cell.indices[by_cell.indptr[c] : by_cell.indptr[c + 1]].tolist())
        if not rows & used:
            kept.append(k)
            used |= rows
    return np.array(kept, dtype=np.int64)


def _beside(a: csr_array, by_cell: csc_array, cells: IntArray, place: IntArray) -> IntArray:
    """Give the sensitive cells in the equations of some cells."""
    rows = np.unique(np.concatenate([by_cell.indices[by_cell.indptr[c] : by_cell.indptr[c + 1]] for c in cells]))
    near = np.unique(a[rows].indices)
    return np.asarray(place[near][place[near] >= 0], dtype=np.int64)
