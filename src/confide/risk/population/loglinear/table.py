"""The occupied cells of a file, and its margins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.risk.frequency.cells import Cells, Coded, cells_of
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Occupied:
    """The cells that occur, with the levels that occur; no others are kept."""

    keys: tuple[str, ...]
    """The names of the keys."""
    ids: dict[str, IntArray]
    """The level of each cell, by key; from 0, every level occurs."""
    levels: dict[str, int]
    """The number of levels that occur."""
    counts: FloatArray
    """What the model is fitted to: the number of records of each cell, or their weight."""
    total: float
    """Its sum."""

    def possible(self, keys: Sequence[str]) -> int:
        """Give the number of combinations of levels that some keys could have."""
        return math.prod(self.levels[key] for key in keys)

    def margin(self, keys: Sequence[str]) -> FloatArray:
        """Give, for each cell, the count of all that agree on some keys; the total for none."""
        if not keys:
            return np.full(self.counts.size, self.total)
        cells = cells_of([Coded(self.ids[key], self.levels[key], has_missing=False) for key in keys])
        return cells.sums(self.counts)[cells.of]

    def packed(self, keys: Sequence[str]) -> IntArray:
        """Write the levels of some keys as one number, the last key running fastest."""
        at = np.zeros(self.counts.size, dtype=np.int64)
        for key in keys:
            at = at * self.levels[key] + self.ids[key]
        return at

    def dense(self, keys: Sequence[str]) -> FloatArray:
        """Give the margin of some keys for all combinations of their levels."""
        found = np.bincount(self.packed(keys), weights=self.counts, minlength=self.possible(keys))
        return found.astype(np.float64, copy=False)


def occupied(keys: tuple[str, ...], columns: Sequence[Coded], cells: Cells, counts: FloatArray) -> Occupied:
    """Gather the cells that occur."""
    rows = cells.first()
    ids, levels = {}, {}
    for key, column in zip(keys, columns, strict=True):
        found = column.ids[rows]
        occurs = np.zeros(column.width, dtype=np.bool_)
        occurs[found] = True
        ids[key] = (np.cumsum(occurs) - 1)[found].astype(np.int64)
        levels[key] = int(occurs.sum())
    return Occupied(keys, ids, levels, counts.astype(np.float64), float(counts.sum()))
