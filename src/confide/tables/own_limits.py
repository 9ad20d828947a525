"""What attackers can work out of one cell from all equations together, whatever is published."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from confide.tables.attackers import Attacker
from confide.tables.audit.model import WarmModel
from confide.tables.moves.cheapest import Costs, cheapest_move
from confide.tables.moves.cube_kernels import Room
from confide.tables.moves.cubes import Cubes
from confide.tables.moves.neighbours import Neighbours
from confide.tables.protection import TOLERANCE
from confide.tables.system import System
from confide.typing import FloatArray

Levels = tuple[float, float, float]
"""How far down, up and wide a cell must reach."""


class OwnLimits:
    """Finds how far cells can go at all for attackers when nothing is published.

    Nobody can be kept from such conclusions, so that no more is asked.

    >>> table = System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]]), upper=np.full(3, 12.0))
    >>> OwnLimits(table).added(Attacker("firm", {1: 3.0}), 2, (1.0, 5.0, 0.0)).upper
    {2: 9.0}
    """

    def __init__(self, system: System, near: Neighbours | None = None, cubes: Cubes | None = None) -> None:
        """Prepare the search for moves.

        Args:
            system: the cells and their equations.
            near: the same equations, if they are indexed already.
            cubes: those of the system, if there are any already.
        """
        self.system, self._near, self._cubes = system, near, cubes

    @cached_property
    def near(self) -> Neighbours:
        """The equations, to be read both ways."""
        return Neighbours.of(self.system.equations) if self._near is None else self._near

    @cached_property
    def cubes(self) -> Cubes | None:
        """The cubes of a table; None where several are linked."""
        grid = self.system.grid
        return Cubes(grid, np.zeros(self.system.n)) if self._cubes is None and grid is not None else self._cubes

    def added(self, attacker: Attacker, cell: int, levels: Levels) -> Attacker | None:
        """Add how far a cell can go; None where that is as far as asked.

        Args:
            attacker: who looks.
            cell: the cell.
            levels: what is asked of it.
        """
        bounds = attacker.bounds(self.system)
        down, up, wide = levels
        if self._possible(cell, levels, bounds):
            return None
        below, above = _ends(self.system, cell, bounds, max(down, up, wide))
        if self.system.whole:
            below, above = (float(np.floor(far + TOLERANCE)) for far in (below, above))
        met = (below, down), (above, up), (below + above, wide)
        if all(far >= level * (1 - TOLERANCE) for far, level in met):
            return None
        x, lower, upper = float(self.system.values[cell]), dict(attacker.lower), dict(attacker.upper)
        if below < max(down, wide):
            lower[cell] = x - below
        if above < max(up, wide):
            upper[cell] = x + above
        return Attacker(attacker.name, lower, upper)

    def _possible(self, cell: int, levels: Levels, bounds: tuple[FloatArray, FloatArray]) -> bool:
        """Say whether a cell is seen at once to go as far as asked."""
        (down, up, wide), (low, high), n = levels, bounds, self.system.n
        if wide > down + up:
            return False
        if self.cubes is not None and self.cubes.best(cell, up, down, Room(low, high, np.zeros(n)), 0.0) is not None:
            return True
        every = np.ones(n, dtype=np.bool_)
        costs = Costs(every, low, high, np.ones(n), every)
        return all(not amount or cheapest_move(self.near, cell, amount, costs) is not None for amount in (-down, up))


def _ends(system: System, cell: int, bounds: tuple[FloatArray, FloatArray], most: float) -> tuple[float, float]:
    """Move a cell as far down and up as it goes, at most so far."""
    low, high = bounds
    low[cell], high[cell] = max(low[cell], -most), min(high[cell], most)
    model, at = WarmModel(system.equations, low, high), np.array([cell])
    return tuple(abs(float(model.minimise(at, np.array([sign]))[cell])) for sign in (1.0, -1.0))  # type: ignore[return-value]
