"""Scaling of a sparse table so that records sum to one and respondents to at most one.

Sinkhorn's scaling of the densities, with the null link as one more row whose total is N - n: the
multipliers of respondents apply to it too, and its own multiplier is common to a component. Good enough to
say who competes with whom; no answer to eq. (4.1) by itself (measured: off by up to .3).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from confide.errors import InternalError
from confide.linking.posterior.joint.scaling import best_matching, safe_weight
from confide.typing import AnyArray, FloatArray, IntArray

IN_LOGS, LEAST = 3, 1e-200
"""Iterations in logs before those without, and the smallest total that these may meet."""
FAR = 30.0
"""Column totals further from one than exp(FAR) mean that scaling has not come near; dual potentials take over."""


def component_labels(indptr: IntArray, indices: IntArray, respondents: int) -> tuple[IntArray, IntArray]:
    """Give the component of each respondent and how many more respondents than records each has.

    >>> component_labels(np.array([0, 2, 3]), np.array([0, 1, 2]), 3)[1].tolist()
    [1, 0]
    """
    n = indptr.size - 1
    rows = np.repeat(np.arange(n), np.diff(indptr))
    ones, size = np.ones(rows.size, dtype=np.int8), n + respondents
    both = sparse.csr_array((ones, (rows, np.asarray(indices) + n)), shape=(size, size))
    count, label = connected_components(both, directed=False)
    spare = np.bincount(label[n:], minlength=count) - np.bincount(label[:n], minlength=count)
    return label[n:].astype(np.int64), spare.astype(np.int64)


@njit(cache=True, nogil=True)
def _row_step(indptr: IntArray, indices: AnyArray, values: FloatArray, u: FloatArray, v: FloatArray) -> None:
    """Scale every record to one: u = log sum exp(values - v)."""
    for j in range(u.size):
        top = -math.inf
        for e in range(indptr[j], indptr[j + 1]):
            top = max(top, values[e] - v[indices[e]])
        total = 0.0
        for e in range(indptr[j], indptr[j + 1]):
            total += math.exp(values[e] - v[indices[e]] - top)
        u[j] = top + math.log(total)


@njit(cache=True, nogil=True)
def _column_logs(
    indptr: IntArray, indices: AnyArray, values: FloatArray, u: FloatArray, top: FloatArray, total: FloatArray
) -> None:
    """Fill log sum exp(values - u) of every respondent, as top + log(total)."""
    top[:] = -math.inf
    total[:] = 0.0
    for j in range(u.size):
        for e in range(indptr[j], indptr[j + 1]):
            i, x = indices[e], values[e] - u[j]
            if x > top[i]:
                total[i] = total[i] * math.exp(top[i] - x) + 1.0
                top[i] = x
            else:
                total[i] += math.exp(x - top[i])


@njit(cache=True, nogil=True)
def _null_step(label: IntArray, spare: IntArray, v: FloatArray, z: FloatArray) -> None:
    """Scale the null links of every component to their total."""
    top, total = np.full(spare.size, -math.inf), np.zeros(spare.size)
    for i in range(v.size):
        top[label[i]] = max(top[label[i]], -v[i])
    for i in range(v.size):
        if spare[label[i]] > 0:
            total[label[i]] += math.exp(-v[i] - top[label[i]])
    for c in range(spare.size):
        z[c] = math.log(float(spare[c]) / total[c]) - top[c] if spare[c] > 0 else -math.inf


@njit(cache=True, nogil=True)
def scale(
    indptr: IntArray, indices: AnyArray, values: FloatArray, label: IntArray, spare: IntArray, iterations: int
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Give potentials u (records), v (respondents), z (components) and the largest |log column total|.

    exp(values - u - v) sums to one over each record; together with the null link exp(z - v) it sums to about
    one over each respondent.
    """
    n, wide = indptr.size - 1, label.size
    u, v, z = np.zeros(n), np.zeros(wide), np.full(spare.size, -math.inf)
    top, total, off = np.empty(wide), np.empty(wide), 0.0
    _row_step(indptr, indices, values, u, v)
    for _ in range(iterations):
        _column_logs(indptr, indices, values, u, top, total)
        _null_step(label, spare, v, z)
        off = 0.0
        for i in range(wide):
            null = z[label[i]]
            if total[i] == 0.0:
                v[i] = null
                continue
            found = top[i] + math.log(total[i])
            high = max(found, null)
            found = high + math.log(math.exp(found - high) + math.exp(null - high))
            off = max(off, abs(found - v[i]))
            v[i] = found
        _row_step(indptr, indices, values, u, v)
    return u, v, z, off


