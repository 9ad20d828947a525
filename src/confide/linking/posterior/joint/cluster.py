"""Cluster-corrected propagation: the approximate answer to eq. (4.1) where no exact programme can give one.

For each record, its strongest competitors and the record itself are matched exactly, by a dynamic
programme over the subsets of the competitors; all other records enter by their messages, as weights of a
respondent being left to them. A final scaling makes the records' answers agree about the respondents.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from confide.errors import LikelihoodError
from confide.linking.parallel import Progress, in_chunks, silent
from confide.linking.posterior.joint.components import by_respondent
from confide.linking.posterior.joint.propagation import propagate
from confide.linking.posterior.joint.sinkhorn import component_labels, project, scaled_weights
from confide.linking.posterior.joint.subset import trailing_zeros
from confide.typing import AnyArray, BoolArray, FloatArray, IntArray

ITERATIONS = 80
POWER = 0.95
"""The exponent of the messages: nearly belief propagation, but with a fixed point that is reached."""
MOST_SIZE = 14
FACTOR, FLOOR = 3.0, 0.005
"""The error is estimated as FACTOR times the record's doubt, + FLOOR."""
NOTHING = 1e-30
"""Scaled weights below this count as impossible."""
LEAST = 1e-40
"""What another record has at least of a respondent that it may be."""
FAINT = 2e-4
"""Pairs with less scaled weight do not bring competitors or respondents into a cluster; p is then the message's."""
CHUNK = 2048
"""At least so many records are handed to a thread at once."""


@njit(cache=True, nogil=True)
def _competitors(
    j: int, size: int, faint: float, indptr: IntArray, indices: AnyArray, s: FloatArray, start: IntArray, pair: IntArray,
    record: IntArray, score: FloatArray, touched: IntArray, chosen: IntArray,
) -> int:  # fmt: skip
    """Fill the records that share most with record j; give how many. score is all zero before and after."""
    seen, count = 0, 0
    for e in range(indptr[j], indptr[j + 1]):
        if s[e] < faint:
            continue
        for q in range(start[indices[e]], start[indices[e] + 1]):
            gain = s[e] * s[pair[q]]
            if record[q] != j and gain > 0.0:
                if score[record[q]] == 0.0:
                    touched[seen] = record[q]
                    seen += 1
                score[record[q]] += gain
    for t in range(seen):
        value = score[touched[t]]
        if count == size and value <= score[chosen[count - 1]]:
            continue
        k = min(count, size - 1)
        while k > 0 and score[chosen[k - 1]] < value:
            chosen[k] = chosen[k - 1]
            k -= 1
        chosen[k] = touched[t]
        count = min(count + 1, size)
    for t in range(seen):
        score[touched[t]] = 0.0
    return count


@njit(cache=True, nogil=True)
def _take(f: FloatArray, after: FloatArray, w: FloatArray, mask: int, leave: float) -> None:
    """Let one respondent take one of the records of mask, or none; f is by the subset taken before, and after by then.

    One record after the other over all subsets, also those without it, so that a processor takes several at a time.
    """
    size = np.uint64(f.size)
    for s in range(size):
        after[s] = leave * f[s]
    while mask:
        bit, weight = np.uint64(mask & -mask), w[trailing_zeros(mask)]
        for s in range(bit, size):
            after[s] += (weight if s & bit else 0.0) * f[s - bit]
        mask &= mask - 1


@njit(cache=True, nogil=True)
def _match(w: FloatArray, own: FloatArray, leave: FloatArray, alone: FloatArray, columns: int, out: FloatArray) -> None:
    """Fill the weight of the record taking each respondent while all competitors find one too.

    w: respondents by competitors; own: the record's weight; leave: 0 or 1, the weight of taking none;
    alone: what each competitor has at respondents nobody else of the cluster wants.
    """
    m, shared = alone.size, 0
    order, masks = np.empty(columns, np.int64), np.zeros(columns, np.int64)
    for c in range(columns):
        for r in range(m):
            masks[c] |= int(w[c, r] > 0.0) << r
        if own[c] > 0.0:
            order[shared] = c
            shared += 1
    kept, f, after = np.zeros((shared + 1, 1 << m)), np.zeros(1 << m), np.zeros(1 << m)
    f[0] = 1.0
    for r in range(m):
        if alone[r] > 0.0:
            _take(f, after, alone, 1 << r, 1.0)
            f, after = after, f
    for c in range(columns):
        if own[c] <= 0.0:
            _take(f, after, w[c], masks[c], leave[c])
            f, after = after, f
    kept[0] = f
    for t in range(shared):
        c = order[t]
        _take(kept[t], kept[t + 1], w[c], masks[c], leave[c])
    f[:] = 0.0
    f[0] = 1.0
    for t in range(shared - 1, -1, -1):
        c, total = order[t], 0.0
        for s in range(f.size):
            total += kept[t, s] * f[f.size - 1 - s]
        out[c] = own[c] * total
        _take(f, after, w[c], masks[c], leave[c])
        f, after = after, f


