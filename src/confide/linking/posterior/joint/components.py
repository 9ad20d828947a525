"""Connected components of the evidence graph: records and respondents that do not compete are apart.

The joint posterior of eq. (4.1) is a product over components, so each may be answered by its own method.
Respondents without any record are in no component: their null link is 1. Within a component, records and
respondents are numbered as a search from neighbour to neighbour meets them: those that compete are then close to
each other in memory, which makes everything that follows several times faster on large files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from scipy import sparse

from confide.linking.posterior.joint.matching import likely_matching
from confide.sorting import sorting_order
from confide.typing import AnyArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Component:
    """Records that compete, directly or through others, and the respondents they compete for."""

    records: IntArray
    """Rows of the whole table."""
    respondents: IntArray
    """Columns of the whole table."""
    indptr: IntArray
    indices: IntArray
    """Candidates, numbered within the component."""
    values: FloatArray
    """Log densities of the stored pairs."""
    source: IntArray
    """Where each stored pair stands in the whole table's data."""

    def sparse(self) -> Any:
        """Give the log densities as a CSR table."""
        shape = (self.records.size, self.respondents.size)
        return sparse.csr_array((self.values, self.indices, self.indptr), shape=shape)

    def dense(self) -> FloatArray:
        """Give the log densities as a full table, -inf where impossible."""
        table = np.full((self.records.size, self.respondents.size), -np.inf)
        table[np.repeat(np.arange(self.records.size), np.diff(self.indptr)), self.indices] = self.values
        return table


@dataclass(frozen=True, slots=True)
class Components:
    """All components, one behind the other in flat arrays."""

    record_start: IntArray
    records: IntArray
    respondent_start: IntArray
    respondents: IntArray
    indptr: IntArray
    """Of the table with rows in the order of `records`."""
    indices: IntArray
    """Numbered within the component."""
    values: FloatArray
    source: IntArray

    def __len__(self) -> int:
        return self.record_start.size - 1

    def __iter__(self) -> Iterator[Component]:
        return (self[c] for c in range(len(self)))

    def __getitem__(self, c: int) -> Component:
        if not -len(self) <= c < len(self):
            raise IndexError(c)
        c %= len(self)
        first, last = self.record_start[c], self.record_start[c + 1]
        start, stop = self.indptr[first], self.indptr[last]
        return Component(
            self.records[first:last],
            self.respondents[self.respondent_start[c] : self.respondent_start[c + 1]],
            self.indptr[first : last + 1] - start,
            self.indices[start:stop],
            self.values[start:stop],
            self.source[start:stop],
        )

    def joined(self, which: IntArray) -> tuple[Component, IntArray, IntArray]:
        """Put some components into one; give it, the number of each respondent's component, and its spare respondents."""
        parts = [self[int(c)] for c in which]
        sizes = np.array([part.respondents.size for part in parts], dtype=np.int64)
        before, pairs = np.cumsum(sizes) - sizes, np.array([part.indices.size for part in parts], dtype=np.int64)
        lengths = np.concatenate([np.diff(part.indptr) for part in parts])
        whole = Component(
            np.concatenate([part.records for part in parts]),
            np.concatenate([part.respondents for part in parts]),
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            np.concatenate([part.indices for part in parts]) + np.repeat(before, pairs),
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.source for part in parts]),
        )
        spare = sizes - np.array([part.records.size for part in parts], dtype=np.int64)
        return whole, np.repeat(np.arange(len(parts)), sizes), spare


