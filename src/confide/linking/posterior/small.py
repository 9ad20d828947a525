"""Exact probabilities of a small block in which the number of matched records has a weight of its own."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.typing import FloatArray

MOST_WORK = 2e6
"""The most steps for one block."""


def small_work(n: int, targets: int) -> float:
    """Give the number of steps for a block.

    >>> small_work(3, 5)
    120.0
    """
    few = min(n, targets)
    return math.inf if few > 20 else float(max(n, targets)) * few * 2.0**few


def small_marginals(log_r: FloatArray, log_w: FloatArray) -> FloatArray:
    """Give P(record j is target i's) when a matching of k pairs weighs W(k) times the product of its scores.

    A subset dynamic programme over the smaller side; all terms are positive.

    Args:
        log_r: log scores, records by targets, -inf where impossible.
        log_w: log W(0), log W(1), ... up to the smaller side.

    >>> small_marginals(np.zeros((1, 1)), np.log([3.0, 1.0])).round(12).tolist()
    [[0.25]]
    """
    n, targets = log_r.shape
    if n > targets:
        return np.ascontiguousarray(small_marginals(np.ascontiguousarray(log_r.T), log_w).T)
    return _over_subsets(np.ascontiguousarray(log_r), np.ascontiguousarray(log_w, dtype=np.float64))


@njit(cache=True, nogil=True)
def _add(a: float, b: float) -> float:
    """Add two numbers on the log scale."""
    if a < b:
        a, b = b, a
    return a if b == -math.inf else a + math.log1p(math.exp(b - a))


@njit(cache=True, nogil=True)
def _over_subsets(log_r: FloatArray, log_w: FloatArray) -> FloatArray:
    """Run the programme: what came before each target by set of rows used, times what may come after."""
    n, wide = log_r.shape
    sets = 1 << n
    after = np.empty((wide + 1, sets))
    for mask in range(sets):
        bits = 0
        for j in range(n):
            bits += (mask >> j) & 1
        after[wide, mask] = log_w[bits]
    for i in range(wide - 1, -1, -1):
        for mask in range(sets):
            total = after[i + 1, mask]
            for j in range(n):
                if not (mask >> j) & 1 and log_r[j, i] > -math.inf:
                    total = _add(total, log_r[j, i] + after[i + 1, mask | (1 << j)])
            after[i, mask] = total
    p = np.zeros((n, wide))
    before, following = np.full(sets, -math.inf), np.empty(sets)
    before[0] = 0.0
    whole = after[0, 0]
    for i in range(wide):
        following[:] = before
        for mask in range(sets):
            if before[mask] == -math.inf:
                continue
            for j in range(n):
                if not (mask >> j) & 1 and log_r[j, i] > -math.inf:
                    step, used = before[mask] + log_r[j, i], mask | (1 << j)
                    following[used] = _add(following[used], step)
                    p[j, i] += math.exp(step + after[i + 1, used] - whole)
        before[:] = following
    return p
