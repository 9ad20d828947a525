"""How a pattern is searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from confide.linking.parallel import Progress
from confide.tables.audit.audit import judge
from confide.tables.moves.move import Move
from confide.tables.protect.clock import Clock
from confide.tables.protect.exchange import exchange
from confide.tables.protect.grow import Growing, grow, grow_for_others, prove
from confide.tables.protect.proofs import Proofs, Task
from confide.tables.protect.prune import prune
from confide.tables.protect.thin import thin
from confide.typing import BoolArray

OTHERS = 1000
"""How many linear programmes at most are solved for other attackers where a cube would do as well but may be dearer."""


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
    suppressed before being free of cost; beside it cubes, which need none (Repsilber 1994). No gap is known.
    """

    prune: int = 1_500_000_000
    """How much may be spent on publishing cells again: pivots of programmes times their columns, of which some twenty
    million take a second; 0: nothing. Never time, so that the same input gives the same pattern."""
    programmes: int = 10_000
    """How many linear programmes are solved where a cube would do as well but may be dearer."""
    exchange: int = 300
    """How many linear programmes are solved to exchange dear cells for cheaper ones; 0: none."""

    def search(self, task: Task, clock: Clock, progress: Progress) -> Found:
        """Grow a pattern, publish again what is not needed, prove it for all attackers, audit and repair it."""
        growing = Growing(task, begun(task), self.programmes)
        grow(growing, clock, progress)
        stopped = False
        try:
            thin(growing, clock)
            if self.prune:
                self._publish(growing, clock)
                if exchange(growing, clock, self.exchange):
                    self._publish(growing, clock)
        except KeyboardInterrupt:
            stopped = True
        growing.left = min(growing.left, OTHERS)
        grow_for_others(growing, Clock() if stopped else clock, progress)
        over = clock.over
        repair(growing)
        return Found(growing.proofs.suppressed, witnesses(growing.proofs), None, not (stopped or over))

    def _publish(self, growing: Growing, clock: Clock) -> None:
        """Publish again what is not needed."""
        shown = witnesses(growing.proofs)
        growing.keep(prune(growing.task, growing.proofs.suppressed, shown, clock, self.prune))
        prove(growing, clock)


def begun(task: Task) -> Proofs:
    """Begin with the sensitive cells alone."""
    start = np.zeros(task.system.n, dtype=np.bool_)
    start[task.primary] = True
    return Proofs(start)


def witnesses(proofs: Proofs) -> tuple[Move, ...]:
    """Give the moves that prove the claims, each once."""
    return tuple({id(move): move for _, move in proofs.held.values()}.values())


def repair(growing: Growing, rounds: int = 20) -> None:
    """Audit a pattern and protect what is exposed, until nothing is.

    Of each attacker the few cells that need most come first, twice as many in every round: what is suppressed for them
    often protects the others. Whoever learns too little does so of larger patterns too, and is not asked again.
    """
    task = growing.task
    names = {a.name: i for i, a in enumerate(task.attackers)}
    who, tried = list(range(len(task.attackers))), set[tuple[int, int]]()
    for turn in range(rounds):
        chosen, shown = np.flatnonzero(growing.proofs.suppressed), witnesses(growing.proofs)
        some = [task.attackers[a] for a in who]
        # what attackers conclude by themselves is found out when their cells are protected
        found = judge(task.system, chosen, task.protection, some, None, exact=False, witnesses=shown)
        if found.clean:
            break
        exposed: dict[int, list[int]] = {}
        for e in found.exposed:
            exposed.setdefault(names.get(e.attacker, -1), []).append(e.cell)
        who = sorted(a for a in exposed if a >= 0)
        for cell in exposed.get(-1, []):
            growing.again(-1, cell)
        for a in who:
            for cell in _neediest(task, exposed[a])[: 2**turn]:
                if (a, cell) in tried:
                    growing.again(a, cell)
                else:  # moves found for others may do
                    growing.protect(a, cell)
                    tried.add((a, cell))


def _neediest(task: Task, cells: list[int]) -> list[int]:
    """Put those cells first that need most."""
    p = task.protection
    return sorted(cells, key=lambda c: (-max(p.lower[c], p.upper[c], p.sliding[c]), c))
