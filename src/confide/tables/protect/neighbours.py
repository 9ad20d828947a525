"""Cells near a cell: those that equations tie to it, and those tied to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array, csr_array

from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The equations, to be read by rows and by columns."""

    rows: csr_array
    columns: csc_array

    @classmethod
    def of(cls, equations: csr_array) -> Neighbours:
        """Index the equations both ways."""
        return cls(equations, csc_array(equations))

    def around(self, cell: int, usable: BoolArray, order: Callable[[IntArray], FloatArray], most: int) -> IntArray:
        """Give at most so many usable cells near a cell, step by step, in each step the first in an order.

        Args:
            cell: where to begin.
            usable: which cells may be given.
            order: gives what comes first, such as the cost.
            most: how many.
        """
        seen = np.zeros(usable.size, dtype=np.bool_)
        done = np.zeros(self.rows.shape[0], dtype=np.bool_)
        seen[cell] = True
        found, front = [np.array([cell])], np.array([cell])
        size = 1
        while front.size and size < most:
            equations = _entries(self.columns, front)
            equations = equations[~done[equations]]
            done[equations] = True
            cells = np.unique(_entries(self.rows, np.unique(equations)))
            cells = cells[usable[cells] & ~seen[cells]]
            front = cells[np.argsort(order(cells), kind="stable")][: most - size]
            seen[front] = True
            found.append(front)
            size += front.size
        return np.sort(np.concatenate(found))

    def part(self, cells: IntArray) -> csr_array:
        """Give the equations of some cells, without those that are empty."""
        part = csr_array(self.columns[:, cells])
        return part[np.flatnonzero(np.diff(part.indptr))]


def _entries(a: csr_array | csc_array, chosen: IntArray) -> IntArray:
    """Give the places of the entries of some rows (or columns)."""
    starts, ends = a.indptr[chosen], a.indptr[chosen + 1]
    size = ends - starts
    at = np.repeat(starts - np.concatenate([[0], np.cumsum(size)[:-1]]), size) + np.arange(size.sum())
    return np.asarray(a.indices[at], dtype=np.int64)
