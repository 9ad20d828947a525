"""Exchange dear cells of a pattern for cheaper ones."""

from __future__ import annotations

import numpy as np

from confide.tables.protect.clock import Clock
from confide.tables.protect.grow import Growing
from confide.tables.protect.proofs import Proofs

LARGE = 3500
"""Systems with more cells are left as they are; each exchange would take too long."""
WORTH = 0.001
"""Cells that cost less than this share of the pattern are left."""
ROUNDS = 4
"""How often all cells are gone through."""


def exchange(growing: Growing, clock: Clock, programmes: int) -> bool:
    """Publish secondary cells, the dearest first, where what replaces them costs less; say whether any was.

    A pattern that grows cell by cell may hold a dear cell that was best for the first ones and is not for all together. All
    that was proven by it is proven anew without it, and the cheaper pattern of the two is kept.

    Args:
        growing: the pattern; claims about everybody only.
        clock: the time; what is found when it is over is kept.
        programmes: how many linear programmes may be solved.
    """
    task = growing.task
    if task.system.n > LARGE:
        return False
    primary = np.zeros(task.system.n, dtype=np.bool_)
    primary[task.primary] = True
    end, better = growing.solved + programmes, False
    for _ in range(ROUNDS):
        found = False
        total = float(task.costs[growing.proofs.suppressed].sum())
        chosen = np.flatnonzero(growing.proofs.suppressed & ~primary & (task.costs > WORTH * total))
        for cell in chosen[np.lexsort((chosen, -task.costs[chosen]))].tolist():
            if clock.over or growing.solved >= end:
                return better or found
            found |= bool(growing.proofs.suppressed[cell]) and _without(growing, cell)
        if not found:
            break
        better = True
    return better


def _without(growing: Growing, cell: int) -> bool:
    """Publish a cell if that pays, and say whether; if not, all is as before."""
    task, old, usable = growing.task, growing.proofs, growing.usable
    before = growing.cost, growing.low, growing.high
    allowed = float(task.costs[old.suppressed].sum()) * (1 - 1e-9)
    fewer = old.suppressed.copy()
    fewer[cell] = False
    growing.keep(fewer)
    growing.usable = usable & (fewer | (task.costs < task.costs[cell]))  # nothing as dear can take its place
    growing.low[~growing.usable] = growing.high[~growing.usable] = 0.0
    done = False
    try:
        done = all(
            growing.failing(-1, c) is None and float(task.costs[growing.proofs.suppressed].sum()) < allowed
            for c in _lost(growing, old)
        )
    finally:  # an interruption leaves the pattern as it was
        growing.usable = usable
        if done:
            growing.keep(growing.proofs.suppressed)
        else:
            growing.proofs = old
            growing.cost, growing.low, growing.high = before
    return done


def _lost(growing: Growing, old: Proofs) -> list[int]:
    """List the cells of which a claim has lost its proof."""
    return list(dict.fromkeys(claim.cell for claim in old.held if claim not in growing.proofs.held))
