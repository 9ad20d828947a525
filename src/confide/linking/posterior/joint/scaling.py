"""Potentials that make exponentials of log densities safe, whatever their range.

The best matching, max sum_j logF[j, s(j)] over injective s, has a dual: u per record and v >= 0 per
respondent with logF[j, i] <= u[j] + v[i], equality along the best matching, and v = 0 for respondents it
leaves out. With W[j, i] = exp(logF[j, i] - u[j] - v[i]),

    prod_j F[j, s(j)]  is proportional to  prod_j W[j, s(j)] * prod over i not used of exp(-v[i]).

Rows may always be scaled; columns only with the second product, which is empty when n = N. Every factor
is at most 1 and the best matching has weight 1, so that sums neither overflow nor lose a term that
matters: what underflows is below 1e-290 of the best matching.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.typing import FloatArray, IntArray

FLUSH = 1e-290
"""Weights below this are set to zero: they cannot matter, and denormal numbers are slow."""


@njit(cache=True, nogil=True)
def _push(heap: FloatArray, item: IntArray, size: int, key: float, what: int) -> int:
    """Add to a binary heap; give the new size."""
    i = size
    while i > 0 and heap[(i - 1) >> 1] > key:
        heap[i], item[i] = heap[(i - 1) >> 1], item[(i - 1) >> 1]
        i = (i - 1) >> 1
    heap[i], item[i] = key, what
    return size + 1


@njit(cache=True, nogil=True)
def _pop(heap: FloatArray, item: IntArray, size: int) -> int:
    """Take the smallest off a binary heap; give the new size."""
    size -= 1
    key, what, i = heap[size], item[size], 0
    while 2 * i + 1 < size:
        child = 2 * i + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[i], item[i] = heap[child], item[child]
        i = child
    heap[i], item[i] = key, what
    return size


@njit(cache=True, nogil=True)
def best_matching(
    indptr: IntArray, indices: IntArray, values: FloatArray, u: FloatArray, v: FloatArray, mate: IntArray
) -> bool:
    """Fill u, v and the respondent of each record in the best matching; say whether there is one.

    Shortest augmenting paths with potentials (Hungarian method), Dijkstra with a heap, on sparse rows.
    """
    n, wide = u.size, v.size
    holder = np.full(wide, -1)
    v[:] = 0.0
    mate[:] = -1
    for j in range(n):
        u[j] = -math.inf
        for e in range(indptr[j], indptr[j + 1]):
            u[j] = max(u[j], values[e])
        for e in range(indptr[j], indptr[j + 1]):
            if values[e] == u[j] and holder[indices[e]] < 0:
                mate[j], holder[indices[e]] = indices[e], j
                break
    distance, done, came = np.full(wide, math.inf), np.zeros(wide, np.bool_), np.empty(wide, np.int64)
    touched = np.empty(wide, np.int64)
    heap, item = np.empty(indices.size + 1), np.empty(indices.size + 1, np.int64)
    for start in range(n):
        if mate[start] >= 0:
            continue
        seen, size, j, reached, end = 0, 0, start, 0.0, -1
        while True:
            for e in range(indptr[j], indptr[j + 1]):
                i = indices[e]
                if done[i]:
                    continue
                length = reached + max(u[j] + v[i] - values[e], 0.0)
                if length < distance[i]:
                    if distance[i] == math.inf:
                        touched[seen] = i
                        seen += 1
                    distance[i], came[i] = length, j
                    size = _push(heap, item, size, length, i)
            while size > 0 and done[item[0]]:
                size = _pop(heap, item, size)
            if size == 0:
                return False
            end, reached = item[0], heap[0]
            size = _pop(heap, item, size)
            done[end] = True
            if holder[end] < 0:
                break
            j = holder[end]
        u[start] -= reached
        for q in range(seen):
            i = touched[q]
            if done[i] and i != end:
                u[holder[i]] -= reached - distance[i]
                v[i] += reached - distance[i]
            distance[i], done[i] = math.inf, False
        i = end
        while True:
            j = came[i]
            holder[i] = j
            mate[j], i = i, mate[j]
            if j == start:
                break
    return True


@njit(cache=True, nogil=True)
def safe_weight(log_f: float, u: float, v: float) -> float:
    """Give exp(log_f - u - v), rounded once: the two differences keep their rounding errors."""
    a = log_f - u
    part = a - log_f
    low = (log_f - (a - part)) + (-u - part)
    b = a - v
    part = b - a
    low += (a - (b - part)) + (-v - part)
    weight = math.exp(b + low)
    return weight if weight > FLUSH else 0.0


@njit(cache=True, nogil=True)
def sparse_weights(
    indptr: IntArray, indices: IntArray, values: FloatArray, respondents: int
) -> tuple[bool, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Give: feasible, the weight of each stored pair, the weight of leaving each respondent out, u and v."""
    u, v = np.empty(indptr.size - 1), np.empty(respondents)
    weight, leave = np.empty(values.size), np.empty(respondents)
    found = best_matching(indptr, indices, values, u, v, np.empty(u.size, np.int64))
    for i in range(respondents if found else 0):
        leave[i] = math.exp(-v[i]) if v[i] < 660.0 else 0.0
    for j in range(u.size if found else 0):
        for e in range(indptr[j], indptr[j + 1]):
            weight[e] = safe_weight(values[e], u[j], v[indices[e]])
    return found, weight, leave, u, v


@njit(cache=True, nogil=True)
def dense_weights(log_f: FloatArray) -> tuple[bool, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Give the same for a dense table, -inf where a pair is impossible."""
    n, wide = log_f.shape
    indptr, indices, values = np.zeros(n + 1, np.int64), np.empty(n * wide, np.int64), np.empty(n * wide)
    e = 0
    for j in range(n):
        for i in range(wide):
            if log_f[j, i] > -math.inf:
                indices[e], values[e] = i, log_f[j, i]
                e += 1
        indptr[j + 1] = e
    found, weight, leave, u, v = sparse_weights(indptr, indices[:e], values[:e], wide)
    dense = np.zeros((n, wide))
    for j in range(n if found else 0):
        for q in range(indptr[j], indptr[j + 1]):
            dense[j, indices[q]] = weight[q]
    return found, dense, leave, u, v
