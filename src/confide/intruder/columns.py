"""What a decision needs of each respondent's link probabilities: the best record, the largest, the least, the sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from confide.errors import IntruderError
from confide.typing import BoolArray, FloatArray, IntArray

ROUNDING = 1e-9
"""How far probabilities may sum above one by rounding."""
TIE = 1e-12
"""Losses that differ by no more than this share of the larger one are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The link probabilities of every respondent, reduced."""

    record: IntArray
    """The most probable record; the first of several."""
    largest: FloatArray
    """Its probability."""
    least: FloatArray
    """The smallest probability of any record."""
    total: FloatArray
    """The probability that the respondent was released."""


def checked(p: Any, slack: float = ROUNDING) -> FloatArray:
    """Give one respondent's link probabilities as an array; raise where they are none.

    >>> checked([0.5, 0.25]).tolist()
    [0.5, 0.25]
    """
    probabilities = np.asarray(p, dtype=np.float64)
    if probabilities.ndim != 1 or probabilities.size == 0:
        raise IntruderError(f"give the probability of each released record in a row; found shape {probabilities.shape}")
    if not bool(np.all(probabilities >= 0)) or float(probabilities.sum()) > 1 + slack:
        raise IntruderError("link probabilities must be numbers, not negative, and sum to at most one")
    return probabilities


def columns(p: Any, slack: float = ROUNDING) -> Columns:
    """Reduce link probabilities, records by respondents, dense or sparse.

    Args:
        p: the probability that record j is respondent i's.
        slack: how far a respondent's probabilities may sum above one, as approximations can; such a
            sum is taken as one.

    >>> found = columns(np.array([[0.5, 0.1], [0.25, 0.1]]))
    >>> found.record.tolist(), found.largest.tolist(), found.total.tolist()
    ([0, 0], [0.5, 0.1], [0.75, 0.2])
    """
    found = _sparse(p) if sparse.issparse(p) else _dense(np.asarray(p, dtype=np.float64))
    high = float(found.total.max())
    if high > 1 + slack:
        raise IntruderError(
            f"the link probabilities of a respondent sum to {high:.6g}, more than one; for an approximation give slack, "
            "the error it may have"
        )
    return Columns(found.record, found.largest, found.least, np.minimum(found.total, 1.0))


def less(a: FloatArray, b: FloatArray, share: float = TIE) -> BoolArray:
    """Say where one loss is smaller than another beyond rounding: equal losses are a tie.

    Args:
        a: some losses.
        b: those they are compared with.
        share: losses that differ by no more than this share of the larger one are equal.

    >>> less(np.array([0.1 + 0.2, 0.2]), np.array([0.3, 0.3])).tolist()
    [False, True]
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(
            np.where(np.isinf(b), np.isfinite(a), b - a > share * np.maximum(np.abs(a), np.abs(b))), dtype=np.bool_
        )


def _dense(p: FloatArray) -> Columns:
    """Reduce a table."""
    if p.ndim != 2 or p.size == 0:
        raise IntruderError(f"link probabilities must be a table of records by respondents; found shape {p.shape}")
    if not bool(np.all(p >= 0)):
        raise IntruderError("link probabilities must be numbers and not negative")
    record = p.argmax(axis=0).astype(np.int64)
    return Columns(record, p[record, np.arange(p.shape[1])], p.min(axis=0), p.sum(axis=0))


def _sparse(p: Any) -> Columns:
    """Reduce a sparse table; pairs that are not stored have probability zero."""
    n, wide = p.shape
    if n == 0 or wide == 0:
        raise IntruderError(f"link probabilities must be a table of records by respondents; found shape {p.shape}")
    table = sparse.csc_array(p, dtype=np.float64)
    table.sum_duplicates()
    if not bool(np.all(table.data >= 0)):
        raise IntruderError("link probabilities must be numbers and not negative")
    largest, least, total = np.zeros(wide), np.zeros(wide), np.zeros(wide)
    record = np.zeros(wide, dtype=np.int64)
    held = np.diff(table.indptr)
    some = np.flatnonzero(held > 0)
    if some.size:
        starts = table.indptr[some]
        largest[some] = np.maximum.reduceat(table.data, starts)
        total[some] = np.add.reduceat(table.data, starts)
        lowest = np.minimum.reduceat(table.data, starts)
        least[some] = np.where(held[some] == n, lowest, 0.0)
        column = np.repeat(np.arange(wide), held)
        # rows are sorted within a column, so the first place that reaches the maximum is the smallest record
        hits = np.flatnonzero(table.data == largest[column])[::-1]
        record[column[hits]] = table.indices[hits]
        record[largest == 0] = 0
    return Columns(record, largest, least, total)
