"""All small components in one pass of compiled code: there may be hundreds of thousands of them."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.errors import LikelihoodError
from confide.linking.posterior.joint.components import Components
from confide.linking.posterior.joint.subset import subset_kernel
from confide.typing import BoolArray, FloatArray, IntArray

SMALL_STATES = 1 << 14
"""Components with so many states of the subset programme are small."""


@njit(cache=True, nogil=True)
def small_components(
    record_start: IntArray, respondent_start: IntArray, indptr: IntArray, indices: IntArray, values: FloatArray,
    source: IntArray, p: FloatArray, solved: BoolArray,
) -> int:  # fmt: skip
    """Fill p at the pairs of small components; give -1, or an infeasible component."""
    for c in range(record_start.size - 1):
        first, last = record_start[c], record_start[c + 1]
        n, wide = last - first, respondent_start[c + 1] - respondent_start[c]
        if wide < n:
            return c
        if n > 14 or (1 << n) * (wide - n + 1) > SMALL_STATES:
            continue
        table = np.full((n, wide), -math.inf)
        for j in range(n):
            for e in range(indptr[first + j], indptr[first + j + 1]):
                table[j, indices[e]] = values[e]
        found, answer = subset_kernel(table)
        if not found:
            return c
        for j in range(n):
            for e in range(indptr[first + j], indptr[first + j + 1]):
                p[source[e]] = min(answer[j, indices[e]], 1.0)
        solved[c] = True
    return -1


def solve_small(parts: Components, p: FloatArray) -> BoolArray:
    """Fill p, the data of the whole table, for every small component; say which were small."""
    solved = np.zeros(len(parts), dtype=np.bool_)
    at = small_components(
        parts.record_start, parts.respondent_start, parts.indptr, parts.indices, parts.values, parts.source, p, solved
    )
    if at >= 0:
        raise LikelihoodError(
            f"the release is impossible: record number {parts[at].records[0]} and those that compete with it "
            "cannot all come from different respondents"
        )
    return solved
