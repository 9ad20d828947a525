"""Records of both files as rows of a sparse design: one entry for each variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import MISSING, Column
from confide.errors import UtilityError
from confide.typing import AnyArray, FloatArray, IntArray

MOST_COLUMNS = 2_000
"""A model may have this many coefficients: a matrix of them has 32 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The design of a logistic regression; column 0 is the intercept."""

    index: AnyArray
    """For each record and variable, which of the variable's columns is not zero; -1: none."""
    value: FloatArray
    """For each record and variable, what stands in that column."""
    start: IntArray
    """The first column of each variable."""
    width: IntArray
    """How many columns each variable has."""
    pair: IntArray
    """The first column of each pair of variables, as a table, squares on the diagonal; -1: none."""
    columns: int
    """The number of all columns."""


def features(source: Sequence[Column], released: Sequence[Column], *, interactions: bool) -> Features:
    """Put both files below each other.

    A number enters with a slope, in standard units of both files together; missing, and every category but the first,
    with an indicator. Interactions are products of the entries of two variables, and squares of numbers.

    Args:
        source: the variables in the source.
        released: the same variables in the release.
        interactions: whether products of two variables and squares enter.
    """
    n = source[0].size + released[0].size
    index = np.empty((n, len(source)), dtype=np.int32)
    value = np.empty((n, len(source)))
    width = np.empty(len(source), dtype=np.int64)
    for j, (a, b) in enumerate(zip(source, released, strict=True)):
        index[:, j], value[:, j], width[j] = _entries(a.append(b))
    start = 1 + np.concatenate([[0], np.cumsum(width)[:-1]])
    columns = 1 + int(width.sum())
    pair = np.full((len(source), len(source)), -1, dtype=np.int64)
    if interactions:
        for j in range(len(source)):
            if bool(source[j].is_number.any()) or bool(released[j].is_number.any()):
                pair[j, j] = columns
                columns += 1
            for k in range(j + 1, len(source)):
                pair[j, k] = columns
                columns += int(width[j] * width[k])
    if columns > MOST_COLUMNS:
        raise UtilityError(
            f"the propensity score would need {columns:,} coefficients, at most {MOST_COLUMNS:,} are allowed; leave "
            "variables with many categories out with variables=[...]"
            + (", or give interactions=False" if interactions else "")
        )
    return Features(index, value, start.astype(np.int64), width, pair, columns)


def _entries(column: Column) -> tuple[IntArray, FloatArray, int]:
    """Give the entry of each record for one variable, and the number of columns."""
    number = column.is_number
    holes, held = bool(column.is_missing.any()), bool(number.any())
    used = np.unique(column.codes[column.codes >= 0])
    table = np.full(len(column.labels) + 2, -1, dtype=np.int64)
    # numbers come first; without numbers the first category has no column
    table[used] = np.arange(used.size) + (1 if held else -1)
    width = used.size + (1 if held else -1)
    if holes:
        table[MISSING] = max(width, 0) if held or used.size else -1
        width += 1
    index = table[column.codes]
    value = np.ones(column.size)
    if held:
        x = column.numbers[number]
        if bool(np.isinf(x).any()):
            raise UtilityError("the propensity score takes finite numbers; set infinite values missing")
        sd = float(x.std())
        index[number] = 0
        value[number] = (x - x.mean()) / sd if sd > 1e-12 * abs(float(x.mean())) else 0.0
    return index, value, max(width, 0)
