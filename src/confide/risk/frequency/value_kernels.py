"""The inner loops over the values of a sensitive variable, in order within each cell."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.sorting import sort_in_place
from confide.typing import FloatArray, IntArray


@njit(cache=True, nogil=True)
def _run_end(ordered: IntArray, first: int, end: int) -> int:
    """Give where the run of equal values that starts at a place ends."""
    i = first + 1
    while i < end and ordered[i] == ordered[first]:
        i += 1
    return i


@njit(cache=True, nogil=True)
def distinct_values(ordered: IntArray, start: IntArray) -> FloatArray:
    """Count the different values of each cell."""
    found = np.empty(start.size - 1)
    for c in range(start.size - 1):
        i, m = start[c], 0
        while i < start[c + 1]:
            i, m = _run_end(ordered, i, start[c + 1]), m + 1
        found[c] = m
    return found


@njit(cache=True, nogil=True)
def entropies(ordered: IntArray, start: IntArray) -> FloatArray:
    """Give the entropy of the values of each cell, in natural units: log n - sum r log r / n."""
    found = np.empty(start.size - 1)
    for c in range(start.size - 1):
        i, n, total = start[c], start[c + 1] - start[c], 0.0
        while i < start[c + 1]:
            end = _run_end(ordered, i, start[c + 1])
            total += (end - i) * math.log(n / (end - i))
            i = end
        found[c] = total / n
    return found


@njit(cache=True, nogil=True)
def recursive_depths(ordered: IntArray, start: IntArray, ratio: float) -> FloatArray:
    """Give the largest l with r_1 < ratio (r_l + ... + r_m), r being the counts of each cell, largest first."""
    found = np.empty(start.size - 1)
    runs = np.empty(ordered.size, dtype=np.int64)
    for c in range(start.size - 1):
        i, m = start[c], 0
        while i < start[c + 1]:
            end = _run_end(ordered, i, start[c + 1])
            runs[m] = end - i
            i, m = end, m + 1
        sort_in_place(runs, m)
        # counts now ascend: add up the tail r_m + r_(m-1) + ... until it outweighs the largest
        tail, deepest = 0, 0
        for k in range(m):
            tail += runs[k]
            if runs[m - 1] < ratio * tail:
                deepest = m - k
                break
        found[c] = deepest
    return found


@njit(cache=True, nogil=True)
def variations(ordered: IntArray, start: IntArray, q: FloatArray) -> FloatArray:
    """Give half of sum |p - q| for each cell: what p has above q, over the values of the cell alone."""
    found = np.empty(start.size - 1)
    for c in range(start.size - 1):
        i, n, total = start[c], start[c + 1] - start[c], 0.0
        while i < start[c + 1]:
            end = _run_end(ordered, i, start[c + 1])
            total += max((end - i) / n - q[ordered[i]], 0.0)
            i = end
        found[c] = min(total, 1.0)
    return found


@njit(cache=True, nogil=True)
def _distance(level: float, a: int, b: int, q: FloatArray, summed: FloatArray) -> float:
    """Add up |level - q[i]| for i from a to before b; q ascends, summed[i] is the sum of q before i."""
    low, high = a, b
    while low < high:
        middle = (low + high) // 2
        if q[middle] < level:
            low = middle + 1
        else:
            high = middle
    below = level * (low - a) - (summed[low] - summed[a])
    above = (summed[b] - summed[low]) - level * (b - low)
    return below + above


@njit(cache=True, nogil=True)
def ordered_distances(ordered: IntArray, start: IntArray, q: FloatArray, summed: FloatArray) -> FloatArray:
    """Give sum |P_i - Q_i| / (m - 1) for each cell, P and q being cumulative shares of the m values.

    P is constant between the values of a cell, so each stretch needs one search in q.
    """
    levels = q.size
    found = np.zeros(start.size - 1)
    if levels < 2:
        return found
    for c in range(start.size - 1):
        n, total, last = start[c + 1] - start[c], 0.0, 0
        for i in range(start[c], start[c + 1]):
            v = ordered[i]
            if v > last:
                total += _distance((i - start[c]) / n, last, v, q, summed)
                last = v
        total += _distance(1.0, last, levels, q, summed)
        found[c] = min(max(total / (levels - 1), 0.0), 1.0)
    return found
