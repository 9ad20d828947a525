"""Publish again what cubes can do without."""

from __future__ import annotations

import numpy as np

from confide.tables.moves.cubes import Cubes
from confide.tables.moves.move import Move
from confide.tables.protect.clock import Clock
from confide.tables.protect.grow import Growing
from confide.tables.protect.proofs import UP, Claim

USES = 100
"""Cells that more proofs need stay suppressed."""
ROUNDS = 6
"""How often all cells are gone through."""
ENOUGH = 0.005
"""A round that saves less than this share of the cost is the last."""

Replaced = dict[Claim, tuple[float, Move]]


def thin(growing: Growing, clock: Clock) -> None:
    """Publish secondary cells, the dearest first, where cubes that cost less can replace all proofs that move them.

    Args:
        growing: the pattern; claims about everybody only.
        clock: the time; what is found when it is over is kept.
    """
    if growing.cubes is None:
        return
    uses: dict[int, set[Claim]] = {}
    for claim, (_, move) in growing.proofs.held.items():
        for c in move.cells.tolist():
            uses.setdefault(c, set()).add(claim)
    task, suppressed = growing.task, growing.proofs.suppressed.copy()
    primary = np.zeros(task.system.n, dtype=np.bool_)
    primary[task.primary] = True
    for _ in range(ROUNDS):
        before = float(task.costs[suppressed].sum())
        chosen = np.flatnonzero(suppressed & ~primary)
        for cell in chosen[np.lexsort((chosen, -task.costs[chosen]))].tolist():
            if clock.over:
                break
            users = uses.get(cell, set())
            found = None if len(users) > USES else _without(growing, growing.cubes, cell, sorted(users))
            if found is not None:
                suppressed[cell] = False
                _replace(growing, uses, found)
                for _, move in found.values():
                    suppressed[move.cells] = True
        if before - float(task.costs[suppressed].sum()) <= ENOUGH * before:
            break
    growing.keep(suppressed)


def _without(growing: Growing, cubes: Cubes, cell: int, users: list[Claim]) -> Replaced | None:
    """Prove claims without a cell at less than its cost; None where that cannot be, and then all is as before."""
    low, high, own = growing.low[cell], growing.high[cell], growing.task.costs[cell]
    growing.low[cell], growing.high[cell], growing.cost[cell] = 0.0, 0.0, own
    left, found = float(own) * (1 - 1e-9), {}
    taken: list[tuple[int, float]] = []
    for claim in users:
        amount = growing.proofs.held[claim][0]
        sides = (amount, 0.0) if claim.side == UP else (0.0, amount)
        cube = cubes.best(claim.cell, *sides, growing.room, left)
        if cube is None:
            growing.cost[cell] = 0.0
            for c, cost in taken:
                growing.cost[c] = cost
            growing.low[cell], growing.high[cell] = low, high
            return None
        left -= cube[0]
        found[claim] = amount, cube[1].times(amount if claim.side == UP else -amount)
        for c in cube[1].cells[growing.cost[cube[1].cells] > 0].tolist():
            taken.append((c, float(growing.cost[c])))
            growing.cost[c] = 0.0
    growing.low[cell], growing.high[cell] = low, high
    return found


def _replace(growing: Growing, uses: dict[int, set[Claim]], found: Replaced) -> None:
    """Put new proofs in the place of the old ones."""
    for claim, (amount, move) in found.items():
        for c in growing.proofs.held[claim][1].cells.tolist():
            uses[c].discard(claim)
        growing.proofs.held[claim] = amount, move
        for c in move.cells.tolist():
            uses.setdefault(c, set()).add(claim)
