"""How a pattern is searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from confide.linking.parallel import Progress
from confide.tables.audit.audit import audit
from confide.tables.protect.cheapest import Move
from confide.tables.protect.clock import Clock
from confide.tables.protect.grow import accept, find, grow, grow_for_others
from confide.tables.protect.neighbours import Neighbours
from confide.tables.protect.proofs import DOWN, UP, Claim, Proofs, Task
from confide.tables.protect.prune import prune
from confide.tables.protect.reason import unprotectable
from confide.typing import BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a search gives."""

    suppressed: BoolArray
    witnesses: tuple[Move, ...]
    """Moves that show how far cells reach."""
    bound: float | None
    finished: bool


class Method(Protocol):
    """A way to search a pattern."""

    def search(self, task: Task, clock: Clock, progress: Progress) -> Found:
        """Search; raise `Late` when the time is over before there is a pattern."""


@dataclass(frozen=True, slots=True)
class Heuristic:
    """Protect one cell after the other by the cheapest move of cells near it, then publish again what is not needed.

    After Kelly, Golden and Assad (1992): a linear programme for each cell that needs more protection than it has, cells
    suppressed before being free of cost. No gap is known.
    """

    prune: int = 5_000_000
    """How much may be spent on publishing cells again: programmes times their columns; 0: nothing. Never time, so that the
    same input gives the same pattern."""

    def search(self, task: Task, clock: Clock, progress: Progress) -> Found:
        """Grow a pattern, prune it, audit and repair it."""
        near = Neighbours.of(task.system.equations)
        proofs = begun(task)
        grow(task, near, proofs, clock, progress)
        stopped = False
        try:
            if self.prune:
                proofs = proofs.within(prune(task, proofs.suppressed, witnesses(proofs), clock, self.prune))
        except KeyboardInterrupt:
            stopped = True
        grow_for_others(task, near, proofs, Clock() if stopped else clock, progress)
        over = clock.over
        proofs = repaired(task, near, proofs)
        return Found(proofs.suppressed, witnesses(proofs), None, not (stopped or over))


def begun(task: Task) -> Proofs:
    """Begin with the sensitive cells alone."""
    start = np.zeros(task.system.n, dtype=np.bool_)
    start[task.primary] = True
    return Proofs(start)


def witnesses(proofs: Proofs) -> tuple[Move, ...]:
    """Give the moves that prove the claims, each once."""
    return tuple({id(move): move for _, move in proofs.held.values()}.values())


def repaired(task: Task, near: Neighbours, proofs: Proofs, rounds: int = 20) -> Proofs:
    """Audit a pattern and protect what is exposed, until nothing is."""
    names = {a.name: i for i, a in enumerate(task.attackers)}
    for _ in range(rounds):
        chosen = np.flatnonzero(proofs.suppressed)
        found = audit(task.system, chosen, task.protection, task.attackers, exact=False, witnesses=witnesses(proofs))
        if found.clean:
            break
        for e in found.exposed:
            attacker, p = names.get(e.attacker, -1), task.protection
            wide = float(p.sliding[e.cell])
            for side, level in (
                (DOWN, float(p.lower[e.cell])),
                (UP, max(float(p.upper[e.cell]), wide - float(p.lower[e.cell]))),
            ):
                claim = Claim(attacker, e.cell, side)
                move = find(task, near, proofs.suppressed, claim, level) if level > 0 else None
                if level > 0 and move is None:
                    raise unprotectable(task, near, attacker, e.cell, side)
                if move is not None:
                    accept(task, proofs, claim, level, move)
    return proofs