@njit(cache=True, nogil=True)
def _outside(i: int, m: int, start: IntArray, pair: IntArray, record: AnyArray, member: IntArray, p: FloatArray) -> float:
    """Give what records outside the cluster have of a respondent, as a sum of positive numbers."""
    total = 0.0
    for q in range(start[i], start[i + 1]):
        if not 0 <= member[record[q]] <= m:
            total += max(p[pair[q]], LEAST)
    return total


@njit(cache=True, nogil=True)
def _gather(
    j: int, chosen: IntArray, faint: float, indptr: IntArray, indices: AnyArray, weight: FloatArray, leave: FloatArray,
    p: FloatArray, v: FloatArray, total: FloatArray, power: float, start: IntArray, pair: IntArray, record: AnyArray,
    member: IntArray, place: IntArray, column: IntArray, w: FloatArray, own: FloatArray, free: FloatArray, alone: FloatArray,
) -> int:  # fmt: skip
    """Fill the cluster's weights, each respondent's divided by the weight of leaving it; give how many respondents.

    What is left to records outside, in units of 1 / v, is their p times (1 - the cluster's p)^(power - 1). Faint pairs of
    competitors count as theirs alone.
    """
    columns, m = 0, chosen.size
    for r in range(-1, m):
        row = j if r < 0 else chosen[r]
        for e in range(indptr[row], indptr[row + 1]):
            i, here = indices[e], weight[e]
            if here == 0.0:
                continue
            c = place[i]
            if c < 0:
                if here < faint and r >= 0:
                    alone[r] += here * v[i]
                    continue
                if here < faint and p[e] < faint:
                    continue
                c = columns
                place[i], column[c] = c, i
                w[c, :] = 0.0
                own[c], free[c] = 0.0, 0.0
                columns += 1
            free[c] += p[e]
            if r < 0:
                own[c] = here
            else:
                w[c, r] = here
    kept = 0
    for c in range(columns):
        i = column[c]
        outside = total[i] - free[c]
        if outside < 1e-3 * total[i]:
            outside = _outside(i, m, start, pair, record, member, p)
        many, only = 0, -1
        for r in range(m):
            if w[c, r] > 0.0:
                many, only = many + 1, r
        field = leave[i]
        if outside > 0.0:
            field += outside * (outside + leave[i] * v[i]) ** (power - 1.0) / v[i]
        if field > 0.0 and own[c] == 0.0 and many == 1:
            alone[only] += w[c, only] / field
            place[i] = -1
            continue
        scale = 1.0 / field if field > 0.0 else 1.0
        for r in range(m):
            w[kept, r] = w[c, r] * scale
        own[kept], free[kept] = own[c] * scale, 1.0 if field > 0.0 else 0.0
        place[i], column[kept] = kept, i
        kept += 1
    return kept


@njit(cache=True, nogil=True)
def _balance(w: FloatArray, own: FloatArray, alone: FloatArray, columns: int) -> None:
    """Scale every record's weights to a largest of one."""
    top = own[:columns].max()
    own[:columns] /= top
    for r in range(alone.size):
        top = alone[r]
        for c in range(columns):
            top = max(top, w[c, r])
        if top > 0.0:
            alone[r] /= top
            for c in range(columns):
                w[c, r] /= top


@njit(cache=True, nogil=True)
def cluster_rows(
    first: int, last: int, size: int, faint: float, indptr: IntArray, indices: AnyArray, weight: FloatArray,
    leave: FloatArray, p: FloatArray, v: FloatArray, total: FloatArray, power: float, start: IntArray, pair: IntArray,
    record: AnyArray, answer: FloatArray, failed: BoolArray,
) -> None:  # fmt: skip
    """Fill the answer of the records from first to last; where a cluster has no matching, p, and say so in failed."""
    n, room = indptr.size - 1, 0
    score, touched, most = np.zeros(n), np.empty(n, np.int64), np.empty(size, np.int64)
    member, place = np.full(n, -1), np.full(leave.size, -1)
    w, own, free, out, column = np.empty((0, size)), np.empty(0), np.empty(0), np.empty(0), np.empty(0, np.int64)
    for j in range(first, last):
        m = _competitors(j, size, faint, indptr, indices, weight, start, pair, record, score, touched, most)
        chosen, alone = most[:m], np.zeros(m)
        need = indptr[j + 1] - indptr[j]
        member[j] = m
        for r in range(m):
            need += indptr[chosen[r] + 1] - indptr[chosen[r]]
            member[chosen[r]] = r
        if need >= room:
            room = 2 * need + 1
            w, own, free, out = np.empty((room, size)), np.empty(room), np.empty(room), np.empty(room)
            column = np.empty(room, np.int64)
        columns = _gather(
            j, chosen, faint, indptr, indices, weight, leave, p, v, total, power, start, pair, record, member, place,
            column, w, own, free, alone,
        )  # fmt: skip
        _balance(w, own, alone, columns)
        out[:columns] = 0.0
        _match(w, own, free, alone, columns, out)
        whole, rest = out[:columns].sum(), 0.0
        failed[j] = not 0.0 < whole < math.inf
        for e in range(indptr[j], indptr[j + 1]):
            if place[indices[e]] < 0:
                rest += p[e]
        for e in range(indptr[j], indptr[j + 1]):
            c = place[indices[e]]
            answer[e] = p[e] if failed[j] or c < 0 else out[c] / whole * (1.0 - rest)
        for c in range(columns):
            place[column[c]] = -1
        member[j] = -1
        for r in range(m):
            member[chosen[r]] = -1


