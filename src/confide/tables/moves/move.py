"""A change of some cells that keeps all sums."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A change of some cells that keeps all sums."""

    cells: IntArray
    """Ascending."""
    amounts: FloatArray

    def at(self, cell: int) -> float:
        """Give the amount by which a cell moves."""
        k = int(np.searchsorted(self.cells, cell))
        return float(self.amounts[k]) if k < self.cells.size and self.cells[k] == cell else 0.0

    def most(self, low: FloatArray, high: FloatArray) -> float:
        """Say how often the move fits between bounds; negative bounds are reached by negative amounts."""
        room = np.where(self.amounts > 0, high[self.cells], low[self.cells]) / self.amounts
        return float(room.min(initial=np.inf))

    def times(self, factor: float) -> Move:
        """Make the same move larger, smaller or opposite."""
        return Move(self.cells, self.amounts * factor)
