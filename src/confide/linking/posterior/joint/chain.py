"""A Markov chain over matchings, with swap and worm moves: unbiased, where propagation is not.

A state gives every record a different respondent; its weight is the product of the pairs' weights, the law of
Duncan and Lambert (1987, eq. 4.1). Two moves leave that law unchanged.

- Swap: one record after the other picks a respondent in proportion to its weights. Where that is free, it moves;
  where another record holds it, the two exchange respondents with Metropolis' probability. Swaps alone do not mix.
- Worm: a random record lets go of its respondent and picks another in proportion to its weights; the record that
  held it picks next, until one picks a respondent who is free. Opening, every step and closing are in detailed
  balance. A worm longer than LONGEST is undone: its reversal is as long, so that balance is kept.

Weights are scaled, so that records which want the same respondent above all still find another one. Where
respondents may be left out, the multipliers of the free ones are part of a state's weight: a move that ends at another
free respondent is accepted with Metropolis' probability, the ratio of the two multipliers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from confide.typing import AnyArray, BoolArray, FloatArray, IntArray

LONGEST = 20_000
"""Hops after which a worm is undone. Long ones carry the slow modes: 400 take twice the time for the same variance."""
RARELY = 8
"""Records that hardly ever move swap once in so many sweeps."""


class Odds(NamedTuple):
    """What a record picks from."""

    indptr: IntArray
    """Where each record starts."""
    indices: AnyArray
    """The respondent of each pair."""
    weight: AnyArray
    """Of each pair."""
    top: AnyArray
    """The heaviest pair of each record."""
    first: AnyArray
    """Its share of the record's weight."""
    heap: AnyArray
    """Sums, within each record, of the weights of the other pairs up to and including each."""
    rare: BoolArray
    """Records that swap only once in RARELY sweeps."""
    leave: FloatArray
    """The weight of leaving each respondent out."""


@njit(cache=True, nogil=True)
def cumulated(indptr: IntArray, weight: FloatArray) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Give top, first and heap of `Odds`."""
    n = indptr.size - 1
    top, first, heap = np.empty(n, np.int32), np.empty(n, np.float32), np.empty(weight.size, np.float32)
    for j in range(n):
        best = indptr[j]
        for e in range(indptr[j], indptr[j + 1]):
            if weight[e] > weight[best]:
                best = e
        total = 0.0
        for e in range(indptr[j], indptr[j + 1]):
            total += weight[e] if e != best else 0.0
            heap[e] = total
        top[j], first[j] = best, weight[best] / (total + weight[best])
        if total == 0.0:
            first[j] = 1.0
    return top, first, heap


@njit(cache=True, nogil=True, inline="always")
def _after(s: Any) -> Any:
    """Give the next state of the generator: SplitMix64, as in `confide.seeds`."""
    return s + np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, nogil=True, inline="always")
def _uniform(s: Any) -> float:
    """Give the number in [0, 1) that belongs to a state."""
    x = (s ^ (s >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return float(x >> np.uint64(11)) * 2.0**-53


@njit(cache=True, nogil=True, inline="always")
def _below(u: float, first: float, low: int, high: int, heap: AnyArray) -> int:
    """Give the pair, from low to high and other than the heaviest, that a number from first to 1 stands for."""
    x = (u - first) / (1.0 - first) * heap[high]
    while high - low > 16:
        middle = (low + high) >> 1
        if heap[middle] > x:
            high = middle
        else:
            low = middle + 1
    while low < high and heap[low] <= x:
        low += 1
    return low


@njit(cache=True, nogil=True)
def _swaps(
    clock: int, odds: Odds, held: AnyArray, holder: AnyArray, since: AnyArray, stay: AnyArray, s: int
) -> int:
    """Let one record after the other move to, or exchange for, a respondent it picks; give the generator's state.

    One long loop: calls with so many arrays would take longer than what they do.
    """
    indptr, indices, weight, top, first, heap, rare, leave = odds
    seldom = clock % RARELY == 0
    for j in range(held.size):
        if rare[j] and not seldom:
            continue
        s = _after(s)
        u, old = _uniform(s), held[j]
        e = np.int64(top[j]) if u < first[j] else _below(u, first[j], indptr[j], indptr[j + 1] - 1, heap)
        if e == old:
            continue
        i, a = indices[e], indices[old]
        k = holder[i]
        if k < 0:
            s = _after(s)
            if _uniform(s) * leave[i] >= leave[a]:
                continue
            holder[a] = -1
        else:
            other: Any = np.int64(-1)
            for q in range(indptr[k], indptr[k + 1]):
                if indices[q] == a:
                    other = q
                    break
            if other < 0:
                continue
            s = _after(s)
            if _uniform(s) * weight[held[k]] >= weight[other]:
                continue
            stay[held[k]] += clock - since[k]
            since[k], held[k], holder[a] = clock, other, k
        stay[old] += clock - since[j]
        since[j], held[j], holder[i] = clock, e, j
    return s


@njit(cache=True, nogil=True)
def _worms(
    many: int, clock: int, odds: Odds, held: AnyArray, holder: AnyArray, since: AnyArray, stay: AnyArray, path: AnyArray,
    s: int,
) -> tuple[int, int]:  # fmt: skip
    """Let random records start worms; give the generator's state and the number of hops. path is room to undo one."""
    indptr, indices, _, top, first, heap, _, leave = odds
    n, total = held.size, 0
    for _ in range(many):
        s = _after(s)
        hops = 0
        k: Any = min(int(_uniform(s) * n), n - 1)
        a = indices[held[k]]
        i = a
        holder[a] = -1
        while k >= 0 and hops < path.shape[0]:
            s = _after(s)
            u, old = _uniform(s), held[k]
            e = np.int64(top[k]) if u < first[k] else _below(u, first[k], indptr[k], indptr[k + 1] - 1, heap)
            path[hops, 0], path[hops, 1] = k, old
            hops += 1
            stay[old] += clock - since[k]
            since[k], held[k] = clock, e
            i = indices[e]
            other = np.int64(holder[i])
            holder[i] = k
            k = other
        total += hops
        undone = k >= 0
        if undone:
            holder[indices[held[k]]] = k
        elif i != a:
            s = _after(s)
            undone = _uniform(s) * leave[i] >= leave[a]
            if undone:
                holder[i] = -1
        if undone:
            for q in range(hops - 1, -1, -1):
                k = path[q, 0]
                held[k] = path[q, 1]
                holder[indices[held[k]]] = k
    return s, total


