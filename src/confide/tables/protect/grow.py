"""Protect one cell after the other by the cheapest move, until every claim is proven."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from confide.linking.parallel import Progress, silent
from confide.tables.moves.cheapest import Costs, cheapest_move
from confide.tables.moves.cube_kernels import Room
from confide.tables.moves.cubes import Cubes
from confide.tables.moves.move import Move
from confide.tables.moves.neighbours import Neighbours
from confide.tables.own_limits import OwnLimits
from confide.tables.protect.clock import Clock
from confide.tables.protect.proofs import DOWN, UP, Claim, Proofs, Task, enough
from confide.tables.protect.reason import unprotectable
from confide.typing import BoolArray, IntArray

LARGE = 10_000
"""In systems with more cells programmes look near a cell and at its cube only; farther away they would take too long."""
AUDITED = 50_000
"""In systems with fewer cells an audit says what other attackers find out."""


class Growing:
    """A pattern that grows: moves are sought, and what they need is suppressed."""

    def __init__(self, task: Task, proofs: Proofs, programmes: int = 0) -> None:
        self.task = task
        self.proofs = proofs
        self.near = Neighbours.of(task.system.equations)
        self.left = programmes
        """How many programmes may still be spent where a cube would do."""
        self.solved = 0
        weight = np.zeros(task.system.n)
        weight[task.primary] = 1.0
        self.cubes = None if task.system.grid is None else Cubes(task.system.grid, weight)
        self.usable = task.usable
        self.cost = task.costs.copy()
        self.cost[proofs.suppressed] = 0.0
        self.low, self.high = (np.where(task.usable, b, 0.0) for b in (task.low, task.high))

    @property
    def room(self) -> Room:
        """How far cells may go, and what they cost."""
        return Room(self.low, self.high, self.cost)

    def protect(self, attacker: int, cell: int) -> None:
        """Prove the claims about one cell from one attacker; raise where they cannot be."""
        side = self.failing(attacker, cell)
        if side is not None and self._concluded(attacker, cell):
            side = self.failing(attacker, cell)
        if side is not None:
            raise unprotectable(self.task, self.near, attacker, cell, side)

    def failing(self, attacker: int, cell: int) -> int | None:
        """Prove the claims about one cell from one attacker; give the side that cannot be proven, None where all can."""
        down, up, wide = self.task.asked(attacker, cell)
        with self.seen_by(attacker):
            more = 0.0 if enough(down + up, wide) else wide - down - up
            if not more:
                return None if self._reach(attacker, cell, down, up) else self._side(attacker, cell, down)
            if attacker < 0:  # what is known already may be wide enough
                least = up
                up = max(up, min(self.proofs.reach(cell, UP), wide - down))
                down = max(down, min(self.proofs.reach(cell, DOWN), wide - least))
                more = max(wide - down - up, 0.0)
            if self._reach(attacker, cell, down, up + more) or self._reach(attacker, cell, down + more, up):
                return None
            far_up = self._farthest(attacker, cell, wide)
            return None if self._reach(attacker, cell, max(down, wide - far_up), min(far_up, up)) else UP

    def _concluded(self, attacker: int, cell: int) -> bool:
        """Find out whether an attacker concludes more of a cell than is allowed from what it knows itself, and note it."""
        if attacker < 0:
            return False
        task = self.task
        limits = OwnLimits(task.system, self.near, self.cubes)
        more = limits.added(task.attackers[attacker], cell, task.asked(attacker, cell))
        if more is not None:
            task.conclude(attacker, more)
        return more is not None

    def attempt(self, cell: int) -> None:
        """Prove what can be proven about one cell."""
        p = self.task.protection
        self._reach(-1, cell, float(p.lower[cell]), max(float(p.upper[cell]), float(p.sliding[cell] - p.lower[cell])))

    def attempt_for(self, attacker: int, cell: int) -> None:
        """Prove what known moves, or cubes of suppressed cells, prove of one cell to another attacker."""
        down, up, wide = self.task.asked(attacker, cell)
        with self.seen_by(attacker):
            asked = {DOWN: down, UP: max(up, wide - down)}
            missing = {s: x for s, x in asked.items() if not self._known(Claim(attacker, cell, s), x)}
            cube = self._cube(cell, missing, 0.0) if missing else None
            if cube is not None:
                self._accept(attacker, cell, {s: (x, cube[1]) for s, x in missing.items()})

    def again(self, attacker: int, cell: int) -> None:
        """Forget what was proven about a cell, and prove it anew."""
        for side in (DOWN, UP):
            self.proofs.held.pop(Claim(attacker, cell, side), None)
            self.proofs.best[side].pop(cell, None)
            self.proofs.other[side].pop(cell, None)
        self.protect(attacker, cell)

    def keep(self, suppressed: BoolArray) -> None:
        """Make the pattern smaller, and keep the proofs that still hold."""
        self.proofs = self.proofs.within(suppressed)
        self.cost = np.where(suppressed, 0.0, self.task.costs)
        self.low, self.high = (np.where(self.task.usable, b, 0.0) for b in (self.task.low, self.task.high))

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Suppress nothing more: cells that are published stay where they are."""
        before = self.usable, self.low, self.high
        self.usable = self.proofs.suppressed
        self.low, self.high = (np.where(self.usable, b, 0.0) for b in before[1:])
        try:
            yield
        finally:
            self.usable, self.low, self.high = before

    @contextmanager
    def seen_by(self, attacker: int) -> Iterator[None]:
        """Let cells go only as far as an attacker must allow for."""
        if attacker < 0:
            yield
            return
        cells, low, high = self.task.known(attacker)
        before = self.low[cells], self.high[cells]
        self.low[cells], self.high[cells] = np.maximum(before[0], low), np.minimum(before[1], high)
        try:
            yield
        finally:
            self.low[cells], self.high[cells] = before

    def _reach(self, attacker: int, cell: int, down: float, up: float) -> bool:
        """Prove that a cell reaches both amounts; say whether it can."""
        asked = {DOWN: down, UP: up}
        missing = {s: x for s, x in asked.items() if not self._known(Claim(attacker, cell, s), x)}
        if not missing:
            return True
        if any(self._room(cell, s) * (1 + 1e-7) < x for s, x in missing.items()):
            return False
        cube = self._cube(cell, missing)
        if cube is not None and (cube[0] <= 0 or self.left <= 0):
            self._accept(attacker, cell, {s: (x, cube[1]) for s, x in missing.items()})
            return True
        near = cube is not None and (attacker >= 0 or self.task.system.n > LARGE)
        moves = self._programmes(cell, missing, cube[1] if cube is not None and near else None)
        if moves is None and cube is None:
            return False
        if moves is None or (cube is not None and cube[0] <= self._price(list(moves.values()))):
            assert cube is not None
            moves = dict.fromkeys(missing, cube[1])
        self._accept(attacker, cell, {s: (x, moves[s]) for s, x in missing.items()})
        return True

    def _room(self, cell: int, side: int) -> float:
        """Say how far a cell may go by its own bounds."""
        return float(self.high[cell] if side == UP else -self.low[cell])

    def _known(self, claim: Claim, amount: float) -> bool:
        """Say whether a claim is proven, or follows from what is."""
        old = self.proofs.held.get(claim)
        if amount <= 0 or (old is not None and enough(old[0], amount)):
            return True
        for far, move in self.proofs.known(claim):
            share = min(self.task.shrunk(claim.attacker, move), amount / far)
            if enough(share * far, amount):
                # kept as it is for attackers, so that one move that proves many claims is checked once
                self.proofs.held[claim] = amount, move.times(share) if claim.attacker < 0 else move
                return True
        return False

    def _cube(self, cell: int, missing: dict[int, float], limit: float = np.inf) -> tuple[float, Move] | None:
        """Find the cheapest cube that costs no more than a limit."""
        if self.cubes is None:
            return None
        up, down = missing.get(UP, 0.0), missing.get(DOWN, 0.0)
        return self.cubes.best(cell, up, down, self.room, limit)

    def _programmes(self, cell: int, missing: dict[int, float], hint: Move | None) -> dict[int, Move] | None:
        """Find the cheapest move of each side by a linear programme, the second after what the first suppresses."""
        found: dict[int, Move] = {}
        free = self.proofs.suppressed.copy() if len(missing) > 1 else self.proofs.suppressed
        for side, amount in missing.items():
            back = next((m.times(-1.0) for m in found.values()), None)
            if back is not None and enough(back.most(self.low, self.high) * abs(back.at(cell)), amount):
                found[side] = back
                continue
            costs = Costs(self.usable, self.low, self.high, self.task.costs, free)
            move = cheapest_move(self.near, cell, amount if side == UP else -amount, costs, hint=hint)
            self.left -= 1
            self.solved += 1
            if move is None:
                return None
            found[side] = move
            if len(missing) > 1:
                free[move.cells] = True
        return found

    def _price(self, moves: list[Move]) -> float:
        """Give what the cells of moves cost that are not suppressed yet."""
        cells = np.unique(np.concatenate([m.cells for m in moves]))
        return float(self.cost[cells].sum())

    def _accept(self, attacker: int, cell: int, moves: dict[int, tuple[float, Move]]) -> None:
        """Suppress what moves need and keep them as proofs."""
        seen: set[int] = set()
        for side, (amount, move) in moves.items():
            self.proofs.suppressed[move.cells] = True
            self.cost[move.cells] = 0.0
            scale = (amount if side == UP else -amount) / move.at(cell)
            self.proofs.held[Claim(attacker, cell, side)] = amount, move.times(scale)
            if id(move) not in seen:
                self.proofs.learn(move, self.task.low, self.task.high)
            seen.add(id(move))
            if attacker >= 0:
                self.proofs.other[side].setdefault(cell, []).append(self.proofs.held[Claim(attacker, cell, side)])

    def _side(self, attacker: int, cell: int, down: float) -> int:
        """Say which side of a cell cannot be protected: down, if that alone cannot."""
        return UP if self._reach(attacker, cell, down, 0.0) else DOWN

    def _farthest(self, attacker: int, cell: int, most: float) -> float:
        """Move a cell as far up as a few halvings find, and hold that."""
        low, high = 0.0, most
        for _ in range(20):
            middle = (low + high) / 2
            if self._reach(attacker, cell, 0.0, middle):
                low = middle
            else:
                high = middle
        return low