@njit(cache=True, nogil=True)
def scale_everybody(
    indptr: IntArray, indices: AnyArray, values: FloatArray, respondents: int, iterations: int
) -> tuple[FloatArray, FloatArray, float]:
    """Give u, v and the same distance where nobody is left out: a few iterations in logs, the others without.

    The distance is infinite where densities are too far apart for that.
    """
    n, first = indptr.size - 1, min(iterations, IN_LOGS)
    nobody = np.zeros(1, np.int64)
    u, v, _, off = scale(indptr, indices, values, np.zeros(respondents, np.int64), nobody, first)
    weight, up, down = np.empty(values.size), np.ones(n), np.ones(respondents)
    for j in range(n):
        for e in range(indptr[j], indptr[j + 1]):
            weight[e] = math.exp(values[e] - u[j] - v[indices[e]])
    for _ in range(iterations - first):
        total, off = np.zeros(respondents), 0.0
        for j in range(n):
            for e in range(indptr[j], indptr[j + 1]):
                total[indices[e]] += up[j] * weight[e]
        for i in range(respondents):
            if not LEAST < total[i] < 1.0 / LEAST:
                return u, v, math.inf
            new = 1.0 / total[i]
            off = max(off, new / down[i], down[i] / new)
            down[i] = new
        off = math.log(off)
        for j in range(n):
            rest = 0.0
            for e in range(indptr[j], indptr[j + 1]):
                rest += weight[e] * down[indices[e]]
            if not LEAST < rest < 1.0 / LEAST:
                return u, v, math.inf
            up[j] = 1.0 / rest
    return u - np.log(up), v - np.log(down), off


def scaled_weights(
    indptr: IntArray, indices: AnyArray, values: FloatArray, label: IntArray, spare: IntArray, iterations: int = 20
) -> tuple[FloatArray, FloatArray]:
    """Give the scaled weight of each stored pair and of leaving each respondent out.

    P(s) stays proportional to the product of the weights; those of a record sum to one. Where the range is so extreme
    that scaling does not come near, potentials of the best matching are used.
    """
    everybody, off = not spare.any(), math.inf
    if everybody:
        z = np.full(spare.size, -np.inf)
        u, v, off = scale_everybody(indptr, indices, values, label.size, iterations)
    if not off < FAR:
        u, v, z, off = scale(indptr, indices, values, label, spare, iterations)
    if not off < FAR:
        if not best_matching(indptr, indices, values, u, v, np.empty(u.size, np.int64)):
            raise InternalError("no matching was found where one exists")
        z = np.where(spare > 0, 0.0, -np.inf)
    leave = np.exp(np.maximum(z[label] - v, -600.0)) * (spare[label] > 0)
    return _weights(indptr, indices, values, u, v), leave


@njit(cache=True, nogil=True)
def _weights(indptr: IntArray, indices: AnyArray, values: FloatArray, u: FloatArray, v: FloatArray) -> FloatArray:
    weight = np.empty(values.size)
    for j in range(u.size):
        for e in range(indptr[j], indptr[j + 1]):
            weight[e] = safe_weight(values[e], u[j], v[indices[e]])
    return weight


@njit(cache=True, nogil=True)
def project(
    indptr: IntArray, indices: AnyArray, p: FloatArray, null: FloatArray, iterations: int, tolerance: float
) -> tuple[FloatArray, float]:
    """Scale p so that records sum to one, respondents with their null link to one; give p and what is left.

    Args:
        indptr: where each record starts.
        indices: the respondent of each pair.
        p: what to scale.
        null: null link of each respondent, scaled along; 0 where everybody was released.
        iterations: at most so many.
        tolerance: stop when no respondent's total is further than this from one.
    """
    n, wide = indptr.size - 1, null.size
    answer, slack, off, total = p.copy(), null.copy(), 0.0, np.zeros(wide)
    for e in range(answer.size):
        total[indices[e]] += answer[e]
    for _ in range(iterations):
        off = 0.0
        for i in range(wide):
            whole = total[i] + slack[i]
            if whole > 0.0:
                off = max(off, abs(whole - 1.0))
                slack[i] /= whole
            total[i] = 1.0 / whole if whole > 0.0 else 1.0
        if off <= tolerance:
            break
        per, total = total, np.zeros(wide)
        for j in range(n):
            rest = 0.0
            for e in range(indptr[j], indptr[j + 1]):
                answer[e] *= per[indices[e]]
                rest += answer[e]
            scale = 1.0 / rest if rest > 0.0 else 1.0
            for e in range(indptr[j], indptr[j + 1]):
                answer[e] *= scale
                total[indices[e]] += answer[e]
    return answer, off
