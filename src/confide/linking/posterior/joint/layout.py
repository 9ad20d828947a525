"""The order in which message passing reads a sparse table: side by side the first pairs of many records.

Records are taken in chunks small enough for the cache, the longest record of a chunk first. A chunk stores the
first pair of each of its records, then the second of each that has one, and so on: these are its levels. A
processor works on a level many records at a time, with no padding, and sums of a record's pairs never cross.
Chunks are dealt out to parts of equal size; each part has sums of its own, so that the result does not depend
on the number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from confide.errors import InternalError
from confide.sorting import sorting_order
from confide.typing import AnyArray, BoolArray, FloatArray, IntArray

LANES = 512
"""At most so many records are in a chunk."""
FEWEST = 16
"""At least so many records are in a chunk, however long."""
PAIRS = 4096
"""A chunk is full with so many pairs."""
SHARE, PARTS = 1 << 18, 8
"""A part has at least so many pairs; there are at most so many parts."""
LINE, LATELY = 8, 3
"""Numbers in a cache line; a line that none of so many chunks before has used must be fetched again."""
BLOCK = 1024
"""Respondents are summed over the parts that touch them in blocks of so many."""


class Layout(NamedTuple):
    """Pairs with weight, in the order of message passing."""

    chunk: IntArray
    """Where the records of each chunk start."""
    level: IntArray
    """Where the levels of each chunk start."""
    start: IntArray
    """Where the pairs of each level start."""
    record: IntArray
    """The records, in the order of the chunks."""
    weight: FloatArray
    indices: AnyArray
    part: IntArray
    """Where the chunks of each part start."""
    touched: BoolArray
    """Whether a part has pairs with a block of respondents."""
    fresh: IntArray
    """Where the lines of respondents begin that each chunk needs and those before it did not; one chunk more at the end."""
    line: IntArray
    """The first respondent of each of these lines."""
    room: int
    """The most pairs in a chunk."""


@njit(cache=True, nogil=True)
def _chunks(length: IntArray) -> tuple[IntArray, IntArray]:
    """Give where the records and the levels of each chunk start."""
    chunk, level, count = np.zeros(length.size + 1, np.int64), np.zeros(length.size + 1, np.int64), 0
    pairs, longest = 0, 0
    for j in range(length.size):
        pairs, longest = pairs + length[j], max(longest, length[j])
        records = j + 1 - chunk[count]
        if j + 1 == length.size or records >= LANES or (records >= FEWEST and pairs >= PAIRS):
            count += 1
            chunk[count], level[count] = j + 1, level[count - 1] + longest
            pairs, longest = 0, 0
    return chunk[: count + 1].copy(), level[: count + 1].copy()


@njit(cache=True, nogil=True)
def _fill(
    indptr: IntArray, indices: AnyArray, weight: FloatArray, length: IntArray, chunk: IntArray, level: IntArray,
    ordered: FloatArray, respondent: AnyArray,
) -> tuple[IntArray, IntArray]:  # fmt: skip
    """Fill in the pairs; give where each level starts and the order of the records."""
    start, record = np.zeros(level[-1] + 1, np.int64), np.empty(length.size, np.int64)
    for c in range(chunk.size - 1):
        here = chunk[c] + sorting_order(-length[chunk[c] : chunk[c + 1]])
        record[chunk[c] : chunk[c + 1]] = here
        for j in here:
            for t in range(length[j]):
                start[level[c] + t + 1] += 1
        for t in range(level[c], level[c + 1]):
            start[t + 1] += start[t]
        for r in range(here.size):
            t = level[c]
            for e in range(indptr[here[r]], indptr[here[r] + 1]):
                if weight[e] > 0.0:
                    ordered[start[t] + r], respondent[start[t] + r] = weight[e], indices[e]
                    t += 1
    return start, record


@njit(cache=True, nogil=True)
def _parts(chunk: IntArray, level: IntArray, start: IntArray, indices: AnyArray, wide: int) -> tuple[IntArray, BoolArray]:
    """Give where the chunks of each part start, and which blocks of respondents it touches."""
    parts = min(max(indices.size // SHARE, 1), PARTS)
    part, touched = np.zeros(parts + 1, np.int64), np.zeros((parts, (wide + BLOCK - 1) // BLOCK), np.bool_)
    h = 0
    for c in range(chunk.size - 1):
        while start[level[c]] * parts >= (h + 1) * indices.size:
            h += 1
            part[h] = c
        for e in range(start[level[c]], start[level[c + 1]]):
            touched[h, indices[e] // BLOCK] = True
    part[h + 1 :] = chunk.size - 1
    return part, touched


@njit(cache=True, nogil=True)
def _fresh(chunk: IntArray, level: IntArray, start: IntArray, indices: AnyArray, wide: int) -> tuple[IntArray, IntArray]:
    """Give the lines of respondents each chunk needs that were not used lately, and where they begin."""
    used, fresh = np.full(wide // LINE + 1, -1 - LATELY), np.zeros(chunk.size + 1, np.int64)
    line, count = np.empty(indices.size, np.int64), 0
    for c in range(chunk.size - 1):
        for e in range(start[level[c]], start[level[c + 1]]):
            at = indices[e] // LINE
            if used[at] < c - LATELY:
                line[count] = at * LINE
                count += 1
            used[at] = c
        fresh[c + 1] = count
    fresh[-1] = count
    return fresh, line[:count].copy()


def arrange(indptr: IntArray, indices: AnyArray, weight: FloatArray, respondents: int) -> Layout:
    """Put the pairs that have weight in the order of message passing.

    >>> found = arrange(np.array([0, 1, 3]), np.array([0, 0, 1]), np.array([1.0, 0.5, 0.25]), 2)
    >>> found.record.tolist(), found.start.tolist(), found.weight.tolist()
    ([1, 0], [0, 2, 3], [0.5, 1.0, 0.25])
    """
    before = np.concatenate([[0], np.cumsum(weight > 0.0)])
    length = before[indptr[1:]] - before[indptr[:-1]]
    if not length.all():
        raise InternalError(f"{np.sum(length == 0)} records have no pair with weight, where every record needs one")
    chunk, level = _chunks(length)
    pairs = int(length.sum())  # numpy's own memory is in large pages
    ordered, respondent = np.empty(pairs), np.empty(pairs, np.uint32)
    start, record = _fill(indptr, indices, weight, length, chunk, level, ordered, respondent)
    part, touched = _parts(chunk, level, start, respondent, respondents)
    room = int(np.diff(start[level]).max(initial=0))
    fresh, line = _fresh(chunk, level, start, respondent, respondents)
    return Layout(chunk, level, start, record, ordered, respondent, part, touched, fresh, line, room)


@njit(cache=True, nogil=True)
def in_order(indptr: IntArray, weight: FloatArray, graph: Layout, term: FloatArray, scale: FloatArray) -> FloatArray:
    """Give p = term times scale of each pair, in the order of the table; zero where there is no weight."""
    p = np.zeros(weight.size)
    for c in range(graph.chunk.size - 1):
        for r in range(graph.chunk[c + 1] - graph.chunk[c]):
            at, t = graph.chunk[c] + r, graph.level[c]
            j = graph.record[at]
            for e in range(indptr[j], indptr[j + 1]):
                if weight[e] > 0.0:
                    p[e] = term[graph.start[t] + r] * scale[at]
                    t += 1
    return p
