"""Exact marginals of eq. (4.1) by dynamic programming over the subsets of records.

Respondents come one by one; each takes one of the records not yet taken, or none. The weight of all
ways in which the first respondents take the records S, leaving d respondents out, is forward[S, d];
what the remaining respondents can do is backward[S, d]. Their products give all n x N marginals of
Duncan and Lambert (1987, eq. 4.1) at once, from positive terms only. States: 2^n (N - n + 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.cpython.unsafe import numbers

from confide.errors import InternalError, LikelihoodError
from confide.linking.posterior.joint.feasible import check_dense
from confide.linking.posterior.joint.scaling import FLUSH, dense_weights
from confide.typing import AnyArray, FloatArray

trailing_zeros: Any = numbers.trailing_zeros
"""The number of the lowest member of a subset, one machine instruction."""
MOST_RECORDS = 25
MOST_STATES = 1 << 25
"""Two tables of so many doubles are kept."""
CHUNK = 4096
"""Marginals are summed in chunks, so that rounding errors do not add up."""


@njit(cache=True, nogil=True)
def popcounts(bits: int) -> AnyArray:
    """Give the number of members of every subset."""
    count = np.zeros(1 << bits, np.uint8)
    for s in range(1, 1 << bits):
        count[s] = count[s >> 1] + (s & 1)
    return count


@njit(cache=True, nogil=True)
def square(weight: FloatArray) -> FloatArray:
    """Give all marginals when every respondent takes a record; weight is respondents by records."""
    n = weight.shape[0]
    states, count = 1 << n, popcounts(n)
    forward, backward = np.zeros(states), np.zeros(states)
    forward[0], backward[states - 1] = 1.0, 1.0
    for s in range(1, states):
        row, left, total = weight[count[s] - 1], s, 0.0
        while left:
            total += row[trailing_zeros(left)] * forward[s ^ (left & -left)]
            left &= left - 1
        forward[s] = total if total > FLUSH else 0.0
    p, part = np.zeros((n, n)), np.zeros((n, n))
    for s in range(states - 2, -1, -1):
        row, out, left, total, before = weight[count[s]], part[count[s]], (states - 1) ^ s, 0.0, forward[s]
        while left:
            k = trailing_zeros(left)
            term = row[k] * backward[s | (left & -left)]
            total += term
            out[k] += term * before
            left &= left - 1
        backward[s] = total if total > FLUSH else 0.0
        if s % CHUNK == 0:
            p += part
            part[:] = 0.0
    return p / forward[states - 1]


@njit(cache=True, nogil=True)
def rectangular(weight: FloatArray, leave: FloatArray) -> FloatArray:
    """Give all marginals when some respondents are left out; weight is records by respondents."""
    n, wide = weight.shape
    most = wide - n
    states, count = 1 << n, popcounts(n)
    forward, backward = np.zeros((states, most + 1)), np.zeros((states, most + 1))
    for s in range(states):
        f, c = forward[s], np.int64(count[s])
        if s == 0:
            f[0] = 1.0
        left = s
        while left:
            row, g = weight[trailing_zeros(left)], forward[s ^ (left & -left)]
            for d in range(most + 1):
                f[d] += row[c - 1 + d] * g[d]
            left &= left - 1
        for d in range(1, most + 1):
            f[d] += leave[c - 1 + d] * f[d - 1]
            f[d] = f[d] if f[d] > FLUSH else 0.0
    p, part = np.zeros((n, wide)), np.zeros((n, wide))
    for s in range(states - 1, -1, -1):
        b, f, c = backward[s], forward[s], np.int64(count[s])
        if s == states - 1:
            b[most] = 1.0
        left = (states - 1) ^ s
        while left:
            k = trailing_zeros(left)
            row, g, out = weight[k], backward[s | (left & -left)], part[k]
            for d in range(most + 1):
                term = row[c + d] * g[d]
                b[d] += term
                out[c + d] += term * f[d]
            left &= left - 1
        for d in range(most - 1, -1, -1):
            b[d] += leave[c + d] * b[d + 1]
            b[d] = b[d] if b[d] > FLUSH else 0.0
        if s % CHUNK == 0:
            p += part
            part[:] = 0.0
    return p / forward[states - 1, most]


@njit(cache=True, nogil=True)
def subset_kernel(log_f: FloatArray) -> tuple[bool, FloatArray]:
    """Scale, then give: feasible, all marginals."""
    found, weight, leave, _, _ = dense_weights(log_f)
    if not found:
        return False, weight
    if weight.shape[0] == weight.shape[1]:
        return True, square(np.ascontiguousarray(weight.T)).T.copy()
    return True, rectangular(weight, leave)


def subset_states(records: int, respondents: int) -> int:
    """Give the number of states the programme visits."""
    return (1 << records) * (respondents - records + 1)


def subset_marginals(log_f: FloatArray) -> FloatArray:
    """Give P(record j is respondent i's) for all pairs, exactly.

    The accuracy is that of sums of positive numbers (about 1e-15, relative) for probabilities above
    1e-140; smaller ones may come out as 0.

    Args:
        log_f: log densities, records by respondents, -inf where impossible; at most 25 records.

    >>> subset_marginals(np.log([[1.0, 3.0], [1.0, 1.0]])).tolist()
    [[0.25, 0.75], [0.75, 0.25]]
    """
    log_f = check_dense(log_f)
    records, respondents = log_f.shape
    if records == 0:
        return np.zeros((0, respondents))
    if records > MOST_RECORDS or subset_states(records, respondents) > MOST_STATES:
        raise LikelihoodError(
            f"{records} records and {respondents} respondents are too many for subsets; use exact_marginals or propagation"
        )
    found, p = subset_kernel(log_f)
    if not found:
        raise InternalError("no matching was found where one exists")
    return np.minimum(p, 1.0)
