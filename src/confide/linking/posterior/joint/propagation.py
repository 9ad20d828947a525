"""Message passing for the assignment of records to respondents, with a fractional exponent.

The fixed points of message passing solve p (1 - p)^k = W u v, with u per record and v per respondent such
that records sum to one and respondents with their null link L v to one. k = 1 is belief propagation
(Bethe): where few records compete closely it runs off to 0 or 1, silently, and an isolated confusable pair
gets 0 or 1 where the truth is 1/2. k = 0 is Sinkhorn's scaling; k = 1/2 is exact for isolated pairs, and
its iteration halves the distance on the log scale, however weakly groups of records are linked.

The multipliers 1 / v are the messages: boundary weights for an exact programme on a cluster (see
`cluster`). The probabilities are not to be reported by themselves.

Each iteration reads every pair once, in the order of `layout`, and asks for the next chunk's memory while it
works on one. The loops are written for vector instructions: comparisons in the place of `min` and `max`, whose care
for missing values is slow.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numba import njit

from confide.linking.parallel import cores
from confide.linking.posterior.joint.layout import BLOCK, LANES, LINE, Layout, arrange, in_order
from confide.linking.posterior.joint.prefetch import prefetch
from confide.typing import AnyArray, FloatArray, IntArray

LEAST = 1e-100
"""Multipliers, and what is left beside a largest p, stay above this (multipliers below its inverse too)."""
DEGREE = 7
"""Of the polynomial for (1 - p)^-k where p is at most 1/2; its relative error is below 2e-6, where propagation errs by 1e-3
and more."""
FRACTION, HALF, SHIFT = (1 << 52) - 1, 1022 << 52, 52
"""How a float is stored: the bits of its fraction, the exponent of 1/2, and where exponents begin."""


class Messages(NamedTuple):
    """The state of an iteration: pairs and records in the order of the layout, respondents in their own."""

    term: FloatArray
    """p of each pair before its record was scaled to one."""
    scale: FloatArray
    """What scales each record to one."""
    beside: FloatArray
    """What is left of one beside each record's largest p, as a sum: nothing cancels."""
    v: FloatArray
    null: FloatArray
    total: FloatArray
    """Sums of p per part of the records and respondent."""


class Power(NamedTuple):
    """What gives x^-k: a polynomial in 1 - x for x from 1/2 to 1, and 2^-ke by the exponent e."""

    series: tuple[float, ...]
    exponent: FloatArray


