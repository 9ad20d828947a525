"""Tables of both files: the same cells, numbers cut at quantiles of the source, categories spread over their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array, eye_array, vstack

from confide.data.column import MISSING, NUMBER, Column
from confide.errors import UtilityError
from confide.typing import FloatArray, IntArray
from confide.utility.estimates import in_order
from confide.utility.files import Files, chosen
from confide.utility.leaves import Leaves, compared, leaves_of
from confide.utility.lost import gone, merged
from confide.utility.spread import Spread

MOST_CELLS = 2**27
"""A table of two variables may have this many cells (1 GiB)."""


class Coded(NamedTuple):
    """One variable in both files, as cells counted from 0."""

    source: IntArray
    """The cell of each source record."""
    released: IntArray
    """The cell of each released record; beyond the last cell a category that is spread over several."""
    width: int
    """How many cells there are."""
    spread: csr_array | None = None
    """The shares of the cells in each released code, codes by cells; None: every code is a cell."""

    @property
    def codes(self) -> int:
        """How many released codes there are."""
        return self.width if self.spread is None else int(self.spread.shape[0])


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Weighted counts of both files over the same cells."""

    names: tuple[str, ...]
    """The variables."""
    source: FloatArray
    """The count of each cell in the source."""
    released: FloatArray
    """The count of each cell in the release."""


def cut(source: FloatArray, w: FloatArray, bins: int) -> FloatArray:
    """Give the ends of intervals that hold about equal shares of the source.

    The first interval holds what is below the smallest source value, the last what is above the largest.

    >>> cut(np.array([0.0, 0.0, 0.0, 4.0, 9.0]), np.ones(5), 2).tolist()
    [-5e-324, 0.0, 9.0]
    """
    x, weight = in_order(source, w)
    below = np.cumsum(weight)
    wanted = np.arange(1, bins + 1) / bins * below[-1] * (1 - 1e-12)
    ends = np.unique(x[np.minimum(np.searchsorted(below, wanted), x.size - 1)])
    return np.concatenate([[np.nextafter(x[0], -np.inf)], ends[ends < x[-1]], [x[-1]]])


def cells_alike(source: Column, released: Column | None, w: FloatArray, bins: int) -> Coded:
    """Give the cells of a variable: intervals of numbers, then labels, then missing; none of a variable not released.

    >>> a, b = Column.of_labels(["m", "f", None]), Column.of_labels(["f", "f", "x"])
    >>> cells_alike(a, b, np.ones(3), 10)
    Coded(source=array([0, 1, 3]), released=array([1, 1, 2]), width=4, spread=None)
    """
    other = Column.of_numbers(np.empty(0)) if released is None else released
    labels = tuple(dict.fromkeys((*source.labels, *other.labels)))
    known = source.is_number & (w > 0)
    ends = cut(source.numbers[known], w[known], bins) if bool(known.any()) else np.empty(0)
    first = ends.size + 1 if bool(source.is_number.any() or other.is_number.any()) else 0
    width = first + len(labels) + 1
    return Coded(_cells(source, ends, labels, first, width), _cells(other, ends, labels, first, width), width)


def spread_over(coded: Coded, leaves: Leaves) -> Coded:
    """Spread released values over the cells of the source values that they stand for."""
    cells = coded.source[leaves.first]
    low, high = np.full(leaves.groups, coded.width), np.full(leaves.groups, -1)
    np.minimum.at(low, leaves.group, cells)
    np.maximum.at(high, leaves.group, cells)
    several = low < high
    code = np.where(several, coded.width + np.cumsum(several) - 1, low)
    rows = code[leaves.group]
    wide = rows >= coded.width
    shape = (int(several.sum()), coded.width)
    there = coo_array((leaves.share[wide], (rows[wide] - coded.width, cells[wide])), shape)
    released = np.where(leaves.codes >= 0, code[leaves.codes], coded.released)
    return Coded(coded.source, released, coded.width, vstack([eye_array(coded.width), there]).tocsr())


