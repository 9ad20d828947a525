"""Protect one cell after the other by the cheapest move, until every claim is proven."""

from __future__ import annotations

import numpy as np

from confide.linking.parallel import Progress, silent
from confide.tables.protect.cheapest import Costs, Move, cheapest_move
from confide.tables.protect.clock import Clock
from confide.tables.protect.neighbours import Neighbours
from confide.tables.protect.proofs import DOWN, UP, Claim, Proofs, Task, enough
from confide.tables.protect.reason import unprotectable
from confide.typing import BoolArray, IntArray


def in_order(task: Task) -> IntArray:
    """Give the sensitive cells, those first that need most."""
    p, s = task.protection, task.protection.sensitive
    need = np.maximum(np.maximum(p.lower, p.upper), p.sliding)[s]
    return s[np.lexsort((s, -need))]


def grow(task: Task, near: Neighbours, proofs: Proofs, clock: Clock, progress: Progress = silent) -> None:
    """Prove every claim about the external attacker, suppressing further cells where needed."""
    order = in_order(task)
    for k, cell in enumerate(order.tolist()):
        clock.check()
        _protect(task, near, proofs, -1, cell)
        progress(k + 1, order.size)


def grow_for_others(task: Task, near: Neighbours, proofs: Proofs, clock: Clock, progress: Progress = silent) -> None:
    """Prove every claim about the other attackers whose cells are in the pattern, until none is left."""
    order = in_order(task)
    before = -1
    while before != int(proofs.suppressed.sum()):
        before = int(proofs.suppressed.sum())
        for a, attacker in enumerate(task.attackers):
            clock.check()
            progress(a, len(task.attackers))
            if not proofs.suppressed[list(attacker.cells)].any():
                continue
            for cell in order.tolist():
                if not task.knows(a, cell):
                    _protect(task, near, proofs, a, cell)


def _protect(task: Task, near: Neighbours, proofs: Proofs, attacker: int, cell: int) -> None:
    """Prove the claims about one cell from one attacker."""
    p = task.protection
    sides = {DOWN: float(p.lower[cell]), UP: float(p.upper[cell])}
    for side, amount in sides.items():
        if not _claim(task, near, proofs, Claim(attacker, cell, side), amount):
            raise unprotectable(task, near, attacker, cell, side)
    wide = float(p.sliding[cell])
    if enough(sum(sides.values()), wide):
        return
    if attacker < 0:  # what is known already may be wide enough
        sides = {side: max(amount, min(proofs.reach(cell, side), wide - sides[1 - side])) for side, amount in sides.items()}
    for side in (UP, DOWN):
        other = sides[1 - side]
        if _claim(task, near, proofs, Claim(attacker, cell, 1 - side), other) and _claim(
            task, near, proofs, Claim(attacker, cell, side), wide - other
        ):
            return
    far = _farthest(task, near, proofs, Claim(attacker, cell, UP), wide)
    if not _claim(task, near, proofs, Claim(attacker, cell, DOWN), wide - far):
        raise unprotectable(task, near, attacker, cell, UP)


def _claim(task: Task, near: Neighbours, proofs: Proofs, claim: Claim, amount: float) -> bool:
    """Prove that a cell reaches an amount; say whether it can."""
    old = proofs.held.get(claim)
    if amount <= 0 or (old is not None and enough(old[0], amount)):
        return True
    known = proofs.best[claim.side].get(claim.cell)
    if known is not None:
        share = min(task.shrunk(claim.attacker, known[1]), amount / known[0])
        if enough(share * known[0], amount):
            proofs.held[claim] = amount, known[1].times(share)
            return True
    move = find(task, near, proofs.suppressed, claim, amount)
    if move is None:
        return False
    accept(task, proofs, claim, amount, move)
    return True


def find(
    task: Task, near: Neighbours, suppressed: BoolArray, claim: Claim, amount: float, usable: BoolArray | None = None
) -> Move | None:
    """Find the cheapest move that proves a claim."""
    low, high = task.bounds(claim.attacker)
    costs = Costs(task.usable if usable is None else usable, low, high, task.costs, suppressed)
    return cheapest_move(near, claim.cell, amount if claim.side == UP else -amount, costs)


def accept(task: Task, proofs: Proofs, claim: Claim, amount: float, move: Move) -> None:
    """Suppress what a move needs and keep it as the proof."""
    proofs.suppressed[move.cells] = True
    proofs.held[claim] = amount, move
    proofs.learn(move, *task.bounds())


def _farthest(task: Task, near: Neighbours, proofs: Proofs, claim: Claim, most: float) -> float:
    """Move a cell as far up as a few halvings find, and hold that."""
    low, high = 0.0, most
    for _ in range(20):
        middle = (low + high) / 2
        move = find(task, near, proofs.suppressed, claim, middle)
        if move is None:
            high = middle
        else:
            low = middle
            accept(task, proofs, claim, middle, move)
    return low