def power(k: float) -> Power:
    """Prepare x^-k for x from LEAST to one.

    >>> found = power(0.95)
    >>> abs(_series(0.25, found.series) - 0.75**-0.95) < 2e-6
    True
    """
    near = np.polynomial.Chebyshev.interpolate(lambda p: (1.0 - p) ** -k, DEGREE, domain=[0.0, 0.5])
    series = np.zeros(DEGREE + 1)
    found = near.convert(kind=np.polynomial.Polynomial).coef
    series[: found.size] = found
    return Power(tuple(series.tolist()), np.exp2(-k * (np.arange(1024) - 1022.0)))


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def _series(p: float, c: tuple[float, ...]) -> float:
    """Give (1 - p)^-k for p from 0 to 1/2."""
    return c[0] + p * (c[1] + p * (c[2] + p * (c[3] + p * (c[4] + p * (c[5] + p * (c[6] + p * c[7]))))))


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def _beside(beside: FloatArray, how: Power, bits: IntArray, work: FloatArray) -> None:
    """Fill work from 2 LANES on with beside^-k; bits is room for LANES fractions and as many exponents."""
    stored, fraction = beside.view(np.int64), bits[:LANES].view(np.float64)
    for r in range(beside.size):
        bits[r] = (stored[r] & FRACTION) | HALF
        bits[r + LANES] = stored[r] >> SHIFT
    for r in range(beside.size):
        work[r + 2 * LANES] = how.exponent[bits[r + LANES]]
    for r in range(beside.size):
        work[r + 2 * LANES] *= _series(1.0 - fraction[r], how.series)


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def _terms(
    a: int, size: int, weight: FloatArray, v: FloatArray, c: tuple[float, ...], term: FloatArray, work: FloatArray
) -> None:
    """Put (1 - p)^-k into one pair of each record; add it to the record's largest and to the sum of the others.

    work: what is beside the largest, the largest, (1 - p)^-k of a p above 1/2, and the scale of p.
    """
    for r in range(size):
        q = np.uint64(a) + np.uint64(r)
        p, top, large = term[q] * work[r + 3 * LANES], work[r + LANES], work[r + 2 * LANES]
        small = _series(p, c)
        new = v[q] * (weight[q] * (large if p > 0.5 else small))
        term[q] = new
        work[r] += top if top < new else new  # noqa: FURB136
        work[r + LANES] = new if top < new else top  # noqa: FURB136


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"}, forceinline=True)
def _add(a: int, size: int, indices: AnyArray, term: FloatArray, scale: FloatArray, total: FloatArray) -> None:
    """Add p of one pair of each record to the respondents' sums."""
    for r in range(size):
        q = np.uint64(a) + np.uint64(r)
        total[indices[q]] += term[q] * scale[r]


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def scale_records(part: int, graph: Layout, how: Power, now: Messages) -> float:
    """Scale the records of a part to one, with the (1 - p)^k of before in the weights; give how far one moved."""
    work, bits, worst = np.zeros(4 * LANES), np.empty(2 * LANES, np.int64), np.zeros(LANES)
    v, total = np.empty(graph.room), now.total[part]
    for c in range(graph.part[part], graph.part[part + 1]):
        first, last = graph.level[c], graph.level[c + 1]
        e, size, records = graph.start[first], graph.start[last] - graph.start[first], graph.chunk[c + 1] - graph.chunk[c]
        indices, weight, term = graph.indices[e : e + size], graph.weight[e : e + size], now.term[e : e + size]
        beside, scale = now.beside[graph.chunk[c] :][:records], now.scale[graph.chunk[c] :][:records]
        for q in range(size):
            v[q] = now.v[indices[q]]
        for q in range(graph.fresh[c + 1], graph.fresh[c + 2]):
            prefetch(now.v, graph.line[q])
            prefetch(total, graph.line[q])
        _beside(beside, how, bits, work)
        for r in range(records):
            work[r], work[r + LANES], work[r + 3 * LANES] = 0.0, 0.0, scale[r]
        for t in range(first, last):
            for q in range(graph.start[t], graph.start[t + 1], LINE):
                prefetch(graph.weight, q + size)
            _terms(graph.start[t] - e, graph.start[t + 1] - graph.start[t], weight, v, how.series, term, work)
        for r in range(records):
            here = 1.0 / (work[r] + work[r + LANES])
            left = work[r] * here
            left = left if left > LEAST else LEAST  # noqa: FURB136
            far = abs(left - beside[r])
            worst[r] = far if far > worst[r] else worst[r]  # noqa: FURB136
            beside[r], scale[r] = left, here
        for t in range(first, last):
            for q in range(graph.start[t], graph.start[t + 1], LINE):
                prefetch(now.term, q + size)
                prefetch(graph.indices, q + size)
            _add(graph.start[t] - e, graph.start[t + 1] - graph.start[t], indices, term, scale, total)
    return worst.max()


@njit(cache=True, nogil=True)
def _null_links(leave: FloatArray, label: IntArray, spare: IntArray, free: IntArray, now: Messages) -> None:
    """Scale the null links of every component to its spare respondents, and v with them."""
    sums = np.zeros(spare.size)
    for i in free:
        sums[label[i]] += leave[i] * now.v[i]
    for i in free:
        now.v[i] *= spare[label[i]] / sums[label[i]]
        now.null[i] = leave[i] * now.v[i]


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract", "nnan", "nsz"})
def scale_respondents(first: int, last: int, graph: Layout, now: Messages) -> float:
    """Scale the respondents of some blocks, with their null links, to one; give how far the furthest was."""
    change = 0.0
    for b in range(first, last):
        v, whole = now.v[b * BLOCK : (b + 1) * BLOCK], now.null[b * BLOCK : (b + 1) * BLOCK].copy()
        for part in range(now.total.shape[0]):
            if graph.touched[part, b]:
                total = now.total[part, b * BLOCK : (b + 1) * BLOCK]
                for i in range(v.size):
                    whole[i] += total[i]
                    total[i] = 0.0
        for i in range(v.size):
            some = whole[i] > 0.0
            far = abs(whole[i] - 1.0) if some else 0.0
            change = far if far > change else change  # noqa: FURB136
            new = v[i] / (whole[i] if some else 1.0)
            new = new if new > LEAST else LEAST  # noqa: FURB136
            v[i] = new if new < 1.0 / LEAST else 1.0 / LEAST  # noqa: FURB136
    return change


