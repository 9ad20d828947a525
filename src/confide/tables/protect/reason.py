"""Why a cell cannot be protected: the fewest cells and equations that give it away."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from confide.errors import Unprotectable
from confide.tables.moves.cheapest import Costs, cheapest_move
from confide.tables.moves.neighbours import Neighbours
from confide.tables.protect.proofs import UP, Task
from confide.typing import BoolArray, IntArray

MOST = 400
"""How many cells are tried one by one; beyond, groups are left as they are."""


def unprotectable(task: Task, near: Neighbours, attacker: int, cell: int, side: int) -> Unprotectable:
    """Say why: frozen cells that could not be left away from the reason, and the equations that they stand in."""
    system = task.system
    down, up, wide = task.asked(attacker, cell)
    amount = max(up, wide) if side == UP else -down
    low, high = task.bounds(attacker)
    who = "" if attacker < 0 else f" from attacker {task.attackers[attacker].name!r}"
    way = "up" if side == UP else "down"
    head = f"{system.name(cell)} cannot be protected{who}"
    if not low[cell] <= amount <= high[cell]:
        return Unprotectable(
            f"{head}: its own bounds do not let it go {way} as far as asked; lower its protection level or widen its bounds",
            cell,
        )

    def possible(usable: BoolArray) -> bool:
        return cheapest_move(near, cell, amount, Costs(usable, low, high, np.ones(system.n), ~usable)) is not None

    everything = np.ones(system.n, dtype=np.bool_)
    if not possible(everything):
        equations = near.columns.indices[near.columns.indptr[cell] : near.columns.indptr[cell + 1]]
        return Unprotectable(
            f"{head}: even with every cell suppressed the bounds that are known keep it from going {way} as far as asked, "
            f"in {'; '.join(system.equation(int(e)) for e in equations[:3])}; lower its level, or widen the bounds",
            cell, (), equations.tolist(),
        )  # fmt: skip
    frozen = _fewest(np.flatnonzero(~task.usable), possible, everything)
    equations = _tying(near, cell, frozen)
    shown = "; ".join(system.equation(e) for e in equations[:3])
    return Unprotectable(
        f"{head}: {frozen.size:,} frozen cell(s) give it away: {system.listed(frozen)}, in {shown}; let one of them be "
        "suppressed, or lower the protection level",
        cell, frozen.tolist(), equations,
    )  # fmt: skip


def _fewest(frozen: IntArray, possible: Callable[[BoolArray], bool], everything: BoolArray) -> IntArray:
    """Leave frozen cells away one by one, groups first, as long as the cell stays unprotectable."""
    keep = frozen
    size = max(keep.size // 2, 1)
    tries = 0
    while size >= 1 and tries < MOST:
        start, shrunk = 0, False
        while start < keep.size and tries < MOST:
            rest = np.delete(keep, slice(start, start + size))
            usable = everything.copy()
            usable[rest] = False
            tries += 1
            if not possible(usable):
                keep, shrunk = rest, True
            else:
                start += size
        size = size // 2 if size > 1 or not shrunk else 1
        if size < 1:
            break
    return keep


def _tying(near: Neighbours, cell: int, frozen: IntArray) -> list[int]:
    """Give the equations of the cell that hold frozen cells, or else those of the frozen cells."""
    rows_of = [
        set(near.columns.indices[near.columns.indptr[c] : near.columns.indptr[c + 1]].tolist()) for c in frozen.tolist()
    ]
    own = set(near.columns.indices[near.columns.indptr[cell] : near.columns.indptr[cell + 1]].tolist())
    every = set().union(*rows_of) if rows_of else set()
    return sorted(own & every) or sorted(every)
