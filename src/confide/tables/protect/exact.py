"""The cheapest pattern, with a proof (Fischetti and Salazar-González 2001).

One binary variable says whether a cell is suppressed. That a sensitive cell can go far enough is a linear programme in
which suppressed cells may move; its dual gives an inequality between the binary variables that every protecting pattern
meets and this one does not. Inequalities are added until none is violated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from confide.linking.parallel import Progress
from confide.tables.audit.model import WarmModel
from confide.tables.moves.move import Move
from confide.tables.protect.clock import Clock
from confide.tables.protect.grow import Growing, grow, grow_for_others
from confide.tables.protect.master import Cut, Master
from confide.tables.protect.methods import Found, Heuristic, begun, repair, witnesses
from confide.tables.protect.proofs import Task, enough
from confide.tables.protect.prune import prune
from confide.tables.protection import TOLERANCE
from confide.typing import BoolArray, FloatArray

MUCH = 100.0
"""Cells without an upper bound move at most so many times the largest protection level, or by the largest value."""
ROUNDS = 60
"""How many times inequalities are sought for broken patterns before whole ones are asked for."""


@dataclass(frozen=True, slots=True)
class Exact:
    """Search the cheapest pattern by mixed-integer programming; for small and medium systems.

    Begins with the heuristic, so that there is a pattern whenever the time is over; `bound` and `gap` of the pattern say
    how far it may be from the cheapest.
    """

    gap: float = 1e-6
    """Which gap is good enough."""
    prune: int = 1_500_000_000
    """As in `Heuristic`."""

    def search(self, task: Task, clock: Clock, progress: Progress) -> Found:
        """Bound the cost from below by inequalities and from above by patterns, until both meet."""
        first = Heuristic(self.prune).search(task, clock, progress)
        best, moves = first.suppressed, first.witnesses
        if not task.primary.size:
            return Found(best, moves, 0.0, first.finished)
        master, judge = Master(task), Judge(task)
        bound, finished = 0.0, False
        try:
            _relax(master, judge, clock)
            while not clock.over:
                y, low, proven = master.whole(_turn(clock))
                bound = max(bound, low)
                cost = float(task.costs[best].sum())
                progress(int(1000 * bound / max(cost, 1e-300)), 1000)
                cuts = [] if y is None else judge.violated(y.astype(np.float64))
                if y is not None:
                    better, shown = (y, ()) if not cuts else _completed(task, y, self.prune)
                    if float(task.costs[better].sum()) < cost * (1 - 1e-12):
                        best, moves = better, shown
                if (proven and not cuts) or _gap(float(task.costs[best].sum()), bound) <= self.gap:
                    finished = True
                    break
                master.add(cuts)
        except KeyboardInterrupt:
            finished = False
        bound = min(bound, float(task.costs[best].sum()))
        return Found(best, moves, bound, finished)


def _turn(clock: Clock) -> float | None:
    """Give a part of the time that is left to one search, so that what it finds can still be used."""
    return None if clock.left is None else max(clock.left / 4, min(clock.left, 1.0))


def _gap(cost: float, bound: float) -> float:
    return (cost - bound) / cost if cost > 0 else 0.0


def _completed(task: Task, pattern: BoolArray, much: int) -> tuple[BoolArray, tuple[Move, ...]]:
    """Make a pattern protect by adding cells, then publish what is not needed."""
    proofs = begun(task)
    proofs.suppressed |= pattern
    growing = Growing(task, proofs)
    grow(growing, Clock())
    growing.keep(prune(task, proofs.suppressed, witnesses(proofs), Clock(), much))
    grow_for_others(growing, Clock())
    repair(growing)
    return growing.proofs.suppressed, witnesses(growing.proofs)


def _relax(master: Master, judge: Judge, clock: Clock) -> None:
    """Add inequalities for broken patterns, which is cheap and brings the bound near."""
    last = -np.inf
    for _ in range(ROUNDS):
        if clock.over:
            return
        y, value = master.broken()
        cuts = judge.violated(y)
        if not cuts or value < last + 1e-4 * abs(last):
            return
        last = value
        master.add(cuts)


class Judge:
    """Finds inequalities that a pattern violates."""

    def __init__(self, task: Task) -> None:
        self.task = task
        p = task.protection
        most = max(
            MUCH * max(float(x.max(initial=0.0)) for x in (p.lower, p.upper, p.sliding)),
            float(np.abs(task.system.values).max(initial=0.0)),
        )
        self.columns = np.flatnonzero(task.usable)
        self.place = np.full(task.system.n, -1)
        self.place[self.columns] = np.arange(self.columns.size)
        part = csr_array(task.system.equations[:, self.columns])
        part = part[np.flatnonzero(np.diff(part.indptr))]
        self.views = []
        for a in range(-1, len(task.attackers)):
            low, high = (z[self.columns] for z in task.bounds(a))
            self.views.append((np.maximum(low, -most), np.minimum(high, most)))
        self.model = WarmModel(part, *self.views[0])

    def violated(self, y: FloatArray) -> list[Cut]:
        """Give inequalities that a pattern, whole or broken, violates; of others only where the external has none."""
        for a in range(-1, len(self.task.attackers)):
            found = self._of(a, y)
            if found:
                return found
        return []

    def _of(self, attacker: int, y: FloatArray) -> list[Cut]:
        low, high = self.views[attacker + 1]
        part = np.clip(y[self.columns], 0.0, 1.0)
        self.model.bound(np.arange(self.columns.size), low * part, high * part)
        p, cuts = self.task.protection, []
        for s in p.sensitive.tolist():
            if self.task.knows(attacker, s):
                continue
            down, up = self._far(s, -1.0, low, high), self._far(s, 1.0, low, high)
            below, above, wide = self.task.asked(attacker, s)
            for (far, weights), asked in ((down, below), (up, above)):
                if not enough(far, asked * (1 - TOLERANCE)):
                    cuts.append(self._cut(s, weights, asked))
            if not enough(down[0] + up[0], wide * (1 - TOLERANCE)):
                cuts.append(self._cut(s, down[1] + up[1], wide))
        return cuts

    def _far(self, cell: int, sign: float, low: FloatArray, high: FloatArray) -> tuple[float, FloatArray]:
        """Move a cell as far as it goes; give what each suppressed cell adds to that at most, by the dual."""
        at = np.array([self.place[cell]])
        d = self.model.minimise(at, np.array([-sign]))
        reduced = self.model.duals()[1]
        # at the optimum, sign * d = sum of (-reduced)+ high y + (reduced)+ (-low) y
        return float(sign * d[at[0]]), np.maximum(-reduced, 0.0) * high + np.maximum(reduced, 0.0) * -low

    def _cut(self, cell: int, weights: FloatArray, asked: float) -> Cut:
        """Write sum of weights y >= asked, the cell's own part on the right, no weight larger than what is asked."""
        own = self.place[cell]
        rest = asked - float(weights[own])
        w = np.minimum(weights, rest) / rest
        w[own] = 0.0
        at = np.flatnonzero(w > 1e-9)
        return Cut(self.columns[at], w[at])