@njit(cache=True, nogil=True)
def _alone(
    graph: Layout, how: Power, now: Messages, leave: FloatArray, label: IntArray, spare: IntArray, free: IntArray,
    iterations: int, tolerance: float,
) -> int:  # fmt: skip
    """Iterate on one core; give the number of iterations used."""
    for step in range(iterations):
        far = 0.0
        for part in range(graph.part.size - 1):
            far = max(far, scale_records(part, graph, how, now))
        _null_links(leave, label, spare, free, now)
        far = max(far, scale_respondents(0, graph.touched.shape[1], graph, now))
        if far < tolerance:
            return step + 1
    return iterations


def _together(
    graph: Layout, how: Power, now: Messages, leave: FloatArray, label: IntArray, spare: IntArray, free: IntArray,
    iterations: int, tolerance: float, threads: int,
) -> int:  # fmt: skip
    """Iterate on several threads, with the same result to the bit; give the number of iterations used."""
    blocks = np.linspace(0, graph.touched.shape[1], threads + 1).astype(int).tolist()
    with ThreadPoolExecutor(max_workers=threads) as pool:
        for step in range(iterations):
            moved = list(pool.map(lambda part: scale_records(part, graph, how, now), range(graph.part.size - 1)))
            _null_links(leave, label, spare, free, now)
            change = list(pool.map(lambda a, b: scale_respondents(a, b, graph, now), blocks[:-1], blocks[1:]))
            if max(moved + change) < tolerance:
                return step + 1
    return iterations


def propagate(
    indptr: IntArray, indices: AnyArray, weight: FloatArray, leave: FloatArray, label: IntArray, spare: IntArray, k: float,
    iterations: int, tolerance: float, threads: int | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray, int]:  # fmt: skip
    """Give p, the null links, the multipliers v, and the number of iterations used.

    Each iteration puts the (1 - p)^k of the one before into the weights and scales records, then
    respondents. The null links of a component (label) sum to its spare respondents. The result is the same
    for any number of threads.

    Args:
        indptr: where each record starts.
        indices: the respondent of each pair.
        weight: of each pair, zero where it is impossible; every record has one that is not.
        leave: the weight of leaving each respondent out.
        label: the component of each respondent.
        spare: how many more respondents than records each component has.
        k: the exponent, from 0 to 1.
        iterations: at most so many.
        tolerance: stop when no record and no respondent moved further.
        threads: how many; by default as many as there are cores, where the graph is large.

    >>> graph, one = (np.array([0, 2, 4]), np.array([0, 1, 0, 1])), np.zeros(2, np.int64)
    >>> p, *_ = propagate(*graph, np.ones(4), np.zeros(2), one, one[:1], 0.5, 50, 1e-9)
    >>> p.round(9).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    graph = arrange(indptr, indices, weight, leave.size)
    n, parts = indptr.size - 1, graph.part.size - 1
    total, free = np.zeros((parts, leave.size)), np.flatnonzero((leave > 0.0) & (spare[label] > 0))
    now = Messages(np.full(graph.weight.size, 0.0), np.ones(n), np.ones(n), np.ones(leave.size), np.zeros(leave.size), total)
    state = graph, power(k), now, leave, label, spare, free, iterations, tolerance
    threads = min(cores() if threads is None else threads, parts)
    used = _alone(*state) if threads == 1 else _together(*state, threads)
    return in_order(indptr, weight, graph, now.term, now.scale), now.null, now.v, used
