"""Turn pairs sorted by respondent into pairs sorted by record."""

from __future__ import annotations

import numpy as np
from numba import njit

from confide.typing import AnyArray, FloatArray, IntArray


@njit(cache=True, nogil=True)
def by_record(start: IntArray, record: AnyArray, values: FloatArray, records: int) -> tuple[IntArray, AnyArray, FloatArray]:
    """Give where each record starts, the respondents of its pairs in order, and the values.

    >>> ptr, people, values = by_record(np.array([0, 2, 3]), np.array([1, 0, 1]), np.array([0.1, 0.2, 0.3]), 2)
    >>> ptr.tolist(), people.tolist(), values.tolist()
    ([0, 1, 3], [0, 0, 1], [0.2, 0.1, 0.3])
    """
    indptr = np.zeros(records + 1, np.int64)
    for e in range(record.size):
        indptr[record[e] + 1] += 1
    indptr = np.cumsum(indptr)
    at, people, out = indptr[:-1].copy(), np.empty(record.size, np.int32), np.empty(record.size)
    for i in range(start.size - 1):
        for e in range(start[i], start[i + 1]):
            q = at[record[e]]
            people[q], out[q] = i, values[e]
            at[record[e]] += 1
    return indptr, people, out
