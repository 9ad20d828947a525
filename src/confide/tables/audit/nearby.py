"""Proofs that are found near a cell: cubes of suppressed cells, and small linear programmes."""

from __future__ import annotations

import numpy as np

from confide.linking.parallel import Progress, silent
from confide.tables.moves.cheapest import Costs, cheapest_move
from confide.tables.moves.cube_kernels import Room
from confide.tables.moves.cubes import Cubes
from confide.tables.moves.move import Move
from confide.tables.moves.neighbours import Neighbours
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.typing import FloatArray, IntArray

LARGE = 20_000
"""Patterns with fewer cells are solved as a whole, which is as fast."""
NEAR = 1500
"""How many cells around a cell a programme looks at."""


def nearby_proofs(
    system: System, cells: IntArray, protection: Protection, progress: Progress = silent
) -> tuple[Move, ...]:
    """Find moves that show sensitive cells to reach far enough; what none is found for is left to be solved.

    Args:
        system: the cells and their equations.
        cells: the suppressed ones.
        protection: what is asked.
        progress: called with how much of how much is done.
    """
    hidden = np.zeros(system.n, dtype=np.bool_)
    hidden[cells] = True
    room = Room(
        np.where(hidden, np.minimum(system.lower - system.values, 0.0), 0.0),
        np.where(hidden, np.maximum(system.upper - system.values, 0.0), 0.0),
        np.where(hidden, 0.0, 1.0),
    )
    cubes = None if system.grid is None else Cubes(system.grid, hidden.astype(np.float64))
    near = Neighbours.of(system.equations)
    costs = Costs(hidden, room.low, room.high, np.ones(system.n), hidden)
    reach = np.zeros(system.n), np.zeros(system.n)
    found: list[Move] = []
    asked = protection.sensitive[hidden[protection.sensitive]]
    for k, cell in enumerate(asked.tolist()):
        progress(k, asked.size)
        down, up = _asked(protection, room, cell)
        if reach[0][cell] >= down and reach[1][cell] >= up:
            continue
        cube = None if cubes is None else cubes.best(cell, up, down, room, 0.0)
        new = [cube[1]] if cube else [
            move for amount in (-down, up)
            if amount and (move := cheapest_move(near, cell, amount, costs, most=NEAR)) is not None
        ]  # fmt: skip
        for move in new:
            found += _learned(move, room, reach)
    return tuple(found)


def _asked(p: Protection, room: Room, cell: int) -> tuple[float, float]:
    """Say how far a cell must go down and up; a width that is asked beyond both is sought upwards, if there is room."""
    down, up = float(p.lower[cell]), float(p.upper[cell])
    more = max(float(p.sliding[cell]) - down - up, 0.0)
    return (down, up + more) if room.high[cell] >= up + more else (down + more, up)


def _learned(move: Move, room: Room, reach: tuple[FloatArray, FloatArray]) -> list[Move]:
    """Make a move and its opposite as long as they can be, and note how far cells reach."""
    found = []
    for way in (move, move.times(-1.0)):
        most = min(way.most(room.low, room.high), 1e6)
        if most > 0:
            far = way.times(most)
            for side, sign in ((0, -1.0), (1, 1.0)):
                at = far.cells
                reach[side][at] = np.maximum(reach[side][at], sign * far.amounts)
            found.append(far)
    return found
