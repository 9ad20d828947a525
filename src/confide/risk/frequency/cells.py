"""Cells: records that agree on every key."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import MISSING, NUMBER, Column
from confide.data.microdata import Microdata
from confide.data.packing import groups, pack
from confide.risk.frequency.kernels import count_direct, number_direct, number_hashed, shifted, whole_range
from confide.typing import BoolArray, FloatArray, IntArray

ROOM = 4
"""A table of all possible keys may have this many entries per record; beyond, keys are hashed."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column as small whole numbers: equal values have equal ones, in the order of the values."""

    ids: IntArray
    """From 0; numbers first, then labels, then missing."""
    width: int
    """How many there may be."""
    has_missing: bool
    """Whether values are missing; these have the last id."""

    @property
    def is_missing(self) -> BoolArray:
        """Which records hold nothing."""
        return np.equal(self.ids, self.width - 1) if self.has_missing else np.zeros(self.ids.size, dtype=np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Which records agree on every key."""

    of: IntArray
    """The cell of each record, counted from 0."""
    size: IntArray
    """The number of records of each cell."""

    def sums(self, weights: FloatArray) -> FloatArray:
        """Add up something over the records of each cell."""
        return np.bincount(self.of, weights=weights, minlength=self.size.size).astype(np.float64, copy=False)

    def first(self) -> IntArray:
        """Give one record of each cell."""
        rows = np.empty(self.size.size, dtype=np.int64)
        rows[self.of] = np.arange(self.of.size)
        return rows


def coded(column: Column) -> Coded:
    """Write the values of a column as small whole numbers.

    >>> coded(Column.of_numbers([20.0, 18.0, float("nan")])).ids.tolist()
    [2, 0, 3]
    >>> coded(Column.of_labels(["b", "a", None], ["a", "b"])).ids.tolist()
    [1, 0, 2]
    """
    codes, labels = column.codes, len(column.labels)
    lowest = int(codes.min(initial=0))
    if lowest >= 0:
        return Coded(codes, max(labels, 1), has_missing=False)
    has_missing = lowest == MISSING
    whole, low, high = whole_range(column.numbers, codes, NUMBER)
    if whole and high - low < ROOM * codes.size + 2**16:
        spread = int(high - low) + 1 if high >= low else 0
        last = spread + labels
        ids = shifted(column.numbers, codes, NUMBER, MISSING, low, spread, last)
        return Coded(ids, last + has_missing, has_missing)
    ids, distinct = column.profile()
    if has_missing:
        # missing stands first among the codes: move it behind the labels
        at = int(np.flatnonzero(distinct.is_missing)[0])
        ids = np.where(ids == at, distinct.size - 1, np.where(ids > at, ids - 1, ids))
    return Coded(ids, distinct.size, has_missing)


def cells_of(columns: Sequence[Coded]) -> Cells:
    """Find the records that agree on every column."""
    packed, product = _packed(columns)
    return Cells(*(number_hashed(packed) if product is None else number_direct(packed, product)))


def cell_sizes(columns: Sequence[Coded]) -> tuple[IntArray, int]:
    """Count, for each record, those that agree with it on every column, and all cells, without naming the cells."""
    packed, product = _packed(columns)
    if product is not None:
        return count_direct(packed, product)
    cells = Cells(*number_hashed(packed))
    return cells.size[cells.of], cells.size.size


def file_cells(file: Microdata, keys: Sequence[str]) -> Cells:
    """Find the records that agree on every key; missing is a level."""
    return cells_of([coded(file.columns[name]) for name in keys])


def _packed(columns: Sequence[Coded]) -> tuple[IntArray, int | None]:
    """Write the ids of each record as one number, and say how many there may be, or None where a table has no room."""
    widths = [c.width for c in columns]
    packed, product = pack([c.ids for c in columns], widths), math.prod(widths)
    return packed, product if product <= ROOM * packed.size + 2**16 else None


def patterns(columns: Sequence[Coded], rows: IntArray) -> tuple[IntArray, IntArray]:
    """Give one member of each group of rows in which the same columns are missing, and each row's group."""
    holes = [c.is_missing[rows].astype(np.int64) for c in columns if c.has_missing]
    return groups(holes, rows.size)
