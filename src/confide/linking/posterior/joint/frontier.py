"""Exact marginals of eq. (4.1) for one-dimensional ordered evidence.

When each record's candidates are a short window of ordered respondents, few records are open at any
respondent. A dynamic programme along the order keeps only which of the open records are taken: at most
2^width states at each of N steps, whatever N.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import reverse_cuthill_mckee

from confide.errors import LikelihoodError
from confide.linking.memory import available_memory
from confide.linking.posterior.joint.scaling import sparse_weights
from confide.linking.posterior.joint.slots import extents, slots, stored, windows
from confide.linking.posterior.joint.sweep import sweep
from confide.typing import AnyArray, FloatArray, IntArray

MOST_WIDTH = 22
LITTLE_BYTES, MOST_BYTES = 1 << 30, 1 << 33
"""Up to the first the states are always kept; up to the second where they take no more than half of the free memory."""
SAME = 1e-8
"""The log2 totals at all cuts must agree to this."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order of the respondents and what it costs."""

    order: IntArray
    """Respondents in the order they are passed."""
    width: int
    """The most records open at once."""
    states: float
    """States over all steps."""


def frontier_order(indptr: AnyArray, indices: AnyArray, respondents: int, order: AnyArray | None = None) -> Order:
    """Give the order to use: the given one, or the cheaper of the present and the reverse Cuthill-McKee order."""
    indptr, indices = np.asarray(indptr, dtype=np.int64), np.asarray(indices, dtype=np.int64)
    if order is not None:
        return _costed(indptr, indices, np.asarray(order, dtype=np.int64))
    records = indptr.size - 1
    rows = np.repeat(np.arange(records), np.diff(indptr))
    size = records + respondents
    both = (np.concatenate((rows, indices + records)), np.concatenate((indices + records, rows)))
    graph = sparse.csr_matrix((np.ones(2 * rows.size, dtype=np.int8), both), shape=(size, size))
    found = reverse_cuthill_mckee(graph, symmetric_mode=True).astype(np.int64)
    tried = [np.arange(respondents), found[found >= records] - records]
    return min((_costed(indptr, indices, one) for one in tried), key=lambda one: one.states)


def frontier_width(indptr: AnyArray, indices: AnyArray, respondents: int, order: AnyArray | None = None) -> int:
    """Give the most records that are open at once.

    >>> frontier_width([0, 2, 4, 6], [0, 1, 1, 2, 2, 3], 4)
    2
    """
    return frontier_order(indptr, indices, respondents, order).width


def frontier_marginals(
    indptr: AnyArray, indices: AnyArray, values: AnyArray, respondents: int, order: Order | AnyArray | None = None
) -> FloatArray | None:
    """Give the probability of each stored pair of record and respondent, exactly.

    None when the states need too much memory, and when totals at different cuts disagree, that is when
    weights range too widely for doubles.

    Args:
        indptr: where each record's candidates start, as in a CSR table of records by respondents.
        indices: the candidates.
        values: log densities of the stored pairs; pairs that are not stored are impossible.
        respondents: the number of respondents.
        order: the order of respondents, found when not given.

    Raises:
        LikelihoodError: more than 22 records are open at once, or the release is impossible.
    """
    indptr, indices = np.asarray(indptr, dtype=np.int64), np.asarray(indices, dtype=np.int64)
    values, records = np.asarray(values, dtype=np.float64), indptr.size - 1
    if records == 0:
        return np.zeros(0)
    plan = order if isinstance(order, Order) else frontier_order(indptr, indices, respondents, order)
    if plan.width > MOST_WIDTH:
        raise LikelihoodError(f"{plan.width} records are open at once; the frontier programme takes at most {MOST_WIDTH}")
    found, weight, leave, _, _ = sparse_weights(indptr, indices, values, respondents)
    if not found:
        raise LikelihoodError("the release is impossible: these records cannot all come from different respondents")
    position = np.empty(respondents, dtype=np.int64)
    position[plan.order] = np.arange(respondents)
    slot, opened, closing = slots(*windows(indptr, indices, position), respondents, plan.width)
    block = max(1, math.isqrt(respondents))
    if not _fits(8 * sum(stored(extents(opened), block))):
        return None
    by_position = np.argsort(position[indices], kind="stable")
    ptr = np.concatenate(([0], np.cumsum(np.bincount(position[indices], minlength=respondents))))
    record = np.repeat(np.arange(records), np.diff(indptr))
    spare = respondents - records
    kept = leave[plan.order] * (spare > 0)
    bit = slot[record[by_position]]
    passed, cuts = sweep(ptr, bit, weight[by_position], kept, opened, closing, plan.width, spare, block)
    if not np.isfinite(cuts).all() or np.ptp(cuts) > SAME:
        return None
    p = np.empty(values.size)
    p[by_position] = np.minimum(passed, 1.0)
    return p


def _fits(size: int) -> bool:
    """Say whether so many bytes may be taken."""
    if size <= LITTLE_BYTES or size > MOST_BYTES:
        return size <= LITTLE_BYTES
    free = available_memory()
    return free is not None and size <= free // 2


def _costed(indptr: IntArray, indices: IntArray, order: IntArray) -> Order:
    position = np.empty(order.size, dtype=np.int64)
    position[order] = np.arange(order.size)
    first, last = windows(indptr, indices, position)
    here = last >= 0
    change = np.bincount(first[here], minlength=order.size + 1) - np.bincount(last[here] + 1, minlength=order.size + 1)
    active = np.cumsum(change)[: order.size]
    return Order(order, int(active.max(initial=0)), float(np.sum(2.0 ** np.minimum(active, 900))))