@njit(cache=True, nogil=True)
def _search(
    indptr: IntArray, indices: AnyArray, start: IntArray, by: AnyArray, respondents: int
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Walk from neighbour to neighbour; give records and respondents as met, and where each component of them starts."""
    n = indptr.size - 1
    records, met, seen_record, seen = np.empty(n, np.int64), 0, np.zeros(n, np.bool_), np.zeros(respondents, np.bool_)
    people, count = np.empty(respondents, np.int64), 0
    record_start, respondent_start, parts = np.empty(n + 1, np.int64), np.empty(n + 1, np.int64), 0
    head = 0
    for first in range(n):
        if seen_record[first]:
            continue
        record_start[parts], respondent_start[parts] = met, count
        parts += 1
        records[met], seen_record[first] = first, True
        met += 1
        while head < met:
            j = records[head]
            head += 1
            for e in range(indptr[j], indptr[j + 1]):
                i = indices[e]
                if seen[i]:
                    continue
                seen[i], people[count] = True, i
                count += 1
                for q in range(start[i], start[i + 1]):
                    if not seen_record[by[q]]:
                        records[met], seen_record[by[q]] = by[q], True
                        met += 1
    record_start[parts], respondent_start[parts] = met, count
    return records, people[:count], record_start[: parts + 1], respondent_start[: parts + 1]


@njit(cache=True, nogil=True)
def _renumbered(
    indptr: IntArray, indices: AnyArray, values: FloatArray, records: IntArray, within: AnyArray, new_ptr: IntArray,
    new_indices: IntArray, new_values: FloatArray, source: IntArray,
) -> None:  # fmt: skip
    """Fill the table in the new order, the respondents of each record sorted."""
    for t in range(records.size):
        first, last, filled = indptr[records[t]], indptr[records[t] + 1], new_ptr[t]
        order = sorting_order(within[indices[first:last]])
        for q in order:
            new_indices[filled] = within[indices[first + q]]
            new_values[filled] = values[first + q]
            source[filled] = first + q
            filled += 1


def split(log_f: Any, *, ordered: bool = False) -> Components:
    """Split a checked CSR table of log densities (see `check_sparse`) into its components.

    Args:
        log_f: the table.
        ordered: whether records and respondents come in an order that keeps neighbours together; it is then kept.

    >>> table = sparse.csr_array(([0.5, 0.0, -1.0], ([0, 1, 1], [2, 0, 1])), shape=(2, 4))
    >>> [(c.records.tolist(), c.respondents.tolist()) for c in split(table)]
    [([0], [2]), ([1], [0, 1])]
    """
    wide = log_f.shape[1]
    table_ptr, table_indices = log_f.indptr.astype(np.int64), np.asarray(log_f.indices)
    start, _, by = by_respondent(table_ptr, table_indices, wide)
    records, respondents, record_start, respondent_start = _search(table_ptr, table_indices, start, by, wide)
    if ordered:
        records, respondents = _sorted_within(records, record_start), _sorted_within(respondents, respondent_start)
    sizes = np.diff(respondent_start)
    within = np.empty(wide, dtype=np.int64)
    within[respondents] = np.arange(respondents.size) - np.repeat(respondent_start[:-1], sizes)
    indptr = np.concatenate(([0], np.cumsum(np.diff(table_ptr)[records]))).astype(np.int64)
    indices, source = np.empty(indptr[-1], np.int64), np.empty(indptr[-1], np.int64)
    values = np.empty(indptr[-1])
    _renumbered(table_ptr, table_indices, np.asarray(log_f.data), records, within, indptr, indices, values, source)
    return Components(record_start, records, respondent_start, respondents, indptr, indices, values, source)


def _sorted_within(numbers: IntArray, start: IntArray) -> IntArray:
    """Sort the numbers of each component."""
    label = np.repeat(np.arange(start.size - 1), np.diff(start))
    return numbers[np.lexsort((numbers, label))]


def unmatched(parts: Components) -> tuple[IntArray, IntArray]:
    """Give records, and respondents, that a largest matching leaves over, as numbered in the whole table.

    >>> table = sparse.csr_array(([0.5, 0.0], ([0, 1], [0, 0])), shape=(2, 2))
    >>> unmatched(split(table))[0].size
    1
    """
    before = np.repeat(parts.respondent_start[:-1], np.diff(parts.record_start))
    indices = (parts.indices + np.repeat(before, np.diff(parts.indptr))).astype(np.int32)
    mate, holder = likely_matching(parts.indptr, indices, parts.values, parts.respondents.size)
    return np.sort(parts.records[mate < 0]), np.sort(parts.respondents[holder < 0])


@njit(cache=True, nogil=True)
def by_respondent(indptr: IntArray, indices: AnyArray, respondents: int) -> tuple[IntArray, IntArray, AnyArray]:
    """Give, for each respondent, where its pairs start, the pairs, and their records."""
    start = np.zeros(respondents + 1, np.int64)
    for e in range(indices.size):
        start[indices[e] + 1] += 1
    start = np.cumsum(start)
    fill, pair, record = start[:-1].copy(), np.empty(indices.size, np.int64), np.empty(indices.size, np.int32)
    for j in range(indptr.size - 1):
        for e in range(indptr[j], indptr[j + 1]):
            q = fill[indices[e]]
            pair[q], record[q] = e, j
            fill[indices[e]] += 1
    return start, pair, record
