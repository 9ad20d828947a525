"""Which records are open when respondents pass in order, and the bit each of them holds meanwhile."""

from __future__ import annotations

import numpy as np
from numba import njit

from confide.linking.posterior.joint.subset import trailing_zeros
from confide.sorting import sorting_order
from confide.typing import IntArray


@njit(cache=True, nogil=True)
def windows(indptr: IntArray, indices: IntArray, position: IntArray) -> tuple[IntArray, IntArray]:
    """Give the first and the last position among each record's candidates."""
    n = indptr.size - 1
    first, last = np.full(n, position.size), np.full(n, -1)
    for j in range(n):
        for e in range(indptr[j], indptr[j + 1]):
            first[j], last[j] = min(first[j], position[indices[e]]), max(last[j], position[indices[e]])
    return first, last


@njit(cache=True, nogil=True)
def slots(first: IntArray, last: IntArray, steps: int, width: int) -> tuple[IntArray, IntArray, IntArray]:
    """Give each record a bit while it is open; with the open bits and the closing bits of each step."""
    slot, opened, closing = np.empty(first.size, np.int64), np.zeros(steps, np.int64), np.zeros(steps, np.int64)
    by_first = sorting_order(first)
    q, active, free = 0, 0, (1 << width) - 1
    for t in range(steps):
        while q < first.size and first[by_first[q]] == t:
            j = by_first[q]
            bit = free & -free
            slot[j] = trailing_zeros(bit)
            free ^= bit
            active |= bit
            closing[last[j]] |= bit
            q += 1
        opened[t] = active
        active &= ~closing[t]
        free |= closing[t]
    return slot, opened, closing


@njit(cache=True, nogil=True)
def extents(opened: IntArray) -> IntArray:
    """Give how much of the table of states each step uses."""
    size = np.ones(opened.size, np.int64)
    for t in range(opened.size):
        while size[t] <= opened[t]:
            size[t] *= 2
    return size


@njit(cache=True, nogil=True)
def stored(size: IntArray, block: int) -> tuple[int, int]:
    """Give the number of states kept at the starts of blocks, and the most within one block."""
    kept, most, inside = 0, 0, 0
    for t in range(size.size):
        if t % block == 0:
            kept, inside = kept + size[t], 0
        inside += size[t]
        most = max(most, inside)
    return kept, most


@njit(cache=True, nogil=True)
def prepare(ptr: IntArray, bit: IntArray, closing: IntArray, spare: int) -> tuple[IntArray, IntArray]:
    """Give the candidates' bits of each step and the fewest open records taken after it."""
    masks, low, closed = np.zeros(closing.size, np.int64), np.zeros(closing.size, np.int64), 0
    for t in range(closing.size):
        for e in range(ptr[t], ptr[t + 1]):
            masks[t] |= 1 << bit[e]
        low[t] = t + 1 - spare - closed
        left = closing[t]
        while left:
            closed += 1
            left &= left - 1
    return masks, low
