"""Decide which columns of a text file hold numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from confide.errors import DataError, raise_all

MOSTLY = 0.9
"""From this share of numbers on, a column that is not all numbers is refused."""
_EXACT = 2.0**53


def type_columns(
    frame: pl.DataFrame, missing: Sequence[str], text: Sequence[str], line_of: Callable[[int], int]
) -> pl.DataFrame:
    """Turn columns of cells into columns of numbers or of text.

    Args:
        frame: cells as they stand in the file.
        missing: cells that mean "no value", besides the empty one.
        text: columns to be left as text.
        line_of: the line of a record, for messages.

    >>> type_columns(pl.DataFrame({"a": ["1", " 2.5"], "zip": ["01", "NA"]}), ["NA"], [], int).rows()
    [(1.0, '01'), (2.5, None)]
    """
    columns: list[pl.Series] = []
    faults: list[str] = []
    for cells in frame.iter_columns():
        stripped = cells.str.strip_chars()
        present = stripped.set(stripped.is_in(["", *missing]), None)
        if cells.name in text:
            columns.append(present)
            continue
        try:
            columns.append(_typed(present, line_of))
        except DataError as error:
            faults.append(str(error))
    raise_all(faults, DataError)
    return pl.DataFrame(columns)


def _typed(cells: pl.Series, line_of: Callable[[int], int]) -> pl.Series:
    """Give numbers where all cells are numbers that can be kept as they are."""
    n = cells.len() - cells.null_count()
    numbers = cells.cast(pl.Float64, strict=False)
    good = numbers.is_finite().fill_null(value=False)
    found = int(good.sum())
    if n == 0 or found < MOSTLY * n:
        return cells
    if found < n:
        bad = (~good & cells.is_not_null()).arg_true()
        raise DataError(
            f"column {cells.name!r}: {found} of {n} cells are numbers and {bad.len()} are not, the first "
            f"on line {line_of(int(bad[0]))}; pass missing=[...] with the texts that mean no value, "
            f"text=[{cells.name!r}] to read the column as text, or mend the file"
        )
    padded = bool(cells.str.contains(r"^[+-]?0\d").any())
    inexact = cells.filter((numbers.abs() > _EXACT).fill_null(value=False))
    long = bool(inexact.str.contains(r"^[+-]?\d+$").any())
    return cells if padded or long else numbers
