"""A largest matching of records and respondents: can all records come from different respondents at all?

Records with few candidates choose first, then shortest augmenting paths are found in phases (Hopcroft and Karp 1973).
Where densities are known, records court instead, and respondents keep whom they like best (Gale and Shapley 1962): the
records left over are then nearer to the respondents left over, and a million take two seconds instead of five.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from confide.sorting import sorting_order
from confide.typing import AnyArray, FloatArray, IntArray

COURTING = 20
"""So many times the number of pairs are looked at while records court; where all want the same in turn, it would not end."""


@njit(cache=True, nogil=True)
def _first_choices(indptr: IntArray, indices: AnyArray, mate: IntArray, holder: IntArray) -> None:
    """Let records with few candidates take the candidate that fewest others want."""
    wanted = np.zeros(holder.size, np.int64)
    for e in range(indices.size):
        wanted[indices[e]] += 1
    for j in sorting_order(indptr[1:] - indptr[:-1]):
        best = -1
        for e in range(indptr[j], indptr[j + 1]):
            i = indices[e]
            if holder[i] < 0 and (best < 0 or wanted[i] < wanted[best]):
                best = i
        if best >= 0:
            mate[j], holder[best] = best, j


@njit(cache=True, nogil=True)
def _layers(indptr: IntArray, indices: AnyArray, mate: IntArray, holder: IntArray, layer: IntArray, queue: IntArray) -> bool:
    """Number records by how many steps they are from one without a respondent; say whether a free one is reached."""
    head, tail, found = 0, 0, False
    for j in range(mate.size):
        layer[j] = -1
        if mate[j] < 0:
            layer[j] = 0
            queue[tail] = j
            tail += 1
    last = -1
    while head < tail:
        j = queue[head]
        head += 1
        if found and layer[j] > last:
            break
        for e in range(indptr[j], indptr[j + 1]):
            k = holder[indices[e]]
            if k < 0:
                found, last = True, layer[j]
            elif layer[k] < 0:
                layer[k] = layer[j] + 1
                queue[tail] = k
                tail += 1
    return found


@njit(cache=True, nogil=True)
def _augment(
    start: int, indptr: IntArray, indices: AnyArray, mate: IntArray, holder: IntArray, layer: IntArray, at: IntArray,
    stack: IntArray,
) -> bool:  # fmt: skip
    """Search a path along the layers from a record without a respondent to a free one, and turn it over."""
    depth = 0
    stack[0] = start
    while depth >= 0:
        j, moved = stack[depth], False
        while at[j] < indptr[j + 1]:
            i = indices[at[j]]
            at[j] += 1
            k = holder[i]
            if k < 0:
                for q in range(depth, -1, -1):
                    other = mate[stack[q]]
                    mate[stack[q]], holder[i] = i, stack[q]
                    i = other
                return True
            if layer[k] == layer[j] + 1:
                depth += 1
                stack[depth] = k
                moved = True
                break
        if not moved:
            layer[j] = -2
            depth -= 1
    return False


@njit(cache=True, nogil=True)
def complete(indptr: IntArray, indices: AnyArray, mate: IntArray, holder: IntArray) -> None:
    """Enlarge a matching as far as possible, in place."""
    n = mate.size
    layer, queue, stack = np.empty(n, np.int64), np.empty(n + 1, np.int64), np.empty(n + 1, np.int64)
    while _layers(indptr, indices, mate, holder, layer, queue):
        at, more = indptr[:-1].copy(), False
        for j in range(n):
            if mate[j] < 0 and _augment(j, indptr, indices, mate, holder, layer, at, stack):
                more = True
        if not more:
            break


@njit(cache=True, nogil=True)
def _court(indptr: IntArray, indices: AnyArray, values: FloatArray, mate: IntArray, holder: IntArray) -> None:
    """Let each record court the best respondent who has nobody better, and whom it displaces court again."""
    best, left = np.full(holder.size, -np.inf), COURTING * indices.size
    for j in range(mate.size):
        k = j
        while k >= 0 and left > 0:
            found = -1
            for e in range(indptr[k], indptr[k + 1]):
                if values[e] > best[indices[e]] and (found < 0 or values[e] > values[found]):
                    found = e
            left -= indptr[k + 1] - indptr[k]
            if found < 0:
                break
            i = indices[found]
            other = holder[i]
            mate[k], holder[i], best[i] = i, k, values[found]
            if other >= 0:
                mate[other] = -1
            k = other


@njit(cache=True, nogil=True)
def likely_matching(indptr: IntArray, indices: AnyArray, values: FloatArray, respondents: int) -> tuple[IntArray, IntArray]:
    """Give the same as `largest_matching`, sooner, where log densities of the pairs are known.

    >>> likely_matching(np.array([0, 2, 4]), np.array([0, 1, 0, 1]), np.array([0.0, -1.0, 1.0, 0.5]), 2)[0].tolist()
    [1, 0]
    """
    mate, holder = np.full(indptr.size - 1, -1), np.full(respondents, -1)
    _court(indptr, indices, values, mate, holder)
    complete(indptr, indices, mate, holder)
    return mate, holder


@njit(cache=True, nogil=True)
def largest_matching(indptr: IntArray, indices: AnyArray, respondents: int) -> tuple[IntArray, IntArray]:
    """Give the respondent of each record and the record of each respondent, -1 where there is none.

    >>> mate, _ = largest_matching(np.array([0, 1, 3]), np.array([0, 0, 1]), 2)
    >>> mate.tolist()
    [0, 1]
    """
    mate, holder = np.full(indptr.size - 1, -1), np.full(respondents, -1)
    _first_choices(indptr, indices, mate, holder)
    complete(indptr, indices, mate, holder)
    return mate, holder
