"""Cells in units of a base, and the multiples that each may become."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.tables.system import System
from confide.typing import FloatArray, IntArray

NEAR = 1e-9
"""A value this near a multiple, in units of the base and of the value, is one."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The true values in units of the base, their neighbouring multiples, and the multiples that bounds allow."""

    units: FloatArray
    below: FloatArray
    """The multiple below each value, or the value itself."""
    above: FloatArray
    """The multiple above, or the value itself."""
    least: FloatArray
    most: FloatArray
    power: float = 1.0
    """The distance adds up this power of the differences."""

    @classmethod
    def of(cls, system: System, base: float, fixed: IntArray, power: float) -> Grid:
        """Write a system in units of the base; fixed cells have their nearest multiple only, the larger of two.

        >>> grid = Grid.of(System(np.array([12.0, 5.0, 7.0]), np.array([[-1, 1, 1]])), 5.0, np.array([2]), 1.0)
        >>> grid.below.tolist(), grid.above.tolist()
        ([2.0, 1.0, 1.0], [3.0, 1.0, 1.0])
        """
        units = system.values / base
        near = np.rint(units)
        units = np.where(np.abs(units - near) <= NEAR * np.maximum(1.0, np.abs(units)), near, units)
        below, above = np.floor(units), np.ceil(units)
        least = np.minimum(np.floor(system.lower / base + NEAR), below)
        most = np.maximum(np.ceil(system.upper / base - NEAR), above)
        nearest = np.floor(units[fixed] + 0.5)
        for side in (below, above, least, most):
            side[fixed] = nearest
        return cls(units, below, above, least, most, power)

    def cost(self, k: FloatArray, cells: IntArray) -> FloatArray:
        """Give the power of the distance of multiples from the values."""
        return np.asarray(np.abs(k - self.units[cells]) ** self.power, dtype=np.float64)

    def ends(self, steps: int, cells: IntArray) -> tuple[FloatArray, FloatArray]:
        """Give the least and the largest multiple that so many steps reach; one step reaches the two neighbours."""
        more = steps - 1
        return np.maximum(self.below[cells] - more, self.least[cells]), np.minimum(
            self.above[cells] + more, self.most[cells]
        )

    def steps(self, k: FloatArray) -> IntArray:
        """Count the steps: 0 where the value itself, 1 where less than one base away, 2 where less than two, ..."""
        far = np.abs(k - self.units)
        near = NEAR * np.maximum(1.0, np.abs(self.units))
        return np.where(far <= near, 0.0, np.floor(far + near) + 1).astype(np.int64)

    def nearest_of(self, cells: IntArray) -> float:
        """Give the distance of the nearest multiples, which no rounding can beat."""
        return float(np.minimum(self.cost(self.below[cells], cells), self.cost(self.above[cells], cells)).sum())
