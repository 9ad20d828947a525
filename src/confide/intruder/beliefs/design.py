"""Turn columns into a matrix of covariates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import NUMBER, Column
from confide.typing import FloatArray, IntArray, Label

MOST_INDICATORS = 100
"""A factor keeps this many of its most frequent levels; the rest share one indicator."""


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """How one column enters: a line for its numbers, indicators for its categories."""

    centre: float
    spread: float
    levels: tuple[Label | None, ...]

    @classmethod
    def of(cls, column: Column) -> Term:
        """Learn the spread of the numbers and the levels of the categories."""
        number = column.is_number
        x = column.numbers[number]
        spread = float(x.std()) if x.size else 0.0
        codes, counts = np.unique(column.codes[~number], return_counts=True)
        kept = codes[np.argsort(-counts, kind="stable")][:MOST_INDICATORS]
        levels = [column.labels[c] if c >= 0 else None for c in kept]
        # one level is the reference when there are no numbers to refer to
        reference = 0 if number.any() else 1
        return cls(float(x.mean()) if x.size else 0.0, spread, tuple(levels[reference:]))

    def columns(self, column: Column) -> list[FloatArray]:
        """Give the covariates of a column."""
        number = column.is_number
        out: list[FloatArray] = []
        if self.spread > 0:
            out.append(np.where(number, (column.numbers - self.centre) / self.spread, 0.0))
        for level in self.levels:
            code = -2 if level is None else column.labels.index(level) if level in column.labels else -99
            out.append((column.codes == code).astype(np.float64))
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Covariates of several columns, with an intercept first.

    >>> design = Design.of([Column.of_labels(["a", "b", "a"]), Column.of_numbers([1.0, 2.0, 3.0])])
    >>> design.matrix([Column.of_labels(["a"]), Column.of_numbers([2.0])]).tolist()
    [[1.0, 0.0, 0.0]]
    """

    terms: tuple[Term, ...]

    @classmethod
    def of(cls, columns: Sequence[Column]) -> Design:
        """Learn the terms from the source file."""
        return cls(tuple(Term.of(c) for c in columns))

    def matrix(self, columns: Sequence[Column], n: int | None = None) -> FloatArray:
        """Give the matrix of covariates."""
        size = columns[0].size if columns else int(n or 0)
        parts = [np.ones(size)]
        for term, column in zip(self.terms, columns, strict=True):
            parts += [np.nan_to_num(x) for x in term.columns(column)]
        return np.column_stack(parts)


def class_column(classes: IntArray) -> Column:
    """Make a column of the class codes of a noisy variable."""
    distinct, inverse = np.unique(classes, return_inverse=True)
    return Column.of_codes(inverse.astype(np.int64), [int(c) for c in distinct])


def is_amount(column: Column) -> bool:
    """Say whether a column holds any number."""
    return bool(np.any(column.codes == NUMBER))
