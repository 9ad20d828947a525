"""A column of a file: numbers, categories, or both, with missing values.

A topcoded amount is a number for most records and the category "more than 3000" for some. One
representation serves source and released files alike: every record has a number, or the code of
a label, or is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.typing import BoolArray, FloatArray, IntArray, Label

NUMBER = -1
"""The code of a record that holds a number."""
MISSING = -2
"""The code of a record whose value is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Values of one variable over all records.

    >>> column = Column.of_labels(["w", "b", "w", None])
    >>> column.labels, column.codes.tolist()
    (('w', 'b'), [0, 1, 0, -2])
    >>> Column.of_numbers([1.5, float("nan")]).codes.tolist()
    [-1, -2]
    """

    numbers: FloatArray
    """The number of each record; NaN where the record holds a category or nothing."""
    codes: IntArray
    """The position in `labels`, or NUMBER, or MISSING."""
    labels: tuple[Label, ...] = ()
    """The categories that occur or could occur, in order where there is one."""

    @classmethod
    def of_numbers(cls, numbers: Sequence[float] | FloatArray) -> Column:
        """Make a column of numbers; NaN is missing."""
        values = np.asarray(numbers, dtype=np.float64)
        codes = np.where(np.isnan(values), MISSING, NUMBER).astype(np.int64)
        return cls(values, codes)

    @classmethod
    def of_codes(cls, codes: IntArray, labels: Sequence[Label]) -> Column:
        """Make a column of categories from positions in a list of labels."""
        codes = np.asarray(codes, dtype=np.int64)
        return cls(np.full(codes.size, np.nan), codes, tuple(labels))

    @classmethod
    def of_labels(cls, values: Sequence[Label | None], labels: Sequence[Label] | None = None) -> Column:
        """Make a column of categories from the values themselves; None is missing."""
        if labels is None:
            labels = tuple(dict.fromkeys(v for v in values if v is not None))
        place = {label: i for i, label in enumerate(labels)}
        codes = [MISSING if v is None else place[v] for v in values]
        return cls.of_codes(np.array(codes, dtype=np.int64), labels)

    @property
    def size(self) -> int:
        """The number of records."""
        return int(self.codes.size)

    @property
    def is_number(self) -> BoolArray:
        """Which records hold a number."""
        return np.equal(self.codes, NUMBER)

    @property
    def is_missing(self) -> BoolArray:
        """Which records hold nothing."""
        return np.equal(self.codes, MISSING)

    def take(self, rows: IntArray) -> Column:
        """Keep the given rows, in the given order."""
        return Column(self.numbers[rows], self.codes[rows], self.labels)

    def append(self, other: Column) -> Column:
        """Put the records of another column below this one's."""
        aligned = other.relabelled(tuple(dict.fromkeys((*self.labels, *other.labels))))
        numbers = np.concatenate([self.numbers, aligned.numbers])
        return Column(numbers, np.concatenate([self.codes, aligned.codes]), aligned.labels)

    def relabelled(self, labels: tuple[Label, ...]) -> Column:
        """Express the codes in another list of labels that holds all of this one's."""
        if labels == self.labels:
            return self
        place = {label: i for i, label in enumerate(labels)}
        table = np.array([place[label] for label in self.labels] + [MISSING, NUMBER], dtype=np.int64)
        return Column(self.numbers, table[self.codes], labels)

    def with_codes(self, rows: BoolArray, label: Label) -> Column:
        """Replace the values of some records by one category."""
        labels = self.labels if label in self.labels else (*self.labels, label)
        codes = np.where(rows, labels.index(label), self.codes)
        return Column(np.where(rows, np.nan, self.numbers), codes, labels)

    def with_numbers(self, rows: BoolArray, numbers: FloatArray) -> Column:
        """Replace the values of some records by numbers (given for all records)."""
        codes = np.where(rows, NUMBER, self.codes)
        return Column(np.where(rows, numbers, self.numbers), codes, self.labels)

    def values(self) -> list[Label | None]:
        """Give the values as Python objects."""
        whole = self.is_whole()
        return [
            None if c == MISSING else (int(x) if whole else float(x)) if c == NUMBER else self.labels[c]
            for x, c in zip(self.numbers.tolist(), self.codes.tolist(), strict=True)
        ]

    def is_whole(self) -> bool:
        """Say whether all numbers are whole."""
        x = self.numbers[self.is_number]
        return bool(np.all(x == np.rint(x)) and np.all(np.abs(x) < 2.0**53))

    def as_labels(self) -> Column:
        """Take numbers as categories, in their order and before the labels there are.

        >>> Column.of_numbers([2.0, 1.0, float("nan")]).as_labels().values()
        [2, 1, None]
        """
        number = self.is_number
        if not number.any():
            return self
        distinct, place = np.unique(self.numbers[number], return_inverse=True)
        found = [int(x) if x.is_integer() else x for x in distinct.tolist()]
        labels: tuple[Label, ...] = tuple(dict.fromkeys((*found, *self.labels)))
        codes = self.relabelled(labels).codes.copy()
        codes[number] = place
        return Column.of_codes(codes, labels)

    def as_numbers(self) -> Column:
        """Take categories that are numbers, such as ages in a small file, as numbers; other categories stay.

        >>> Column.of_labels([30, 40, "more than 90", None]).as_numbers().numbers.tolist()
        [30.0, 40.0, nan, nan]
        """
        is_number = [isinstance(x, int | float) and not isinstance(x, bool) for x in self.labels]
        if not any(is_number):
            return self
        rest = tuple(x for x, number in zip(self.labels, is_number, strict=True) if not number)
        places = np.cumsum(np.logical_not(is_number)) - 1
        code = np.array([*np.where(is_number, NUMBER, places), MISSING, NUMBER], dtype=np.int64)
        value = [float(x) if number else np.nan for x, number in zip(self.labels, is_number, strict=True)]
        numbers = np.where(self.is_number, self.numbers, np.array([*value, np.nan, np.nan])[self.codes])
        return Column(numbers, code[self.codes], rest)

    def profile(self) -> tuple[IntArray, Column]:
        """Give each record the position of its value among the distinct values.

        >>> positions, distinct = Column.of_numbers([5.0, 3.0, 5.0]).profile()
        >>> positions.tolist(), distinct.numbers.tolist()
        ([1, 0, 1], [3.0, 5.0])
        """
        number = self.is_number
        distinct, inverse = np.unique(self.numbers[number], return_inverse=True)
        coded, coded_inverse = np.unique(self.codes[~number], return_inverse=True)
        positions = np.empty(self.size, dtype=np.int64)
        positions[number] = inverse
        positions[~number] = distinct.size + coded_inverse
        numbers = np.concatenate([distinct, np.full(coded.size, np.nan)])
        codes = np.concatenate([np.full(distinct.size, NUMBER, dtype=np.int64), coded])
        return positions, Column(numbers, codes, self.labels)
