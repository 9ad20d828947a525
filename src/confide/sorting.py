"""Sorts for use inside compiled loops.

The sorts that numba generates for `np.sort` and `np.argsort` may share a symbol when loaded from the cache of different
processes, and one is then called for the other. These are plain functions with names of their own.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from confide.typing import AnyArray, IntArray

SHORT = 24
"""Up to this length values are sorted by insertion."""


@njit(cache=True, nogil=True)
def _insert(values: AnyArray, order: IntArray, low: int, high: int) -> None:
    """Sort places low to before high of an order by insertion; ties keep theirs."""
    for t in range(low + 1, high):
        q, s = order[t], t
        while s > low and values[order[s - 1]] > values[q]:
            order[s] = order[s - 1]
            s -= 1
        order[s] = q


@njit(cache=True, nogil=True)
def _merge(values: AnyArray, order: IntArray, low: int, middle: int, high: int, spare: IntArray) -> None:
    """Merge two sorted stretches of an order; ties keep their places."""
    a, b = low, middle
    for t in range(low, high):
        if b >= high or (a < middle and values[order[a]] <= values[order[b]]):
            spare[t] = order[a]
            a += 1
        else:
            spare[t] = order[b]
            b += 1


@njit(cache=True, nogil=True)
def sorting_order(values: AnyArray) -> IntArray:
    """Give the order that sorts values; ties keep their places. NaN is not allowed.

    >>> sorting_order(np.array([3.0, 1.0, 2.0, 1.0])).tolist()
    [1, 3, 2, 0]
    """
    n = values.size
    order = np.arange(n)
    for low in range(0, n, SHORT):
        _insert(values, order, low, min(low + SHORT, n))
    if n <= SHORT:
        return order
    spare, width = np.empty(n, np.int64), SHORT
    while width < n:
        for low in range(0, n, 2 * width):
            _merge(values, order, low, min(low + width, n), min(low + 2 * width, n), spare)
        order, spare = spare, order
        width *= 2
    return order


@njit(cache=True, nogil=True)
def _sink(values: AnyArray, start: int, n: int) -> None:
    """Let a value sink to its place in a heap with the largest on top."""
    root = start
    while 2 * root + 1 < n:
        child = 2 * root + 1
        if child + 1 < n and values[child] < values[child + 1]:
            child += 1
        if not values[root] < values[child]:
            return
        values[root], values[child] = values[child], values[root]
        root = child


@njit(cache=True, nogil=True)
def sort_in_place(values: AnyArray, n: int) -> None:
    """Sort the first n values, without further memory. NaN is not allowed.

    >>> x = np.array([3, 1, 2, 0])
    >>> sort_in_place(x, 3)
    >>> x.tolist()
    [1, 2, 3, 0]
    """
    if n <= SHORT:
        for t in range(1, n):
            v, s = values[t], t
            while s > 0 and values[s - 1] > v:
                values[s] = values[s - 1]
                s -= 1
            values[s] = v
        return
    for start in range(n // 2 - 1, -1, -1):
        _sink(values, start, n)
    for last in range(n - 1, 0, -1):
        values[0], values[last] = values[last], values[0]
        _sink(values, 0, last)
