"""Moves along cubes: in every variable a code gains what another one loses, so that all sums are kept.

A cube with the cell at one corner proves how far the cell can go, and needs no linear programme (the hypercube method of
Repsilber 1994 takes such cubes only). Not every move is a cube; what cubes cannot prove is left to programmes.
"""

from __future__ import annotations

import numpy as np

from confide.tables.grid import Grid
from confide.tables.moves.cube_kernels import Exchanges, Room, best_cube, cube_of
from confide.tables.moves.move import Move
from confide.tables.moves.swaps import Swaps, swaps_of
from confide.typing import FloatArray, IntArray


class Cubes:
    """Finds cubes in one table."""

    def __init__(self, grid: Grid, weight: FloatArray) -> None:
        """Prepare the exchanges of all variables.

        Args:
            grid: where the cells stand.
            weight: which cells are good to have in a cube.
        """
        self.grid = grid
        each = [
            swaps_of(paths, size, np.bincount(codes, weights=weight, minlength=size).astype(np.float64))
            for paths, size, codes in zip(grid.paths, grid.sizes, grid.codes.T, strict=True)
        ]
        self.swaps = Exchanges(*_joined(each), grid.strides, grid.lookup())

    def best(self, cell: int, up: float, down: float, room: Room, limit: float) -> tuple[float, Move] | None:
        """Find the cheapest cube in which a cell can go up and down by amounts; None where there is none within a limit.

        Args:
            cell: the cell.
            up: how far up.
            down: how far down.
            room: how far cells may go, and what they cost.
            limit: what the cube may cost.

        Returns the cost, and the move by one unit.
        """
        own = self.grid.codes[cell]
        chosen = np.zeros(own.size, dtype=np.int64)
        found = best_cube(own, self.swaps, room, up, down, limit, chosen)
        if found < 0:
            return None
        cells, signs = cube_of(own, self.swaps, chosen)
        order = np.argsort(cells)
        return float(found), Move(cells[order], signs[order])


def _joined(each: list[Swaps]) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Write the exchanges of all variables one after the other."""
    size = max(s.of.size for s in each)
    of = np.zeros((len(each), size), dtype=np.int64)
    starts, codes, signs = [np.zeros(1, dtype=np.int64)], [], []
    exchanges = entries = 0
    for t, s in enumerate(each):
        of[t, : s.of.size] = s.of + exchanges
        starts.append(s.starts[1:] + entries)
        codes.append(s.codes)
        signs.append(s.signs)
        exchanges, entries = exchanges + s.starts.size - 1, entries + s.codes.size
    return of, np.concatenate(starts), np.concatenate(codes), np.concatenate(signs)
