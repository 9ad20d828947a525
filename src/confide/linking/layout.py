"""Where what is worked out for kinds of targets and record profiles stands in one long row of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.packing import groups
from confide.linking.graph import Graph
from confide.linking.pieces import BeliefPiece, BoundPiece, CatPiece
from confide.typing import IntArray

MOST_PAIRS = 4_000_000
"""How many values are worked out at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where the values of a table stand: one row for each kind of target in a block, over its record profiles."""

    offset: IntArray
    """Where the row of each target profile starts, less the first record of its block."""
    kind: IntArray
    """The kind of each row."""
    start: IntArray
    """The first value of each row; the last entry ends the list."""
    first: IntArray
    """The first record profile of each row."""

    @property
    def size(self) -> int:
        """The number of values."""
        return int(self.start[-1])

    @classmethod
    def of(cls, graph: Graph, kind: IntArray) -> Layout:
        """Lay out the rows that targets need."""
        block = graph.block_of_target
        known = np.flatnonzero(block >= 0)
        rows, place = np.unique(np.stack([kind[known], block[known]]), axis=1, return_inverse=True)
        first = graph.block_start[rows[1]]
        start = np.concatenate([[0], np.cumsum(graph.block_start[rows[1] + 1] - first)]).astype(np.int64)
        offset = np.zeros(block.size, dtype=np.int64)
        offset[known] = (start[:-1] - first)[place.ravel()]
        return cls(offset, rows[0].astype(np.int64), start, first.astype(np.int64))

    def pairs(self) -> tuple[IntArray, IntArray]:
        """Give the row and the record profile of each value."""
        return self._pairs(0, self.kind.size)

    def pieces(self) -> Iterator[tuple[slice, IntArray, IntArray]]:
        """Give them piece by piece, with the place of each piece."""
        low = 0
        while low < self.kind.size:
            high = max(int(np.searchsorted(self.start, self.start[low] + MOST_PAIRS, side="right")) - 1, low + 1)
            yield slice(int(self.start[low]), int(self.start[high])), *self._pairs(low, high)
            low = high

    def _pairs(self, low: int, high: int) -> tuple[IntArray, IntArray]:
        """Give those of some rows."""
        row = np.repeat(np.arange(low, high), np.diff(self.start[low : high + 1]))
        return row, np.arange(self.start[low], self.start[high]) - self.start[row] + self.first[row]


@dataclass(frozen=True, slots=True, eq=False)
class TargetKinds:
    """Kinds of targets: those of whom the same is known of a variable, and of what narrows beliefs about it down."""

    of_target: IntArray
    """The kind of each target profile."""
    own: IntArray
    """What each kind is told of the variable itself."""
    levels: Mapping[str, IntArray]
    """The level of each kind in categories that are known."""

    @classmethod
    def of(cls, piece: BoundPiece | BeliefPiece, exact: Sequence[CatPiece], graph: Graph) -> TargetKinds:
        """Tell the kinds of target profiles apart."""
        own = piece.target[graph.target_first]
        levels = {p.name: (p.target % len(p.levels))[graph.target_first] for p in exact}
        first, kind = groups([own, *levels.values()], own.size)
        if isinstance(piece, BeliefPiece):
            return cls(own, np.arange(int(own.max(initial=-1)) + 1), {})
        return cls(kind, own[first], {name: level[first] for name, level in levels.items()})