def in_order(task: Task) -> IntArray:
    """Give the sensitive cells, those first that need most."""
    p, s = task.protection, task.protection.sensitive
    need = np.maximum(np.maximum(p.lower, p.upper), p.sliding)[s]
    return s[np.lexsort((s, -need))]


def grow(growing: Growing, clock: Clock, progress: Progress = silent) -> None:
    """Prove every claim about the external attacker, suppressing further cells where needed."""
    order = in_order(growing.task)
    for k, cell in enumerate(order.tolist()):
        clock.check()
        growing.protect(-1, cell)
        progress(k + 1, order.size)


def prove(growing: Growing, clock: Clock) -> None:
    """Prove the claims that lack a proof, if a local move within the pattern does; others are left to the audit."""
    with growing.closed():
        for cell in in_order(growing.task).tolist():
            if clock.over:
                return
            growing.attempt(cell)


def grow_for_others(growing: Growing, clock: Clock, progress: Progress = silent) -> None:
    """Prove every claim about the other attackers, or in systems that can be audited quickly what known moves prove of them.

    A claim whose proof for everybody moves no cell that an attacker knows more of holds for this attacker too.
    """
    task, proofs = growing.task, growing.proofs
    if not task.attackers:
        return
    using, bare = _uses(growing)
    for a, attacker in enumerate(task.attackers):
        clock.check()
        progress(a, len(task.attackers))
        touched = {s for c in attacker.cells if proofs.suppressed[c] for s in using.get(c, ())} | bare
        for cell in sorted(touched):
            if not task.knows(a, cell):
                if task.system.n > AUDITED:
                    growing.protect(a, cell)
                else:  # an audit says faster than programmes for single cells which of the others need more
                    growing.attempt_for(a, cell)


def _uses(growing: Growing) -> tuple[dict[int, list[int]], set[int]]:
    """Say for which sensitive cells the proofs move each cell that some attacker knows; and which lack a proof."""
    known = {c for a in growing.task.attackers for c in a.cells}
    using: dict[int, list[int]] = {}
    for claim, (_, move) in growing.proofs.held.items():
        if claim.attacker < 0:
            for c in move.cells.tolist():
                if c in known:
                    using.setdefault(c, []).append(claim.cell)
    p = growing.task.protection
    bare = {
        s for s in p.sensitive.tolist() for side, level in ((DOWN, p.lower[s]), (UP, p.upper[s]), (-1, p.sliding[s]))
        if level > 0 and not _held(growing.proofs, s, side)
    }  # fmt: skip
    return using, bare


def _held(proofs: Proofs, cell: int, side: int) -> bool:
    """Say whether a side of a cell has a proof; for the width, whether one of them has."""
    return any(Claim(-1, cell, s) in proofs.held for s in ((side,) if side >= 0 else (DOWN, UP)))
