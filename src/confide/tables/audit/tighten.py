"""Bounds that follow from one equation at a time: cheap, and often all that there is to find."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array, csr_array

from confide.typing import FloatArray, IntArray


def tighten(a: csr_array, low: FloatArray, high: FloatArray, rounds: int = 12) -> tuple[FloatArray, FloatArray]:
    """Bound each column by the bounds of the others in its rows.

    >>> low, high = tighten(csr_array(np.array([[1.0, 1, -1]])), np.array([-1.0, -2, 0]), np.array([np.inf, np.inf, 3]))
    >>> low.tolist(), high.tolist()
    ([-1.0, -2.0, 0.0], [5.0, 4.0, 3.0])
    """
    low, high = low.copy(), high.copy()
    if not a.nnz:
        return low, high
    row = np.repeat(np.arange(a.shape[0]), np.diff(a.indptr))
    by_column = csc_array(csr_array((np.arange(a.nnz) + 1.0, a.indices, a.indptr), shape=a.shape))
    order = by_column.data.astype(np.int64) - 1
    filled = np.flatnonzero(np.diff(by_column.indptr))
    starts = by_column.indptr[filled]
    for _ in range(rounds):
        up, down = a.data > 0, a.data < 0
        least = np.where(up, a.data * low[a.indices], a.data * high[a.indices])
        most = np.where(down, a.data * low[a.indices], a.data * high[a.indices])
        rest_least, rest_most = _others(least, row, a.shape[0], -np.inf), _others(most, row, a.shape[0], np.inf)
        # a_j d_j = -(others)
        ends = -rest_most / a.data, -rest_least / a.data
        new_low = np.maximum.reduceat(np.minimum(*ends)[order], starts)
        new_high = np.minimum.reduceat(np.maximum(*ends)[order], starts)
        before = low[filled], high[filled]
        low[filled] = np.minimum(np.maximum(before[0], new_low), 0.0)
        high[filled] = np.maximum(np.minimum(before[1], new_high), 0.0)
        if np.array_equal(before[0], low[filled]) and np.array_equal(before[1], high[filled]):
            break
    return low, high


def _others(part: FloatArray, row: IntArray, m: int, endless: float) -> FloatArray:
    """Sum the row without each entry; one infinite entry makes the sum infinite."""
    infinite = np.isinf(part)
    finite = np.where(infinite, 0.0, part)
    total = np.bincount(row, weights=finite, minlength=m)[row] - finite
    count = np.bincount(row, weights=infinite, minlength=m)[row] - infinite
    return np.where(count > 0, endless, total)
