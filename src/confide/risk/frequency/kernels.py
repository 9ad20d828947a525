"""The inner loops that number equal keys, count under wildcards and put values in order within cells."""

from __future__ import annotations

import numpy as np
from numba import njit

from confide.typing import AnyArray, FloatArray, IntArray

MIX = np.uint64(0x9E3779B97F4A7C15)
"""An odd number near 2**64 over the golden ratio: products spread equal steps over the high bits."""


@njit(cache=True, nogil=True)
def whole_range(numbers: FloatArray, codes: IntArray, number: int) -> tuple[bool, float, float]:
    """Say whether all numbers are whole, and give the smallest and the largest."""
    low, high = np.inf, -np.inf
    for i in range(numbers.size):
        if codes[i] == number:
            x = numbers[i]
            if x != np.floor(x):
                return False, low, high
            low, high = min(low, x), max(high, x)
    return True, low, high


@njit(cache=True, nogil=True)
def shifted(numbers: FloatArray, codes: IntArray, number: int, missing: int, low: float, wide: int, last: int) -> IntArray:
    """Write whole numbers as steps above the lowest, then labels, then missing."""
    ids = np.empty(codes.size, dtype=np.int64)
    for i in range(codes.size):
        c = codes[i]
        if c == number:
            ids[i] = np.int64(numbers[i] - low)
        elif c == missing:
            ids[i] = last
        else:
            ids[i] = wide + c
    return ids


@njit(cache=True, nogil=True)
def count_direct(packed: IntArray, product: int) -> tuple[IntArray, int]:
    """Count equal keys by a table of all possible ones; give each record's count, and how many different keys there are."""
    table = np.zeros(product, dtype=np.int32)
    m = 0
    for i in range(packed.size):
        c = table[packed[i]]
        table[packed[i]] = c + 1
        m += c == 0
    f = np.empty(packed.size, dtype=np.int64)
    for i in range(packed.size):
        f[i] = table[packed[i]]
    return f, m


@njit(cache=True, nogil=True)
def number_direct(packed: IntArray, product: int) -> tuple[IntArray, IntArray]:
    """Number the distinct keys by a table of all possible ones; give each record's number, and sizes."""
    table = np.zeros(product, dtype=np.int32)
    for i in range(packed.size):
        table[packed[i]] += 1
    m = 0
    for k in range(product):
        m += table[k] > 0
    size = np.empty(m + 1, dtype=np.int64)
    m = 0
    for k in range(product):
        c = table[k]
        size[m] = c
        table[k] = m
        m += c > 0
    of = np.empty(packed.size, dtype=np.int64)
    for i in range(packed.size):
        of[i] = table[packed[i]]
    return of, size[:m]


@njit(cache=True, nogil=True)
def number_hashed(packed: IntArray) -> tuple[IntArray, IntArray]:
    """Number the distinct keys by a hash table; give each record's number, and sizes."""
    n = packed.size
    bits = 4
    while (1 << bits) < 2 * n:
        bits += 1
    last, shift = (1 << bits) - 1, np.uint64(64 - bits)
    slot = np.zeros(1 << bits, dtype=np.int32)
    key = np.empty(n, dtype=np.int64)
    of, size = np.empty(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    m = 0
    for i in range(n):
        k = packed[i]
        h = np.int64((np.uint64(k) * MIX) >> shift)
        while slot[h] != 0 and key[slot[h] - 1] != k:
            h = (h + 1) & last
        c = slot[h]
        if c == 0:
            key[m] = k
            m += 1
            slot[h] = c = m
        of[i] = c - 1
        size[c - 1] += 1
    return of, size[:m].copy()


@njit(cache=True, nogil=True)
def _place(key: AnyArray, mask: AnyArray, table: IntArray, held: AnyArray, last: int, shift: np.uint64) -> int:
    """Find the slot of a key's visible part, or the empty slot where it would stand."""
    h = np.uint64(0)
    for k in range(mask.size):
        h = (h ^ (key[k] & mask[k])) * MIX
        h ^= h >> np.uint64(29)
    at = np.int64((h * MIX) >> shift)
    while table[at] >= 0:
        same = True
        for k in range(mask.size):
            if held[table[at], k] & mask[k] != key[k] & mask[k]:
                same = False
                break
        if same:
            break
        at = (at + 1) & last
    return int(at)


@njit(cache=True, nogil=True)
def wildcard_sums(
    keys: AnyArray, start: IntArray, shown: AnyArray, credit: FloatArray, counts: FloatArray, weights: FloatArray,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """Add up, for every cell, the counts and weights of the cells that agree with it.

    Cells are arranged by what is missing; `start` bounds the patterns, `shown` masks the bits that a pattern shows,
    and a cell of another pattern counts by that pattern's `credit`. Two patterns meet on what both show: the smaller
    one is put into a table, the larger one is read once.
    """
    patterns, words = shown.shape
    f, big_f = counts.copy(), weights.copy()
    largest = 0
    for a in range(patterns):
        largest = max(largest, start[a + 1] - start[a])
    bits = 4
    while (1 << bits) < 2 * largest:
        bits += 1
    table = np.empty(1 << bits, dtype=np.int64)
    slot = np.empty(largest, dtype=np.int64)
    own, found = np.empty((1 << bits, 2)), np.empty((1 << bits, 2))
    mask = np.empty(words, dtype=np.uint64)
    for a in range(patterns):
        for b in range(a + 1, patterns):
            s, t = (a, b) if start[a + 1] - start[a] <= start[b + 1] - start[b] else (b, a)
            for k in range(words):
                mask[k] = shown[s, k] & shown[t, k]
            bits = 4
            while (1 << bits) < 2 * (start[s + 1] - start[s]):
                bits += 1
            last, shift = (1 << bits) - 1, np.uint64(64 - bits)
            table[: last + 1] = -1
            for c in range(start[s], start[s + 1]):
                at = _place(keys[c], mask, table, keys, last, shift)
                if table[at] < 0:
                    table[at] = c
                    own[at], found[at] = 0.0, 0.0
                own[at, 0] += counts[c]
                own[at, 1] += weights[c]
                slot[c - start[s]] = at
            for c in range(start[t], start[t + 1]):
                at = _place(keys[c], mask, table, keys, last, shift)
                if table[at] >= 0:
                    found[at, 0] += counts[c]
                    found[at, 1] += weights[c]
                    f[c] += credit[s] * own[at, 0]
                    big_f[c] += credit[s] * own[at, 1]
            for c in range(start[s], start[s + 1]):
                f[c] += credit[t] * found[slot[c - start[s]], 0]
                big_f[c] += credit[t] * found[slot[c - start[s]], 1]
    return f, big_f


@njit(cache=True, nogil=True)
def within_cells(cell: IntArray, size: IntArray, value: IntArray, levels: int) -> tuple[IntArray, IntArray]:
    """Put the values of every cell in order, by two counting sorts; give them and where each cell starts."""
    n = cell.size
    at = np.zeros(levels + 1, dtype=np.int64)
    for i in range(n):
        at[value[i] + 1] += 1
    for v in range(levels):
        at[v + 1] += at[v]
    row = np.empty(n, dtype=np.int32)
    for i in range(n):
        row[at[value[i]]] = i
        at[value[i]] += 1
    start = np.zeros(size.size + 1, dtype=np.int64)
    for c in range(size.size):
        start[c + 1] = start[c] + size[c]
    free = start[:-1].copy()
    ordered = np.empty(n, dtype=np.int64)
    for j in range(n):
        i = row[j]
        ordered[free[cell[i]]] = value[i]
        free[cell[i]] += 1
    return ordered, start
