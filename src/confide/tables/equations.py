"""The equations of a table: every total is the sum of its parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from confide.data.packing import pack
from confide.tables.dimension import Dimension
from confide.typing import FloatArray, IntArray


def equations_of(codes: IntArray, dimensions: Sequence[Dimension]) -> csr_array:
    """Give a row for each total and each way to split it, -1 at the total and 1 at its parts.

    Totals that are not in the table make no equation.
    """
    m = codes.shape[0]
    rows: list[IntArray] = []
    columns: list[IntArray] = []
    data: list[FloatArray] = []
    many = 0
    for d, dimension in enumerate(dimensions):
        for parents in dimension.parents:
            above = parents[codes[:, d]]
            part = np.flatnonzero(above >= 0)
            if not part.size:
                continue
            wanted = codes[part].copy()
            wanted[:, d] = above[part]
            total = find_cells(codes, wanted, dimensions)
            part, total = part[total >= 0], total[total >= 0]
            totals, row = np.unique(total, return_inverse=True)
            rows += [many + np.arange(totals.size), many + row.ravel()]
            columns += [totals, part]
            data += [np.full(totals.size, -1.0), np.ones(part.size)]
            many += totals.size
    if not rows:
        return csr_array((0, m), dtype=np.float64)
    places = (np.concatenate(rows), np.concatenate(columns))
    found = csr_array((np.concatenate(data), places), shape=(many, m))
    found.sort_indices()
    return found


def find_cells(codes: IntArray, wanted: IntArray, dimensions: Sequence[Dimension]) -> IntArray:
    """Find the places of cells by their codes; -1 where there is none."""
    both = np.concatenate([codes, wanted])
    packed = pack([np.zeros(both.shape[0], dtype=np.int64), *both.T], [1, *(d.size for d in dimensions)])
    held, asked = packed[: codes.shape[0]], packed[codes.shape[0] :]
    order = np.arange(held.size) if bool(np.all(held[1:] > held[:-1])) else np.argsort(held, kind="stable")
    place = np.minimum(np.searchsorted(held, asked, sorter=order), held.size - 1)
    found = order[place]
    return np.where(held[found] == asked, found, -1).astype(np.int64)