@njit(cache=True, nogil=True)
def insert(odds: Odds, respondents: int, state: AnyArray) -> IntArray:
    """Give the pair of each record in a matching near a typical one, -1 where none was found.

    One record after the other picks a respondent; whom it displaces picks again, for LONGEST hops at most.
    """
    indptr, indices, _, top, first, heap, _, _ = odds
    n, s = indptr.size - 1, state[0]
    held, holder = np.full(n, -1), np.full(respondents, -1)
    for j in range(n):
        k = j
        for _ in range(LONGEST):
            s = _after(s)
            u = _uniform(s)
            e = np.int64(top[k]) if u < first[k] else _below(u, first[k], indptr[k], indptr[k + 1] - 1, heap)
            other = holder[indices[e]]
            held[k], holder[indices[e]] = e, k
            k = other
            if k < 0:
                break
            held[k] = -1
    state[0] = s
    return held


@njit(cache=True, nogil=True)
def run_chain(
    sweeps: int, worms: float, clock: int, odds: Odds, held: AnyArray, holder: AnyArray, since: AnyArray, stay: AnyArray,
    longest: int, state: AnyArray,
) -> tuple[int, int]:  # fmt: skip
    """Run a chain for so many sweeps, a step for each record; give the clock and the number of hops.

    Args:
        sweeps: how many.
        worms: how many worms a record and sweep.
        clock: the sweeps done so far.
        odds: what records pick from.
        held: the pair each record has now.
        holder: the record of each respondent, -1: free.
        since: the sweep in which each record got its pair.
        stay: how many sweeps each pair has been held.
        longest: hops after which a worm is undone.
        state: of the generator.
    """
    n, total, s = held.size, 0, state[0]
    path = np.empty((longest, 2), np.int64)
    for _ in range(sweeps):
        s = _swaps(clock, odds, held, holder, since, stay, s)
        s = _after(s)
        s, hops = _worms(int(n * worms + _uniform(s)), clock, odds, held, holder, since, stay, path, s)
        total += hops
        clock += 1
    for j in range(n):
        stay[held[j]] += clock - since[j]
        since[j] = clock
    state[0] = s
    return clock, total
