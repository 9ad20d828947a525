"""Connected components of the evidence graph: records and respondents that do not compete are apart.

The joint posterior of eq. (4.1) is a product over components, so each may be answered by its own method.
Respondents without any record are in no component: their null link is 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from confide.typing import FloatArray, IntArray


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


def split(log_f: Any) -> Components:
    """Split a checked CSR table of log densities (see `check_sparse`) into its components.

    >>> table = sparse.csr_array(([0.5, 0.0, -1.0], ([0, 1, 1], [2, 0, 1])), shape=(2, 4))
    >>> [(c.records.tolist(), c.respondents.tolist()) for c in split(table)]
    [([0], [2]), ([1], [0, 1])]
    """
    n, wide = log_f.shape
    table_ptr, table_indices = log_f.indptr.astype(np.int64), log_f.indices.astype(np.int64)
    lengths = np.diff(table_ptr)
    rows = np.repeat(np.arange(n), lengths)
    both = sparse.csr_array((np.ones(rows.size, dtype=np.int8), (rows, table_indices + n)), shape=(n + wide, n + wide))
    _, label = connected_components(both, directed=False)
    used, record_label = np.unique(label[:n], return_inverse=True)
    place = np.full(int(label.max(initial=-1)) + 1, -1)
    place[used] = np.arange(used.size)
    respondent_label = place[label[n:]]
    records = np.argsort(record_label, kind="stable")
    respondents = np.argsort(respondent_label, kind="stable")[np.count_nonzero(respondent_label < 0) :]
    record_start = _starts(record_label, used.size)
    respondent_start = _starts(respondent_label[respondent_label >= 0], used.size)
    within = np.empty(wide, dtype=np.int64)
    within[respondents] = np.arange(respondents.size) - respondent_start[respondent_label[respondents]]
    indptr = np.concatenate(([0], np.cumsum(lengths[records])))
    source = np.repeat(table_ptr[records] - indptr[:-1], lengths[records]) + np.arange(indptr[-1])
    indices, values = within[table_indices[source]], np.asarray(log_f.data, dtype=np.float64)[source]
    return Components(record_start, records, respondent_start, respondents, indptr, indices, values, source)


def _starts(label: IntArray, size: int) -> IntArray:
    return np.concatenate(([0], np.cumsum(np.bincount(label, minlength=size)))).astype(np.int64)
