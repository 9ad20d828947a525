"""What is asked of a pattern, and the moves that prove it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from confide.tables.attackers import Attacker
from confide.tables.moves.move import Move
from confide.tables.protection import TOLERANCE, Protection
from confide.tables.system import System
from confide.typing import BoolArray, FloatArray, IntArray

DOWN, UP = 0, 1


class Claim(NamedTuple):
    """That a cell can go down or up as far as it must, whatever an attacker knows."""

    attacker: int
    """The place of the attacker; -1: external."""
    cell: int
    side: int


class Known(NamedTuple):
    """How far cells of which an attacker knows something may go below and above their values, for this attacker."""

    cells: IntArray
    """Ascending."""
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What is to be protected from whom, and what may be suppressed for it."""

    system: System
    protection: Protection
    primary: IntArray
    usable: BoolArray
    """Cells that may be suppressed."""
    costs: FloatArray
    attackers: list[Attacker] = field(default_factory=list)
    """With what they conclude by themselves; what is found on the way is added."""

    low: FloatArray = field(init=False)
    """How far down everybody lets cells go."""
    high: FloatArray = field(init=False)
    """How far up."""
    _known: dict[int, Known] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Work out the bounds once."""
        x = self.system.values
        for name, bound in (
            ("low", np.minimum(self.system.lower - x, 0.0)),
            ("high", np.maximum(self.system.upper - x, 0.0)),
        ):
            object.__setattr__(self, name, bound)

    def bounds(self, attacker: int = -1) -> tuple[FloatArray, FloatArray]:
        """Give how far down and up cells may move for all that an attacker knows."""
        if attacker < 0:
            return self.low, self.high
        return self.attackers[attacker].bounds(self.system)

    def known(self, attacker: int) -> Known:
        """Give what an attacker knows."""
        if attacker not in self._known:
            who = self.attackers[attacker]
            cells = np.array(who.cells, dtype=np.int64)
            x = self.system.values[cells]
            low, high = (
                np.array([side.get(c, far) for c in cells.tolist()], dtype=np.float64) - x
                for side, far in ((who.lower, -np.inf), (who.upper, np.inf))
            )
            self._known[attacker] = Known(cells, np.minimum(low, 0.0), np.maximum(high, 0.0))
        return self._known[attacker]

    def conclude(self, attacker: int, more: Attacker) -> None:
        """Add to what an attacker knows."""
        self.attackers[attacker] = more
        self._known.pop(attacker, None)

    def shrunk(self, attacker: int, move: Move) -> float:
        """Say how much of a move that everybody must allow for an attacker must allow for too."""
        if attacker < 0:
            return 1.0
        known = self.known(attacker)
        at = np.minimum(move.cells.searchsorted(known.cells), move.cells.size - 1)
        hit = np.flatnonzero((move.cells[at] == known.cells) & (move.amounts[at] != 0))
        d = move.amounts[at[hit]]
        return float((np.where(d > 0, known.high[hit], known.low[hit]) / d).min(initial=1.0))

    def asked(self, attacker: int, cell: int) -> tuple[float, float, float]:
        """Say how far down, up and wide a cell must reach from an attacker, whose own knowledge limits what is asked."""
        p = self.protection
        down, up, wide = float(p.lower[cell]), float(p.upper[cell]), float(p.sliding[cell])
        who = self.attackers[attacker] if attacker >= 0 else None
        if who is None or not (cell in who.lower or cell in who.upper):
            return down, up, wide
        most = who.room(self.system, np.array([cell]))
        far = float(most[0][0]), float(most[1][0])
        return min(down, far[0]), min(up, far[1]), min(wide, sum(far))

    def knows(self, attacker: int, cell: int) -> bool:
        """Say whether an attacker knows a cell exactly, so that nothing can be hidden."""
        if attacker < 0:
            return False
        who = self.attackers[attacker]
        return cell in who.lower and who.lower[cell] == who.upper.get(cell)


@dataclass(slots=True, eq=False)
class Proofs:
    """A pattern in the making: what is suppressed, and for each claim the amount and the move that proves it."""

    suppressed: BoolArray
    held: dict[Claim, tuple[float, Move]] = field(default_factory=dict)
    best: list[dict[int, tuple[float, Move]]] = field(default_factory=lambda: [{}, {}])
    """For each side and cell how far some move goes, for the external attacker."""
    other: list[dict[int, list[tuple[float, Move]]]] = field(default_factory=lambda: [{}, {}])
    """For each side and cell the moves that were found because of other attackers; most attackers allow for some of them."""

    def learn(self, move: Move, low: FloatArray, high: FloatArray) -> None:
        """Take in a move and its opposite, each as long as it can be."""
        for way in (move, move.times(-1.0)):
            room = min(way.most(low, high), 1e6)
            if room <= 0:
                continue
            long = way.times(room)
            for c, d in zip(long.cells.tolist(), long.amounts.tolist(), strict=True):
                side = UP if d > 0 else DOWN
                old = self.best[side].get(c)
                if old is None or abs(d) > old[0]:
                    self.best[side][c] = abs(d), long

    def reach(self, cell: int, side: int) -> float:
        """Give how far a cell is known to go, for the external attacker."""
        found = self.best[side].get(cell)
        return 0.0 if found is None else found[0]

    def known(self, claim: Claim) -> list[tuple[float, Move]]:
        """Give moves that may prove a claim, and how far they go."""
        best = self.best[claim.side].get(claim.cell)
        return ([] if best is None else [best]) + (self.other[claim.side].get(claim.cell, []) if claim.attacker >= 0 else [])

    def within(self, suppressed: BoolArray) -> Proofs:
        """Keep what a smaller pattern still proves."""
        held = {claim: (amount, move) for claim, (amount, move) in self.held.items() if suppressed[move.cells].all()}
        best = [{c: found for c, found in side.items() if suppressed[found[1].cells].all()} for side in self.best]
        return Proofs(suppressed, held, best)


def enough(found: float, asked: float) -> bool:
    """Say whether an amount is as large as asked, up to rounding."""
    return found >= asked * (1 - TOLERANCE)