class Corrected(NamedTuple):
    """What cluster-corrected propagation gives."""

    p: FloatArray
    """P(record j is respondent i's) of the stored pairs."""
    doubt: FloatArray
    """For each record, how far clusters of half the size differ plus how far respondents' totals are from one."""
    weight: FloatArray
    """The scaled weights of the pairs."""
    leave: FloatArray
    """The scaled weights of leaving respondents out."""

    def error(self, rows: IntArray) -> FloatArray:
        """Estimate the error of every pair from the doubt about its record."""
        return np.minimum(FACTOR * self.doubt + FLOOR, 1.0)[rows]


def cluster_corrected(
    table: Any,
    size: int = 8,
    iterations: int = ITERATIONS,
    faint: float = FAINT,
    labels: tuple[IntArray, IntArray] | None = None,
    progress: Progress = silent,
) -> Corrected:
    """Give P(record j is respondent i's) of the stored pairs, and how doubtful each record is.

    The records sum to one; respondents to at most one, up to what the last scaling leaves. The error is
    estimated from the difference to clusters of half the size and from how far the records' answers disagreed
    about a respondent; it is no bound, but held for 98 per cent of records where the truth is known.

    Args:
        table: a checked CSR table of log densities, records by respondents (see `check_sparse`).
        size: the most competitors matched exactly with each record.
        iterations: of the messages.
        faint: pairs with less scaled weight are left to the messages.
        labels: the component of each respondent and the spare respondents of each; None: found here.
        progress: called with how much of how much is done.

    >>> from scipy import sparse
    >>> cluster_corrected(sparse.csr_array(np.array([[1.0, 1.0], [2.0, 2.0]]))).p.round(9).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    if not 2 <= size <= MOST_SIZE:
        raise LikelihoodError(f"the size of a cluster must be from 2 to {MOST_SIZE}; found {size}")
    indptr, indices = table.indptr.astype(np.int64), table.indices.astype(np.int64)
    values, (n, wide) = np.asarray(table.data, dtype=np.float64), table.shape
    label, spare = component_labels(indptr, indices, wide) if labels is None else labels
    weight, leave = scaled_weights(indptr, indices, values, label, spare)
    weight[weight < NOTHING] = 0.0
    p, null, v, _ = propagate(indptr, indices, weight, leave, label, spare, POWER, iterations, 1e-7)
    by, sums = by_respondent(indptr, indices, wide), np.bincount(indices, p, wide).astype(np.float64)
    large, small, failed = np.zeros(values.size), np.zeros(values.size), np.zeros(n, dtype=np.bool_)

    def work(first: int, last: int) -> None:
        graph, messages = (indptr, indices, weight, leave), (p, v, sums, POWER)
        cluster_rows(first, last, size // 2, faint, *graph, *messages, *by, small, failed)
        cluster_rows(first, last, size, faint, *graph, *messages, *by, large, failed)

    in_chunks(work, n, max(CHUNK, n // 32), progress)
    total = np.bincount(indices, large, wide)
    left = np.where(spare[label] > 0, np.maximum(1.0 - total, 0.0), 0.0)
    answer, _ = project(indptr, indices, large, left, 40, 1e-9)
    unsure = np.where(spare[label] > 0, np.abs(total + null - 1.0), 0.0)
    doubt = _doubts(indptr, indices, large, small, np.abs(total + left - 1.0), unsure)
    doubt[failed] = 1.0
    return Corrected(answer, doubt, weight, leave)


@njit(cache=True, nogil=True)
def _doubts(
    indptr: IntArray, indices: AnyArray, large: FloatArray, small: FloatArray, off: FloatArray, unsure: FloatArray
) -> FloatArray:
    """Give the largest doubt about a pair of each record.

    off: how far the records' answers about a respondent are from adding up; unsure: how far their sum is from
    what the messages say, where respondents may be left out.
    """
    doubt = np.zeros(indptr.size - 1)
    for j in range(doubt.size):
        widest, total = 0.0, 0.0
        for e in range(indptr[j], indptr[j + 1]):
            widest = max(widest, abs(large[e] - small[e]))
            if large[e] > 0.0:
                total = max(total, off[indices[e]] + unsure[indices[e]] * large[e])
        doubt[j] = widest + total
    return doubt
