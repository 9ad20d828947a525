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
        found = front = np.array([cell])
        done = np.zeros(0, dtype=np.int64)
        while front.size and found.size < most:
            equations = np.setdiff1d(_entries(self.columns, front), done)
            done = np.union1d(done, equations)
            cells = np.unique(_entries(self.rows, equations))
            cells = np.setdiff1d(cells[usable[cells]], found, assume_unique=True)
            front = cells[np.argsort(order(cells), kind="stable")][: most - found.size]
            found = np.union1d(found, front)
        return found

    def part(self, cells: IntArray) -> csr_array:
        """Give the equations of some cells, without those that are empty."""
        at, size = _places(self.columns, cells)
        rows, row = np.unique(self.columns.indices[at], return_inverse=True)
        column = np.repeat(np.arange(cells.size), size)
        return csr_array((self.columns.data[at], (row.ravel(), column)), shape=(rows.size, cells.size))


def _entries(a: csr_array | csc_array, chosen: IntArray) -> IntArray:
    """Give the columns (or rows) of the entries of some rows (or columns)."""
    return np.asarray(a.indices[_places(a, chosen)[0]], dtype=np.int64)


def _places(a: csr_array | csc_array, chosen: IntArray) -> tuple[IntArray, IntArray]:
    """Give the places of the entries of some rows (or columns), and how many each has."""
    starts, ends = a.indptr[chosen], a.indptr[chosen + 1]
    size = ends - starts
    return np.repeat(starts - np.concatenate([[0], np.cumsum(size)[:-1]]), size) + np.arange(size.sum()), size
