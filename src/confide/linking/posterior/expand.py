"""From profiles to single records and targets, and back."""

from __future__ import annotations

import numpy as np
from numba import njit

from confide.typing import FloatArray, IntArray


@njit(cache=True, nogil=True)
def expand(
    rows: IntArray, start: IntArray, target: IntArray, score: FloatArray, record_count: IntArray, target_count: IntArray,
    target_first: IntArray, copies: IntArray, copies_first: IntArray, indptr: IntArray, indices: IntArray, data: FloatArray,
) -> None:  # fmt: skip
    """Write out single pairs, records by respondents: the targets in the order of their profiles, then strangers.

    Args:
        rows: the record profiles to write out.
        start: where the candidates of each record profile start.
        target: the candidate target profiles, increasing.
        score: their log scores.
        record_count: records of each profile.
        target_count: targets of each profile.
        target_first: the first target of each profile.
        copies: strangers of each record profile that are shared; -1: one of each record's own.
        copies_first: their first column.
        indptr: filled, as the two below.
        indices: the columns.
        data: the scores.
    """
    at, line = 0, 0
    indptr[0] = 0
    for r in rows:
        for member in range(record_count[r]):
            for e in range(start[r], start[r + 1]):
                t = target[e]
                for i in range(target_count[t]):
                    indices[at], data[at] = target_first[t] + i, score[e]
                    at += 1
            if copies[r] < 0:
                indices[at], data[at] = copies_first[r] + member, 0.0
                at += 1
            else:
                for i in range(copies[r]):
                    indices[at], data[at] = copies_first[r] + i, 0.0
                    at += 1
            line += 1
            indptr[line] = at


@njit(cache=True, nogil=True)
def collapse(
    rows: IntArray, start: IntArray, target: IntArray, record_count: IntArray, target_count: IntArray, copies: IntArray,
    p: FloatArray, error: FloatArray, mean: FloatArray, largest: FloatArray,
) -> None:  # fmt: skip
    """Share the probability of a pair of profiles equally; the largest error of its pairs stands for it."""
    at = 0
    for r in rows:
        for e in range(start[r], start[r + 1]):
            mean[e], largest[e] = 0.0, 0.0
        for _ in range(record_count[r]):
            for e in range(start[r], start[r + 1]):
                for _ in range(target_count[target[e]]):
                    mean[e] += p[at]
                    largest[e] = max(largest[e], error[at])
                    at += 1
            at += 1 if copies[r] < 0 else copies[r]
        for e in range(start[r], start[r + 1]):
            mean[e] /= record_count[r] * target_count[target[e]]


@njit(cache=True, nogil=True)
def read_off(
    profile: IntArray, own: IntArray, start: IntArray, record: IntArray, p: FloatArray, count: IntArray, tie: float,
    out: FloatArray,
) -> None:  # fmt: skip
    """Fill, for every target: best, records at the best, own, whether own is best, others at least as probable."""
    for i in range(profile.size):
        first, last = start[profile[i]], start[profile[i] + 1]
        best, mine = 0.0, 0.0
        for e in range(first, last):
            best = max(best, p[e])
            if record[e] == own[i]:
                mine = p[e]
        at_best, others = 0, 0
        for e in range(first, last):
            if p[e] > 0.0 and p[e] >= best * (1.0 - tie):
                at_best += count[record[e]]
            if p[e] > 0.0 and p[e] >= mine * (1.0 - tie):
                others += count[record[e]]
        out[i, 0], out[i, 1], out[i, 2] = best, at_best, mine
        out[i, 3] = 1.0 if mine > 0.0 and mine >= best * (1.0 - tie) else 0.0
        out[i, 4] = others - 1 if mine > 0.0 else others


@njit(cache=True, nogil=True)
def first_guess(
    start: IntArray, target: IntArray, log_w: FloatArray, record_count: IntArray, target_count: IntArray, rounds: int
) -> FloatArray:
    """Give rough probabilities of pairs by a few rounds of scaling; a stranger weighs one."""
    records, targets = start.size - 1, target_count.size
    p, v, q = np.exp(np.minimum(log_w, 500.0)), np.ones(targets), np.zeros(targets)
    weight = p.copy()
    for _ in range(rounds):
        q[:] = 0.0
        for r in range(records):
            total = 1.0
            for e in range(start[r], start[r + 1]):
                p[e] = weight[e] * v[target[e]]
                total += target_count[target[e]] * p[e]
            for e in range(start[r], start[r + 1]):
                p[e] /= total
                q[target[e]] += record_count[r] * p[e]
        for t in range(targets):
            v[t] = v[t] / (v[t] + q[t]) if q[t] > 0.0 else 1.0
    for r in range(records):
        for e in range(start[r], start[r + 1]):
            p[e] /= max(q[target[e]], 1.0)
    return p


@njit(cache=True, nogil=True)
def expected_matched(
    start: IntArray, target: IntArray, p: FloatArray, record_count: IntArray, target_count: IntArray,
    block_of_record: IntArray, blocks: int,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """Give, for each pair, how many records of the block are expected to be targets' when the pair belongs together.

    Taking record j and target i out leaves a target i' that could have had j with (q - p) / (1 - p), and a
    record j' that could have been i's likewise. Exact for one target and for one record. Also gives
    the variance of the number in each block, as if targets were independent.
    """
    records, targets = start.size - 1, target_count.size
    q, freed = np.zeros(targets), np.zeros(targets)
    for r in range(records):
        for e in range(start[r], start[r + 1]):
            q[target[e]] += record_count[r] * p[e]
    q = np.minimum(q, 1.0)
    whole, spread = np.zeros(blocks), np.zeros(blocks)
    rho, lost = np.zeros(records), np.zeros(records)
    for r in range(records):
        for e in range(start[r], start[r + 1]):
            t = target[e]
            rho[r] += target_count[t] * p[e]
            lost[r] += target_count[t] * p[e] * (1.0 - q[t]) / max(1.0 - p[e], 1e-12)
            if q[t] > 0.0:
                share = target_count[t] * record_count[r] * p[e]
                whole[block_of_record[r]] += share
                spread[block_of_record[r]] += share * (1.0 - q[t])
        rho[r] = min(rho[r], 1.0)
        for e in range(start[r], start[r + 1]):
            freed[target[e]] += record_count[r] * p[e] * max(rho[r] - p[e], 0.0) / max(1.0 - p[e], 1e-12)
    out = np.empty(p.size)
    for r in range(records):
        for e in range(start[r], start[r + 1]):
            t, left = target[e], max(1.0 - p[e], 1e-12)
            others = lost[r] - p[e] * (1.0 - q[t]) / left
            gain = freed[t] - p[e] * max(rho[r] - p[e], 0.0) / left
            out[e] = 1.0 + whole[block_of_record[r]] - q[t] - others + gain
    return out, spread
