"""Can the release have happened at all? Checks before any probability is computed.

The model is a random injective map from records to respondents, P(s) proportional to the product of
F[j, s(j)] (Duncan and Lambert 1987, eq. 4.1). It exists when the records can be given different
respondents, all with positive density; by Hall's theorem they can unless some group of records has
fewer possible respondents than members. Such a group is named.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from confide.errors import LikelihoodError
from confide.linking.posterior.joint.matching import largest_matching
from confide.typing import AnyArray, FloatArray, IntArray

SHOWN = 5
"""So many record numbers are named in a message."""


def check_dense(log_f: AnyArray) -> FloatArray:
    """Check log densities, records by respondents, and give them as floats.

    >>> check_dense([[0.0, -1.0]]).shape
    (1, 2)
    """
    checked = np.ascontiguousarray(log_f, dtype=np.float64)
    if checked.ndim != 2:
        raise LikelihoodError(f"log densities must be a table of records by respondents; found {checked.ndim} dimension(s)")
    _check_values(checked)
    rows, columns = np.nonzero(checked > -np.inf)
    _check_matching(_graph(rows, columns, checked.shape))
    return checked


def check_sparse(log_f: Any) -> Any:
    """Check a sparse table of log densities and give it as sorted CSR without stored -inf.

    Pairs that are not stored are impossible; a stored 0 is a density of 1.
    """
    checked = check_pairs(log_f)
    ones = np.ones(checked.nnz, dtype=np.int8)
    _check_matching(sparse.csr_array((ones, checked.indices, checked.indptr), shape=checked.shape))
    return checked


def check_pairs(log_f: Any) -> Any:
    """Check the values of a sparse table of log densities and give it as sorted CSR without stored -inf.

    Whether the records can be given different respondents is not asked.

    >>> check_pairs(sparse.csr_array([[-np.inf, -1.0]])).nnz
    1
    """
    checked = sparse.csr_array(log_f, copy=True, dtype=np.float64)
    _check_values(checked.data)
    kept = checked.data > -np.inf
    indptr = np.concatenate(([0], np.cumsum(kept)))[checked.indptr].astype(np.int64)
    parts = (checked.data[kept], checked.indices[kept].astype(np.int64), indptr)
    checked = sparse.csr_array(parts, shape=checked.shape)
    checked.sort_indices()
    same_row = np.diff(np.repeat(np.arange(checked.shape[0]), np.diff(indptr))) == 0
    if (same_row & (np.diff(checked.indices) == 0)).any():
        raise LikelihoodError("the sparse log densities store a pair of record and respondent twice; store each once")
    return checked


def check_possible(graph: Any) -> None:
    """Raise when some record has no possible respondent."""
    empty = np.flatnonzero(np.diff(graph.indptr) == 0)
    if empty.size:
        raise LikelihoodError(
            f"no respondent could have produced these records (counted from 0): {named(empty)}; "
            "every density is zero there, so the release is impossible under these beliefs"
        )


def named(numbers: AnyArray) -> str:
    """Write a few record numbers, counted from 0.

    >>> named([1, 2, 3, 4, 5, 6, 7])
    '1, 2, 3, 4, 5, ... (7 in all)'
    """
    shown = ", ".join(str(int(number)) for number in numbers[:SHOWN])
    return shown + (f", ... ({len(numbers)} in all)" if len(numbers) > SHOWN else "")


def _check_values(values: FloatArray) -> None:
    if np.isnan(values).any():
        raise LikelihoodError("log densities hold NaN; an impossible pair is -inf")
    if np.isposinf(values).any():
        raise LikelihoodError("log densities hold +inf; densities must be finite")


def _graph(rows: AnyArray, columns: AnyArray, shape: tuple[int, ...]) -> Any:
    return sparse.csr_array((np.ones(rows.size, dtype=np.int8), (rows, columns)), shape=shape)


def _check_matching(graph: Any) -> None:
    records, respondents = graph.shape
    if records > respondents:
        raise LikelihoodError(f"more records than respondents: {records} records, {respondents} respondents")
    check_possible(graph)
    if not records:
        return
    mate, _ = largest_matching(graph.indptr.astype(np.int64), graph.indices, respondents)
    left = np.flatnonzero(mate < 0)
    if left.size:
        group, candidates = _violators(graph, mate, int(left[0]))
        raise LikelihoodError(
            f"the release is impossible: {group.size} records (counted from 0: {named(group)}) "
            f"can only come from {candidates} respondents"
        )


def _violators(graph: Any, mate: AnyArray, start: int) -> tuple[IntArray, int]:
    """Give the records reached from an unmatched one by alternating paths, and how many candidates they share."""
    holder = np.full(graph.shape[1], -1)
    taken = np.flatnonzero(mate >= 0)
    holder[mate[taken]] = taken
    records, respondents, queue = {start}, set[int](), [start]
    while queue:
        record = queue.pop()
        for i in graph.indices[graph.indptr[record] : graph.indptr[record + 1]]:
            if int(i) not in respondents:
                respondents.add(int(i))
                records.add(int(holder[i]))
                queue.append(int(holder[i]))
    return np.array(sorted(records), dtype=np.int64), len(respondents)
