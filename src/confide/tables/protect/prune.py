"""Publish again what is not needed."""

from __future__ import annotations

import numpy as np

from confide.tables.protect.cheapest import Move
from confide.tables.protect.grow import Clock, Late, find
from confide.tables.protect.neighbours import Neighbours
from confide.tables.protect.proofs import Claim, Proofs, Task


def prune(task: Task, near: Neighbours, proofs: Proofs, clock: Clock, most: int = 20_000) -> Proofs:
    """Publish cells that no proof needs, and those whose proofs can do without them, the dearest first.

    Args:
        task: what is asked.
        near: the equations.
        proofs: a pattern with all claims proven.
        clock: the time; what is found when it is over is kept.
        most: how many programmes may be solved.
    """
    primary = np.zeros(task.system.n, dtype=np.bool_)
    primary[task.primary] = True
    proofs = Proofs(primary.copy(), dict(proofs.held))
    users: dict[int, set[Claim]] = {}
    for claim, (_, move) in proofs.held.items():
        _use(users, claim, move)
        proofs.suppressed[move.cells] = True
    extra = np.flatnonzero(proofs.suppressed & ~primary)
    order = extra[np.lexsort((extra, -task.costs[extra]))]
    solved = 0
    for cell in order.tolist():
        claims = sorted(users.get(cell, ()))
        if solved + len(claims) > most:
            break
        try:
            clock.check()
        except Late:
            break
        usable = proofs.suppressed.copy()
        usable[cell] = False
        new: dict[Claim, Move] = {}
        for claim in claims:
            solved += 1
            move = find(task, near, usable, claim, proofs.held[claim][0], usable)
            if move is None:
                break
            new[claim] = move
        if len(new) < len(claims):
            continue
        for claim, move in new.items():
            amount, old = proofs.held[claim]
            for c in old.cells.tolist():
                users[c].discard(claim)
            proofs.held[claim] = amount, move
            _use(users, claim, move)
        proofs.suppressed[cell] = False
    # the rest of a proof that was replaced may be needed by nothing any more
    used = primary.copy()
    for _, move in proofs.held.values():
        used[move.cells] = True
    return Proofs(used, proofs.held)


def _use(users: dict[int, set[Claim]], claim: Claim, move: Move) -> None:
    for c in move.cells.tolist():
        users.setdefault(c, set()).add(claim)
