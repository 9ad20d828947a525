"""Find rows that are alike without sorting them column by column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from confide.typing import AnyArray, FloatArray, IntArray


class Distinct(NamedTuple):
    """Rows that are alike taken together."""

    rows: FloatArray
    """Every different row once."""
    which: IntArray
    """The place of each row among them."""
    times: IntArray
    """How often each occurs."""
    begin: IntArray
    """Where the rows of each begin in `order`; the last entry ends the list."""
    order: IntArray
    """The rows that are alike, next to each other and increasing."""


def distinct_rows(rows: FloatArray) -> Distinct:
    """Take rows that are alike together; NaN is like NaN.

    >>> found = distinct_rows(np.array([[1.0, 2.0], [3.0, np.nan], [1.0, 2.0], [3.0, np.nan]]))
    >>> found.times.tolist(), bool(found.which[0] == found.which[2])
    ([2, 2], True)
    """
    n = rows.shape[0]
    mixed = np.empty(n, dtype=np.uint64)
    _mix_rows(rows, mixed)
    order = np.argsort(mixed, kind="stable").astype(np.int64)
    which = np.empty(n, dtype=np.int64)
    found = _group(rows, mixed, order, which)
    if found < 0:  # two different rows have the same mixture; sort them in earnest
        bits = _bits(rows)
        _, which = np.unique(bits, axis=0, return_inverse=True)
        which = which.ravel().astype(np.int64)
        order = np.argsort(which, kind="stable").astype(np.int64)
        found = int(which.max(initial=-1)) + 1
    if found == n:
        own = np.arange(n, dtype=np.int64)
        return Distinct(rows, own, np.ones(n, dtype=np.int64), np.arange(n + 1, dtype=np.int64), own)
    times = np.bincount(which, minlength=found).astype(np.int64)
    begin = np.concatenate([[0], np.cumsum(times)]).astype(np.int64)
    return Distinct(rows[order[begin[:-1]]], which, times, begin, order)


def _bits(rows: FloatArray) -> AnyArray:
    """Give the bits of all numbers, one pattern for every number."""
    plain = np.where(np.isnan(rows), np.nan, rows) + 0.0
    return np.ascontiguousarray(plain).view(np.uint64)


@njit(cache=True, nogil=True)
def _mix_rows(rows: FloatArray, out: AnyArray) -> None:
    """Mix the numbers of each row into one 64-bit word."""
    held = np.zeros(1)
    word = held.view(np.uint64)
    for i in range(rows.shape[0]):
        state = np.uint64(0x9E3779B97F4A7C15)
        for j in range(rows.shape[1]):
            x = rows[i, j]
            held[0] = np.nan if x != x else x + 0.0  # noqa: PLR0124  NaN, in one pattern
            state ^= word[0]
            state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            state ^= state >> np.uint64(31)
        out[i] = state


@njit(cache=True, nogil=True)
def _group(rows: FloatArray, mixed: AnyArray, order: IntArray, which: IntArray) -> int:
    """Number the groups of like rows, sorted by their mixtures; -1: different rows have the same one."""
    groups = 0
    for t in range(order.size):
        i = order[t]
        if t > 0 and mixed[i] == mixed[order[t - 1]]:
            before = order[t - 1]
            for j in range(rows.shape[1]):
                a, b = rows[i, j], rows[before, j]
                if not (a == b or (a != a and b != b)):  # noqa: PLR0124
                    return -1
        else:
            groups += 1
        which[i] = groups - 1
    return groups
