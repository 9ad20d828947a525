"""Message passing for the assignment of records to respondents, with a fractional exponent.

The fixed points of message passing solve p (1 - p)^k = W u v, with u per record and v per respondent such
that records sum to one and respondents with their null link L v to one. k = 1 is belief propagation
(Bethe): where few records compete closely it runs off to 0 or 1, silently, and an isolated confusable pair
gets 0 or 1 where the truth is 1/2. k = 0 is Sinkhorn's scaling; k = 1/2 is exact for isolated pairs, and
its iteration halves the distance on the log scale, however weakly groups of records are linked.

The multipliers 1 / v are the messages: boundary weights for an exact programme on a cluster (see
`cluster`). The probabilities are not to be reported by themselves.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from confide.typing import AnyArray, FloatArray, IntArray

LEAST = 1e-100
"""Multipliers, and what is left beside a largest p, stay above this (multipliers below its inverse too)."""


@njit(cache=True, nogil=True)
def propagate(
    indptr: IntArray, indices: AnyArray, weight: FloatArray, leave: FloatArray, label: IntArray, spare: IntArray, k: float,
    iterations: int, tolerance: float,
) -> tuple[FloatArray, FloatArray, FloatArray, int]:  # fmt: skip
    """Give p, the null links, the multipliers v, and the number of iterations used.

    Each iteration puts the (1 - p)^k of the one before into the weights and scales records, then
    respondents. What is left of 1 beside a record's largest p is kept as a sum, so that nothing cancels.
    The null links of a component (label) sum to its spare respondents.
    """
    n, wide = indptr.size - 1, leave.size
    p, v, null, total = np.zeros(weight.size), np.ones(wide), leave.copy(), np.empty(wide)
    beside, where, used = np.ones(n), np.full(n, -1), 0
    for step in range(iterations):
        used, moved = step + 1, 0.0
        total[:] = 0.0
        for j in range(n):
            top, at, rest = 0.0, -1, 0.0
            for e in range(indptr[j], indptr[j + 1]):
                if weight[e] == 0.0:
                    continue
                term = weight[e] * v[indices[e]]
                if where[j] == e:
                    term /= beside[j] ** k
                elif p[e] < 1e-3:
                    term *= 1.0 + k * p[e] * (1.0 + 0.5 * (k + 1.0) * p[e])
                else:
                    term /= (1.0 - p[e]) ** k
                if term > top:
                    rest, top, at = rest + top, term, e
                else:
                    rest += term
                p[e] = term
            left = max(rest / (rest + top), LEAST)
            moved = max(moved, abs(left - beside[j]))
            where[j], beside[j] = at, left
            for e in range(indptr[j], indptr[j + 1]):
                p[e] /= rest + top
                total[indices[e]] += p[e]
        change = _respondents(total, leave, label, spare, v, null)
        if max(change, moved) < tolerance:
            break
    return p, null, v, used


@njit(cache=True, nogil=True)
def _respondents(
    total: FloatArray, leave: FloatArray, label: IntArray, spare: IntArray, v: FloatArray, null: FloatArray
) -> float:
    """Scale every respondent, with its null link, to one; give how far the furthest was."""
    sums, change = np.zeros(spare.size), 0.0
    for i in range(v.size):
        null[i] = leave[i] * v[i]
        sums[label[i]] += null[i]
    for i in range(v.size):
        c = label[i]
        scale = spare[c] / sums[c] if sums[c] > 0.0 else 1.0
        null[i] *= scale
        whole = total[i] + null[i]
        if whole > 0.0:
            change = max(change, abs(whole - 1.0))
            v[i] = min(max(v[i] * scale / whole, LEAST), 1.0 / LEAST)
    return change
