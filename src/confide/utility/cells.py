"""Tables of both files: the same cells, numbers cut at quantiles of the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from confide.data.column import MISSING, NUMBER, Column
from confide.errors import UtilityError
from confide.typing import FloatArray, IntArray
from confide.utility.estimates import in_order
from confide.utility.files import Files, chosen

MOST_CELLS = 2**27
"""A table of two variables may have this many cells (1 GiB)."""


class Coded(NamedTuple):
    """One variable in both files, as cells counted from 0."""

    source: IntArray
    """The cell of each source record."""
    released: IntArray | None
    """The cell of each released record; None where the variable is not released."""
    width: int
    """How many cells there are."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Weighted counts of both files over the same cells."""

    names: tuple[str, ...]
    """The variables."""
    source: FloatArray
    """The count of each cell in the source."""
    released: FloatArray | None
    """The count of each cell in the release; None where a variable is not released."""


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
    """Give the cells of a variable: intervals of numbers, then labels, then missing.

    >>> a, b = Column.of_labels(["m", "f", None]), Column.of_labels(["f", "f", "x"])
    >>> cells_alike(a, b, np.ones(3), 10)
    Coded(source=array([0, 1, 3]), released=array([1, 1, 2]), width=4)
    """
    labels = tuple(dict.fromkeys((*source.labels, *(() if released is None else released.labels))))
    known = source.is_number & (w > 0)
    held = released is not None and bool(released.is_number.any())
    ends = cut(source.numbers[known], w[known], bins) if bool(known.any()) else np.empty(0)
    first = ends.size + 1 if bool(source.is_number.any()) or held else 0
    width = first + len(labels) + 1
    found = [_cells(c, ends, labels, first, width) for c in (source, released) if c is not None]
    return Coded(found[0], found[1] if len(found) > 1 else None, width)


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


def tables(files: Files, names: Sequence[str] | str | None, measure: str, *, ways: int, bins: int) -> Iterator[Table]:
    """Give the tables of all variables, or of all pairs of them.

    Args:
        files: both files.
        names: the variables; None: all but free text.
        measure: what the measure is called in messages.
        ways: 1 for single variables, 2 for pairs.
        bins: how many intervals numbers are cut into.
    """
    found = chosen(files, names, measure, numeric=False, at_least=ways)
    made = {
        name: cells_alike(files.source.columns[name], files.released.columns.get(name), files.source_weights, bins)
        for name in found
    }
    for which in combinations(found, ways):
        yield _table(which, [made[name] for name in which], files, measure)


def _table(names: tuple[str, ...], coded: list[Coded], files: Files, measure: str) -> Table:
    """Count one table in both files."""
    width = int(np.prod([c.width for c in coded], dtype=np.float64))
    if width > MOST_CELLS:
        raise UtilityError(
            f"{measure}: the table of {' and '.join(names)} would have {width:,} cells, at most {MOST_CELLS:,} are allowed "
            f"(1 GiB); leave a variable out with variables=[...], or recode it"
        )
    own = _counts([c.source for c in coded], coded, files.source_weights, width, files.weighted)
    given = [c.released for c in coded if c.released is not None]
    if len(given) < len(coded):
        return Table(names, own, None)
    return Table(names, own, _counts(given, coded, files.released_weights, width, files.weighted))


def _counts(ids: list[IntArray], coded: list[Coded], w: FloatArray, width: int, weighted: bool) -> FloatArray:  # noqa: FBT001
    """Count the records of each cell."""
    cell = ids[0] if len(ids) == 1 else ids[0] * coded[1].width + ids[1]
    return np.bincount(cell, weights=w if weighted else None, minlength=width).astype(np.float64)


def check_table(ways: int, bins: int, measure: str) -> None:
    """Raise on settings that make no table."""
    if ways not in (1, 2):
        raise UtilityError(f"{measure}: ways is 1 for single variables or 2 for pairs of them, found {ways}")
    if not isinstance(bins, int) or bins < 1:
        raise UtilityError(f"{measure}: bins is the number of intervals that numbers are cut into, 1 or more; found {bins}")
