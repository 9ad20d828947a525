"""The inner loops over contributions: which may be among the largest of a cell, and which are."""

from __future__ import annotations

import numpy as np
from numba import njit

from confide.typing import BoolArray, FloatArray, IntArray


@njit(cache=True, nogil=True)
def may_be_large(
    cell: IntArray, weight: FloatArray, marks: IntArray, alone: BoolArray, cells: int, classes: int, top: int
) -> BoolArray:
    """Say which contributions may be among the `top` largest of their cell or of a coarser one.

    Contributions come from the largest down. Those of contributors who stand in several cells are all kept; of the others
    the largest of each cell and class of contributors.
    """
    seen = np.zeros((classes, cells))
    keep = np.zeros(cell.size, dtype=np.bool_)
    for i in range(cell.size):
        if not alone[i]:
            keep[i] = True
            continue
        c = cell[i]
        for k in range(classes):
            if marks[i] >> k & 1:
                if seen[k, c] < top:
                    keep[i] = True
                seen[k, c] += weight[i]
    return keep


@njit(cache=True, nogil=True)
def largest_of_cells(
    cell: IntArray,
    amount: FloatArray,
    weight: FloatArray,
    marks: IntArray,
    holder: IntArray,
    cells: int,
    classes: int,
    top: int,
) -> tuple[FloatArray, IntArray]:
    """Give the `top` largest contributions of each class and cell, and who makes those of the first class.

    Contributions come from the largest down; one of weight w fills w places.
    """
    seen = np.zeros((classes, cells))
    found = np.zeros((classes, cells, top))
    who = np.full((cells, top), -1, dtype=np.int64)
    for i in range(cell.size):
        c = cell[i]
        for k in range(classes):
            if marks[i] >> k & 1:
                at, left = seen[k, c], weight[i]
                seen[k, c] = at + left
                while left > 0.0 and at < top:
                    slot = int(at)
                    part = min(left, slot + 1 - at)
                    found[k, c, slot] += part * amount[i]
                    if k == 0 and who[c, slot] < 0:
                        who[c, slot] = holder[i]
                    at = at + part if part < slot + 1 - at else slot + 1.0
                    left -= part
    return found, who