def lost_cells(source: Coded, released: int) -> Coded:
    """Put all released records of a variable that is lost into a cell of its own, where no source record is.

    >>> lost_cells(Coded(np.array([0, 1]), np.array([0, 0]), 3), 2)
    Coded(source=array([0, 1]), released=array([3, 3]), width=4, spread=None)
    """
    return Coded(source.source, np.full(released, source.width, dtype=np.int64), source.width + 1)


def _cells(column: Column, ends: FloatArray, labels: tuple[object, ...], first: int, width: int) -> IntArray:
    """Give the cell of each record."""
    place = {label: first + k for k, label in enumerate(labels)}
    table = np.empty(len(column.labels) + 2, dtype=np.int64)
    table[: len(column.labels)] = [place[x] for x in column.labels]
    table[MISSING], table[NUMBER] = width - 1, 0
    cells = table[column.codes]
    number = column.is_number
    if bool(number.all()):
        return np.searchsorted(ends, column.numbers).astype(np.int64, copy=False)
    if bool(number.any()):
        cells[number] = np.searchsorted(ends, column.numbers[number])
    return cells


def tables(
    files: Files, names: Sequence[str] | str | None, measure: str, *, ways: int, bins: int, spread: Spread
) -> tuple[Iterator[Table], tuple[str, ...]]:
    """Give the tables of all variables, or of all pairs of them, and notes on how categories were compared.

    Args:
        files: both files.
        names: the variables; None: all but free text.
        measure: what the measure is called in messages.
        ways: 1 for single variables, 2 for pairs.
        bins: how many intervals numbers are cut into.
        spread: what is made of released categories that stand for several values.
    """
    made: dict[str, Coded] = {}
    notes: list[str] = []
    for name in chosen(files, names, measure, numeric=False, at_least=ways):
        leaves = leaves_of(files, name, spread)
        made[name] = cells_alike(files.source.columns[name], files.released.columns.get(name), files.source_weights, bins)
        lost = gone(files, name) or merged(name, leaves)
        if lost is not None:
            made[name] = lost_cells(made[name], files.released.n)
            notes.append(f"{lost}; its tables have no cell in common with those of the source")
            continue
        if leaves is not None:
            made[name] = spread_over(made[name], leaves)
        notes += compared(files, name, leaves, spread)
    return (_table(which, [made[n] for n in which], files, measure) for which in combinations(made, ways)), tuple(notes)


def _table(names: tuple[str, ...], coded: list[Coded], files: Files, measure: str) -> Table:
    """Count one table in both files."""
    width = int(np.prod([c.codes for c in coded], dtype=np.float64))
    if width > MOST_CELLS:
        raise UtilityError(
            f"{measure}: the table of {' and '.join(names)} would have {width:,} cells, at most {MOST_CELLS:,} are allowed "
            f"(1 GiB); leave a variable out with variables=[...], or recode it"
        )
    own = _counts([c.source for c in coded], [c.width for c in coded], files.source_weights if files.weighted else None)
    other = _counts(
        [c.released for c in coded], [c.codes for c in coded], files.released_weights if files.weighted else None
    )
    for axis, c in enumerate(coded):
        if c.spread is not None:
            other = np.moveaxis(c.spread.T @ np.moveaxis(other, axis, 0), 0, axis)
    return Table(names, own.ravel(), other.ravel())


def _counts(ids: list[IntArray], widths: list[int], w: FloatArray | None) -> FloatArray:
    """Count the records of each cell."""
    cell = ids[0] if len(ids) == 1 else ids[0] * widths[1] + ids[1]
    found = np.bincount(cell, weights=w, minlength=int(np.prod(widths)))
    return found.astype(np.float64).reshape(widths)


def check_table(ways: int, bins: int, spread: Spread, measure: str) -> None:
    """Raise on settings that make no table."""
    if ways not in (1, 2):
        raise UtilityError(f"{measure}: ways is 1 for single variables or 2 for pairs of them, found {ways}")
    if not isinstance(bins, int) or bins < 1:
        raise UtilityError(f"{measure}: bins is the number of intervals that numbers are cut into, 1 or more; found {bins}")
    if not isinstance(spread, Spread) or isinstance(spread, type):
        raise UtilityError(f"{measure}: spread is SpreadEvenly() or SpreadByCounts(), found {spread!r}")
