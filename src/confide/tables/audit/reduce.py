"""Make the system of suppressed cells small: fix what is determined, merge what moves together, split what is apart.

All is written in deviations d from the true values, so that A d = 0 and low <= d <= high with low <= 0 <= high.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from confide.typing import BoolArray, FloatArray, IntArray

NOTHING = 1e-9
"""Coefficients smaller than this are rounding of zero; those of tables are small whole numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Reduced:
    """A smaller system with the same solutions: the deviation of cell k is `ratio[k] * d[column[k]]`."""

    matrix: csr_array
    """The equations that are left."""
    low: FloatArray
    high: FloatArray
    column: IntArray
    """The column of each cell; -1: the cell is determined by the equations."""
    ratio: FloatArray
    component: IntArray
    """The connected component of each column."""


def reduce(matrix: csr_array, low: FloatArray, high: FloatArray) -> Reduced:
    """Reduce the equations of suppressed cells.

    Rows with one entry fix a cell; rows with two tie a cell to another; both are done until there are none.

    >>> found = reduce(csr_array(np.array([[1.0, 1, 0], [0, 1, 1]])), np.full(3, -2.0), np.array([5.0, 5, 1]))
    >>> found.column.tolist(), found.ratio.tolist(), found.low.tolist(), found.high.tolist()
    ([0, 0, 0], [1.0, -1.0, 1.0], [-2.0], [1.0])
    """
    n = matrix.shape[1]
    column, ratio = np.arange(n), np.ones(n)
    low, high = low.copy(), high.copy()
    a = _clean(matrix)
    while True:
        size = np.diff(a.indptr)
        ones, twos = np.flatnonzero(size == 1), np.flatnonzero(size == 2)
        if not ones.size and not twos.size:
            break
        gone = np.zeros(a.shape[1], dtype=np.bool_)
        gone[a.indices[a.indptr[ones]]] = True
        root, factor = _tie(a, twos, gone)
        kept = np.unique(root[root >= 0])
        place = np.full(a.shape[1], -1)
        place[kept] = np.arange(kept.size)
        new = np.where(root >= 0, place[root], -1)
        low, high = _bounds(low, high, new, factor, kept.size)
        live = new >= 0
        tie = csr_array((factor[live], (np.flatnonzero(live), new[live])), shape=(a.shape[1], kept.size))
        a = _clean(a @ tie)
        moved = column >= 0
        ratio[moved] *= factor[column[moved]]
        column[moved] = new[column[moved]]
    return Reduced(a, low, high, column, ratio, components(a))


def components(a: csr_array) -> IntArray:
    """Number the connected components of the columns."""
    m, n = a.shape
    if not n:
        return np.zeros(0, dtype=np.int64)
    rows = np.repeat(np.arange(m), np.diff(a.indptr))
    graph = csr_array((np.ones(a.nnz), (rows, m + a.indices)), shape=(m + n, m + n))
    found = connected_components(graph, directed=False)[1][m:]
    return np.unique(found, return_inverse=True)[1].astype(np.int64)


def _clean(a: csr_array) -> csr_array:
    """Drop zeros, empty rows and rows that stand twice."""
    a = csr_array(a)
    a.sum_duplicates()
    a.data[np.abs(a.data) < NOTHING] = 0.0
    a.eliminate_zeros()
    size = np.diff(a.indptr)
    a = a[np.flatnonzero(size)]
    if not a.shape[0]:
        return a
    # scaled so that the first entry is 1, equal rows have equal sums with fixed odd weights
    first = np.repeat(a.data[a.indptr[:-1]], np.diff(a.indptr))
    rng = np.random.default_rng(7)
    weights = rng.random((a.shape[1], 2))
    keys = csr_array((a.data / first, a.indices, a.indptr), shape=a.shape) @ weights
    once = np.unique(np.round(keys, 9), axis=0, return_index=True)[1]
    return a if once.size == a.shape[0] else a[np.sort(once)]


def _tie(a: csr_array, twos: IntArray, gone: BoolArray) -> tuple[IntArray, FloatArray]:
    """Follow rows with two entries: each column is a factor times its root; root -1: it cannot move."""
    n = a.shape[1]
    parent, factor = list(range(n)), [1.0] * n
    dead = gone.tolist()
    starts = a.indptr[twos]
    firsts, seconds = a.indices[starts].tolist(), a.indices[starts + 1].tolist()
    ratios = (-a.data[starts] / a.data[starts + 1]).tolist()

    def find(j: int) -> tuple[int, float]:
        path, f = [], 1.0
        while parent[j] != j:
            path.append(j)
            j = parent[j]
        for k in reversed(path):
            f = factor[k] = factor[k] * (factor[parent[k]] if parent[k] != j else 1.0)
            parent[k] = j
        return j, f

    for i, j, r in zip(firsts, seconds, ratios, strict=True):  # d_j = r d_i
        (p, f), (q, g) = find(i), find(j)
        if p == q:
            dead[p] = dead[p] or abs(g - r * f) > NOTHING * max(abs(g), abs(r * f))
        else:
            small, large = max(p, q), min(p, q)
            parent[small] = large
            factor[small] = r * f / g if small == q else g / (r * f)
            dead[large] = dead[large] or dead[small]
    found = [find(j) for j in range(n)]
    root = np.array([-1 if dead[p] else p for p, _ in found], dtype=np.int64)
    return root, np.array([f for _, f in found])


def _bounds(low: FloatArray, high: FloatArray, new: IntArray, factor: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """Intersect the bounds of tied columns."""
    live = new >= 0
    f, at = factor[live], new[live]
    a, b = low[live] / f, high[live] / f
    l2, h2 = np.full(n, -np.inf), np.full(n, np.inf)
    np.maximum.at(l2, at, np.minimum(a, b))
    np.minimum.at(h2, at, np.maximum(a, b))
    return l2, h2
