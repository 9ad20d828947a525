"""The inner loops of the search for minimal sample uniques."""

from __future__ import annotations

import numpy as np
from numba import njit

from confide.typing import AnyArray, FloatArray, IntArray


@njit(cache=True, nogil=True)
def _longer(values: AnyArray) -> AnyArray:
    """Give an array of twice the length that begins with the same values."""
    more = np.empty(2 * values.size, dtype=values.dtype)
    more[: values.size] = values
    return more


@njit(cache=True, nogil=True)
def _split(
    parent: AnyArray, start: AnyArray, groups: int, code: AnyArray, child: AnyArray, begin: AnyArray, alone: AnyArray,
    count: AnyArray, live: AnyArray, place: AnyArray, held: AnyArray,
) -> tuple[int, int]:  # fmt: skip
    """Split groups of cells by one more key; give the number of groups left and of candidates that stand alone.

    A cell is written as twice its number, plus one for a candidate. Cells that stand alone leave the groups; so do groups
    without a candidate, since nobody asks about them any more.
    """
    made = at = singles = 0
    for g in range(groups):
        low, high = start[g], start[g + 1]
        for j in range(low, high):
            v = code[parent[j] >> 1]
            held[j - low] = v
            count[v] += 1
            live[v] += parent[j] & 1
        for j in range(low, high):
            v, cell = held[j - low], parent[j]
            if count[v] == 1:
                alone[singles] = cell >> 1
                singles += cell & 1
            elif live[v] > 0:
                if count[v] > 0:
                    begin[made] = place[v] = at
                    at += count[v]
                    made += 1
                    count[v] = -1
                child[place[v]] = cell
                place[v] += 1
        for j in range(high - low):
            count[held[j]] = live[held[j]] = 0
    begin[made] = at
    return made, singles


@njit(cache=True, nogil=True)
def keep_minimal(
    alone: AnyArray, many: int, here: int, head: AnyArray, link: AnyArray, found: AnyArray, whose: AnyArray, known: int,
) -> tuple[AnyArray, AnyArray, AnyArray, int]:  # fmt: skip
    """Add a set that singles cells out to the sets of those that have none within it.

    The sets of a cell hang on a chain that starts at its head.
    """
    for j in range(many):
        cell = alone[j]
        at = head[cell]
        while at >= 0 and found[at] & here != found[at]:
            at = link[at]
        if at < 0:
            if known == found.size:
                link, found, whose = _longer(link), _longer(found), _longer(whose)
            link[known], found[known], whose[known] = head[cell], here, cell
            head[cell] = known
            known += 1
    return link, found, whose, known


@njit(cache=True, nogil=True)
def search(
    codes: AnyArray, width: int, cells: AnyArray, top: int, largest: int, most: int, head: AnyArray, link: AnyArray,
    found: AnyArray, whose: AnyArray, known: int,
) -> tuple[AnyArray, AnyArray, AnyArray, int]:  # fmt: skip
    """Find the minimal sets of keys that single a candidate out and whose last key is `top`; stop at more than `most`.

    A set is a number whose bits are keys. It grows by keys before all that it holds, so that sets come in ascending order
    and each one after its subsets, and groups of cells that agree are split further and further. Where a cell first stands
    alone, a smaller set that also singles it out holds the key just added: it is looked up among those that begin with it.
    """
    m = cells.size
    row, start = np.empty((largest + 1, m), dtype=np.int32), np.empty((largest + 1, m + 1), dtype=np.int32)
    groups, key = np.zeros(largest + 1, dtype=np.int64), np.zeros(largest + 1, dtype=np.int64)
    sets = np.zeros(largest + 1, dtype=np.int64)
    count, live, place = np.zeros(width, np.int32), np.zeros(width, np.int32), np.zeros(width, np.int32)
    alone, held = np.empty(m + 1, dtype=np.int32), np.empty(m, dtype=np.int32)
    row[0], start[0, 0], start[0, 1], groups[0] = cells, 0, m, 1
    key[1] = top
    depth = 1
    while depth > 0 and known <= most:
        b = key[depth]
        sets[depth] = sets[depth - 1] | (np.int64(1) << b)
        groups[depth], many = _split(
            row[depth - 1], start[depth - 1], groups[depth - 1], codes[b], row[depth], start[depth], alone, count, live,
            place, held,
        )  # fmt: skip
        link, found, whose, known = keep_minimal(alone, many, sets[depth], head[b], link, found, whose, known)
        if groups[depth] > 0 and depth < largest and b > 0:
            depth += 1
            key[depth] = 0
            continue
        key[depth] += 1
        while depth > 0 and key[depth] >= (key[depth - 1] if depth > 1 else top + 1):
            depth -= 1
            key[depth] += 1
    return link, found, whose, known


@njit(cache=True, nogil=True)
def gather(first: AnyArray, small: AnyArray, second: AnyArray, large: AnyArray, n: int) -> tuple[IntArray, AnyArray]:
    """Put sets in the order of the records they single out; of the second ones, leave out those that hold one of the first.

    Give where each record's sets start, and the sets.
    """
    start = np.zeros(n + 1, dtype=np.int64)
    for k in range(first.size):
        start[first[k] + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]
    free, own = start[:-1].copy(), np.empty(first.size, dtype=small.dtype)
    for k in range(first.size):
        own[free[first[k]]] = small[k]
        free[first[k]] += 1
    keep = np.ones(second.size, dtype=np.bool_)
    size = np.diff(start)
    for k in range(second.size):
        for j in range(start[second[k]], start[second[k] + 1]):
            if own[j] & large[k] == own[j]:
                keep[k] = False
                break
        size[second[k]] += keep[k]
    whole = np.zeros(n + 1, dtype=np.int64)
    for i in range(n):
        whole[i + 1] = whole[i] + size[i]
    sets = np.empty(whole[n], dtype=small.dtype)
    for i in range(n):
        free[i] = whole[i]
        for j in range(start[i], start[i + 1]):
            sets[free[i]] = own[j]
            free[i] += 1
    for k in range(second.size):
        if keep[k]:
            sets[free[second[k]]] = large[k]
            free[second[k]] += 1
    return whole, sets


@njit(cache=True, nogil=True)
def counts_by_size(start: IntArray, sets: AnyArray, keys: int) -> AnyArray:
    """Count each record's sets by their number of keys, from 0."""
    found = np.zeros((start.size - 1, keys + 1), dtype=np.int32)
    for i in range(start.size - 1):
        for j in range(start[i], start[i + 1]):
            found[i, _keys_of(sets[j])] += 1
    return found


@njit(cache=True, nogil=True)
def _keys_of(one: int) -> int:
    """Count the keys of a set."""
    many = 0
    while one:
        one &= one - 1
        many += 1
    return many


@njit(cache=True, nogil=True)
def parts(start: IntArray, sets: AnyArray, weight: FloatArray, shared: bool) -> FloatArray:
    """Add up, for each record and key, the weights by size of the sets that hold the key, whole or divided by the size."""
    keys = weight.size - 1
    found = np.zeros((start.size - 1, keys))
    for i in range(start.size - 1):
        for j in range(start[i], start[i + 1]):
            size = _keys_of(sets[j])
            w = weight[size] / size if shared else weight[size]
            for b in range(keys):
                if sets[j] >> b & 1:
                    found[i, b] += w
    return found
