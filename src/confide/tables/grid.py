"""Where the cells of one table stand: their codes, and the codes in which the finest ones lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.tables.dimension import Dimension
from confide.typing import AnyArray, IntArray

DENSE = 200_000_000
"""Tables with more places than this are not looked up by place."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The codes of cells, and for each variable the codes that hold each of its finest ones."""

    codes: IntArray
    """Cells x variables."""
    paths: tuple[tuple[IntArray, ...], ...]
    """For each variable and finest code: the codes that it lies in, itself among them."""
    sizes: tuple[int, ...]
    """How many codes each variable has."""

    @classmethod
    def of_dimensions(cls, codes: IntArray, dimensions: Sequence[Dimension]) -> Grid | None:
        """Take the codes of a table; None where the table is too wide to be looked up by place."""
        paths = tuple(tuple(row[row >= 0] for row in d.rows.T) for d in dimensions)
        return cls.checked(codes, paths, tuple(d.size for d in dimensions))

    @classmethod
    def of_trees(cls, trees: Sequence[IntArray]) -> Grid | None:
        """Take the codes of a full table, the last variable fastest, from the parent of each code."""
        sizes = tuple(t.size for t in trees)
        codes = np.stack(np.unravel_index(np.arange(int(np.prod(sizes))), sizes), axis=1) if sizes else np.zeros((1, 0))
        return cls.checked(codes.astype(np.int64), tuple(_upwards(t) for t in trees), sizes)

    @classmethod
    def checked(cls, codes: IntArray, paths: tuple[tuple[IntArray, ...], ...], sizes: tuple[int, ...]) -> Grid | None:
        """Make a grid, or none when it would be too large."""
        return cls(codes, paths, sizes) if 0 < float(np.prod([float(s) for s in sizes])) <= DENSE and sizes else None

    @property
    def strides(self) -> IntArray:
        """By how much the place changes with each code."""
        return np.concatenate([np.cumprod(np.array(self.sizes[::-1], dtype=np.int64))[::-1][1:], [1]]).astype(np.int64)

    def lookup(self) -> AnyArray:
        """Give the cell at each place; -1 where there is none."""
        found = np.full(int(np.prod(self.sizes)), -1, dtype=np.int32)
        found[self.codes @ self.strides] = np.arange(self.codes.shape[0], dtype=np.int32)
        return found


def _upwards(tree: IntArray) -> tuple[IntArray, ...]:
    """Follow each code that is nobody's parent up to the total."""
    found = []
    for leaf in np.setdiff1d(np.arange(tree.size), tree).tolist():
        path, at = [], leaf
        while at >= 0:
            path.append(at)
            at = int(tree[at])
        found.append(np.array(path, dtype=np.int64))
    return tuple(found)
