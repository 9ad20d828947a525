"""Exact marginals of eq. (4.1) when few kinds of respondents, or of records, differ.

Respondents with the same densities are interchangeable, so only how many of each type are taken
matters; the same holds for records. The count programme is polynomial in the numbers: for B types of
respondents prod_b (min(m_b, n) + 1) states, for A types of records (N - n + 1) prod_a (r_a + 1) states. The
smaller of the two is used.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from confide.errors import LikelihoodError
from confide.linking.posterior.joint.lattice import lattice
from confide.typing import AnyArray, FloatArray, IntArray

MOST_STATES = 1 << 24
SOME = 256
"""So many records, or respondents, are looked at to see whether there are many types."""


@dataclass(frozen=True, slots=True)
class Types:
    """A table of log densities with equal rows and equal columns merged."""

    log_f: FloatArray
    """Record types by respondent types."""
    record_type: IntArray
    """The type of each record."""
    respondent_type: IntArray
    """The type of each respondent."""
    record_counts: IntArray
    respondent_counts: IntArray

    def spread(self, p: FloatArray) -> FloatArray:
        """Give each pair of record and respondent what its types have."""
        return np.ascontiguousarray(p[np.ix_(self.record_type, self.respondent_type)])


def merge_types(log_f: Any) -> Types:
    """Merge records with equal densities, and respondents with equal densities; dense or CSR.

    >>> merge_types(np.array([[0.0, 0.0, -1.0], [0.0, 0.0, -2.0]])).respondent_counts.tolist()
    [2, 1]
    """
    table: Any = log_f if sparse.issparse(log_f) else np.asarray(log_f, dtype=np.float64) + 0.0
    across, record_type, record_counts = _labelled(table)
    _, respondent_type, respondent_counts = _labelled(table.T)
    reduced: Any = table[across]
    merged = np.full((across.size, respondent_counts.size), -np.inf)
    if sparse.issparse(reduced):
        rows = np.repeat(np.arange(across.size), np.diff(reduced.indptr))
        merged[rows, respondent_type[reduced.indices]] = reduced.data
    else:
        merged[:, respondent_type] = reduced
    return Types(merged, record_type, respondent_type, record_counts, respondent_counts)


def count_types(log_f: Any) -> tuple[IntArray, IntArray]:
    """Give only how many records and how many respondents there are of each type."""
    return _labelled(log_f)[2], _labelled(log_f.T)[2]


def many_types(table: Any) -> bool:
    """Say whether some records, and some respondents, of a large CSR table already have too many types to count.

    Those with different first, or largest, densities differ; m types have 2^m states at least.
    """
    if min(table.shape) <= SOME:
        return False
    near = table.indices < SOME
    top = np.full(SOME, -np.inf)
    np.maximum.at(top, table.indices[near], table.data[near])
    most = MOST_STATES.bit_length()
    return bool(np.unique(table.data[table.indptr[:SOME]]).size > most and np.unique(top).size > most)


def type_states(record_counts: AnyArray, respondent_counts: AnyArray) -> tuple[float, float]:
    """Give the number of states when respondent types, and when record types, are counted."""
    n, wide = int(np.sum(record_counts)), int(np.sum(respondent_counts))
    over_respondents = float(np.sum(np.log2(np.minimum(respondent_counts, n) + 1.0)))
    over_records = math.log2(wide - n + 1) + float(np.sum(np.log2(np.asarray(record_counts) + 1.0)))
    return 2.0 ** min(over_respondents, 900.0), 2.0 ** min(over_records, 900.0)


def type_marginals(log_f: FloatArray, record_counts: AnyArray, respondent_counts: AnyArray) -> FloatArray:
    """Give the probability that one record of type a is one given respondent of type b's, exactly.

    Args:
        log_f: log densities, record types by respondent types, -inf where impossible.
        record_counts: records of each type.
        respondent_counts: respondents of each type.

    >>> type_marginals(np.zeros((1, 2)), [3], [4, 6]).round(12).tolist()
    [[0.1, 0.1]]
    """
    log_f = np.asarray(log_f, dtype=np.float64)
    r, m = (np.asarray(counts, dtype=np.int64) for counts in (record_counts, respondent_counts))
    _check(log_f, r, m)
    over_respondents, over_records = type_states(r, m)
    if min(over_respondents, over_records) > MOST_STATES:
        raise LikelihoodError(f"{r.size} record types and {m.size} respondent types have too many states to count")
    record_type, respondent_type = np.repeat(np.arange(r.size), r), np.repeat(np.arange(m.size), m)
    if over_respondents <= over_records:
        taken = lattice(np.ascontiguousarray(log_f[record_type]), m)
        first = np.concatenate(([0], np.cumsum(r)[:-1]))
        p = taken[first] / m
    else:
        free = int(m.sum() - r.sum())
        log_w = np.column_stack((log_f.T, np.zeros(m.size)))[respondent_type] if free else log_f.T[respondent_type]
        taken = lattice(np.ascontiguousarray(log_w), np.append(r, free) if free else r)
        first = np.concatenate(([0], np.cumsum(m)[:-1]))
        p = (taken[first, : r.size] / r).T
    if not np.isfinite(p).all():
        raise LikelihoodError("the release is impossible: these records cannot all come from different respondents")
    return np.ascontiguousarray(np.minimum(p, 1.0))


def _labelled(table: Any) -> tuple[IntArray, IntArray, IntArray]:
    """Give the first row of each kind, the kind of each row and the size of each kind."""
    if sparse.issparse(table):
        table = table.tocsr()
        cut = list(itertools.pairwise(table.indptr))
        keys = [table.indices[a:b].tobytes() + table.data[a:b].tobytes() for a, b in cut]
    else:
        keys = [row.tobytes() for row in np.ascontiguousarray(table)]
    seen: dict[bytes, int] = {}
    label = np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)
    _, first = np.unique(label, return_index=True)
    return first.astype(np.int64), label, np.bincount(label, minlength=len(seen)).astype(np.int64)


def _check(log_f: FloatArray, r: IntArray, m: IntArray) -> None:
    if log_f.shape != (r.size, m.size):
        raise LikelihoodError(f"log densities are {log_f.shape} for {r.size} record types and {m.size} respondent types")
    if np.isnan(log_f).any() or np.isposinf(log_f).any():
        raise LikelihoodError("log densities hold NaN or +inf; an impossible pair is -inf")
    if (r < 1).any() or (m < 1).any():
        raise LikelihoodError("every type needs at least one record or respondent")
    if r.sum() > m.sum():
        raise LikelihoodError(f"more records than respondents: {r.sum()} records, {m.sum()} respondents")
