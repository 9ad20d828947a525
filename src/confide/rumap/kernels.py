"""Compiled loops over counts of values above and below."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.typing import FloatArray

SMALL = 1e-20
"""Binomial probabilities below this are left out."""


@njit(cache=True, nogil=True)
def log_binomial(n: int, k: int, q: float) -> float:
    """Give the log of the binomial probability of k among n.

    >>> round(math.exp(log_binomial(4, 2, 0.5)), 6)
    0.375
    """
    if q <= 0.0:
        return 0.0 if k == 0 else -np.inf
    if q >= 1.0:
        return 0.0 if k == n else -np.inf
    ways = math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)
    return ways + k * math.log(q) + (n - k) * math.log1p(-q)


@njit(cache=True, nogil=True)
def _fill(n: int, q: float, p: FloatArray) -> tuple[int, int]:
    """Write the binomial probabilities that matter, from the most probable one outwards; give the first and the last."""
    mode = min(n, int((n + 1) * q))
    p[mode] = math.exp(log_binomial(n, mode, q))
    first = last = mode
    if q <= 0.0 or q >= 1.0:
        return first, last
    odds = q / (1.0 - q)
    while first > 0 and p[first] > SMALL:
        p[first - 1] = p[first] * first / ((n - first + 1) * odds)
        first -= 1
    while last < n and p[last] > SMALL:
        p[last + 1] = p[last] * (n - last) * odds / (last + 1)
        last += 1
    return first, last


@njit(cache=True, nogil=True)
def crossed(n: int, r: int, above: FloatArray, both: FloatArray, other: FloatArray) -> FloatArray:
    """Give the probability that at most r of n values lie above one cut, while more than r twins lie above another.

    Args:
        n: the number of pairs.
        r: how many may lie above.
        above: for each pair of cuts, the probability that a value lies above the first cut.
        both: that it does and its twin lies above the second cut.
        other: that it does not and its twin lies above the second cut.

    >>> q = np.array([0.5])
    >>> float(crossed(1, 0, q, 0.5 * q, 0.5 * q)[0])
    0.25
    """
    found = np.zeros(above.size)
    left, right = np.empty(n + 1), np.empty(n + 1)
    for i in range(above.size):
        a = above[i]
        stay = min(both[i] / a, 1.0) if a > 0.0 else 0.0
        come = min(other[i] / (1.0 - a), 1.0) if a < 1.0 else 0.0
        if come <= 0.0:
            continue
        total = 0.0
        for u in range(r, -1, -1):
            weight = math.exp(log_binomial(n, u, a))
            if weight < SMALL:
                if u < n * a:
                    break
                continue
            first, last = _fill(u, stay, left)
            low, high = _fill(n - u, come, right)
            # More than r twins above: j of those u, and more than r - j of the others.
            tail, inner = 0.0, 0.0
            for t in range(max(r - first + 1, low), high + 1):
                tail += right[t]
            for j in range(first, last + 1):
                inner += left[j] * min(tail, 1.0)
                if low <= r - j <= high:
                    tail += right[r - j]
            total += weight * inner
        found[i] = total
    return found


@njit(cache=True, nogil=True)
def at_least(k: int, q: FloatArray) -> FloatArray:
    """Give, for each row of probabilities, the probability that at least k of these independent events happen.

    >>> at_least(1, np.array([[0.5, 0.5], [0.0, 1.0]])).tolist()
    [0.75, 1.0]
    """
    rows, n = q.shape
    found = np.empty(rows)
    p = np.empty(k + 1)
    for i in range(rows):
        p[:] = 0.0
        p[0] = 1.0
        for j in range(n):
            # The last place gathers k and more.
            p[k] += p[k - 1] * q[i, j]
            for c in range(k - 1, 0, -1):
                p[c] += (p[c - 1] - p[c]) * q[i, j]
            p[0] *= 1.0 - q[i, j]
        found[i] = p[k]
    return found
