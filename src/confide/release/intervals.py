"""Intervals of numbers as channels: equal ones by their width, unequal ones between breaks."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise

import numpy as np

from confide.data.column import MISSING, Column
from confide.errors import ReleaseError
from confide.release.decimals import EXACT, MOST_STEPS, Steps, printed, written
from confide.typing import FloatArray, IntArray, Label


def interval_name(a: Decimal, b: Decimal, *, whole: bool) -> str:
    """Name an interval: '40-44' for whole numbers, '[40, 45)' otherwise.

    >>> interval_name(Decimal(40), Decimal(45), whole=True), interval_name(Decimal("0.5"), Decimal(1), whole=False)
    ('40-44', '[0.5, 1)')
    """
    if whole and a >= 0 and a == a.to_integral_value():
        if b.is_infinite():
            return f"{a:.0f}+"
        if b == b.to_integral_value():
            last = EXACT.subtract(b, Decimal(1))
            return f"{a:.0f}" if a == last else f"{a:.0f}-{last:.0f}"
    return f"[{written(a)}, {written(b)})"


def is_whole_name(label: Label) -> bool:
    """Say whether a label names an interval of whole numbers, as '40-44', '40' and '90+' do.

    >>> [is_whole_name(x) for x in ("40-44", "40", "90+", "[40, 45)", "more than 90")]
    [True, True, True, False, False]
    """
    parts = str(label).removesuffix("+").split("-")
    return len(parts) <= 2 and all(part.isascii() and part.isdigit() for part in parts)


def lower_end(label: Label) -> Decimal | None:
    """Read the lower end from the name of an interval; None where there is none.

    >>> [lower_end(x) for x in ("40-44", "[-0.1, 0.2)", "90+", "other")]
    [Decimal('40'), Decimal('-0.1'), Decimal('90'), None]
    """
    name = str(label)
    try:
        return Decimal(
            name[1:].split(",", maxsplit=1)[0] if name.startswith("[") else name.rstrip("+").split("-", maxsplit=1)[0]
        )
    except InvalidOperation:
        return None


@dataclass(frozen=True, slots=True, eq=False)
class EqualIntervals:
    """Numbers become intervals of one width; categories and missing values pass."""

    steps: Steps
    """The ends of the intervals."""
    whole: bool
    """Whether the intervals are named as those of whole numbers."""

    def name(self, k: int) -> str:
        """Name an interval by its number."""
        return interval_name(self.steps.at(k), self.steps.at(k + 1), whole=self.whole)

    def push(self, column: Column) -> Column:
        """Replace numbers by the names of their intervals."""
        number = column.is_number
        distinct, inverse = np.unique(column.numbers[number], return_inverse=True)
        k, which = np.unique(self.steps.number(distinct), return_inverse=True)
        if bool(np.any(np.isnan(k))):
            raise ReleaseError(
                f"Recode in intervals of width {written(self.steps.width)}: the variable holds numbers {MOST_STEPS:.0e} "
                "widths away from zero or more, which have no digit of that place; give a larger width, or topcode the "
                "variable first"
            )
        return _named(column, [self.name(int(x)) for x in k], which[inverse])

    def preimage(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Give the first and the last number in the interval behind each category."""
        k = np.full(len(column.labels), np.nan)
        for code in np.unique(column.codes[column.codes >= 0]):
            k[code] = self._number(column.labels[code])
        low, high = np.full(k.size, np.nan), np.full(k.size, np.nan)
        known = ~np.isnan(k)
        low[known] = self.steps.first(k[known])
        high[known] = np.nextafter(self.steps.first(k[known] + 1), -np.inf)
        return _by_code(column, low), _by_code(column, high)

    def passes(self) -> tuple[float, float]:
        """Say that no number stays a number."""
        return np.inf, -np.inf

    def _number(self, label: Label) -> float:
        """Find the interval that has this name; NaN: none has."""
        end = lower_end(label)
        k = None if end is None else self.steps.place(end)
        return np.nan if k is None or self.name(k) != str(label) else float(k)


@dataclass(frozen=True, slots=True, eq=False)
class BreakIntervals:
    """Numbers become the intervals between breaks; categories and missing values pass, numbers outside become missing."""

    breaks: tuple[float, ...]
    """The ends, increasing."""
    names: tuple[Label, ...]
    """What the intervals are called."""

    @classmethod
    def of(cls, breaks: tuple[float, ...], labels: tuple[Label, ...] | None, *, whole: bool) -> BreakIntervals:
        """Take the labels given, or name the intervals by their ends."""
        ends = [printed(b) for b in breaks]
        names = (interval_name(a, b, whole=whole) for a, b in pairwise(ends))
        return cls(breaks, tuple(names) if labels is None else labels)

    def push(self, column: Column) -> Column:
        """Replace numbers by the names of their intervals."""
        k = np.searchsorted(np.asarray(self.breaks), column.numbers[column.is_number], side="right") - 1
        return _named(column, list(self.names), np.where((k >= 0) & (k < len(self.names)), k, MISSING))

    def preimage(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Give the first and the last number in the interval behind each category."""
        ends = {label: (a, b) for label, a, b in zip(self.names, self.breaks[:-1], self.breaks[1:], strict=True)}
        found = np.array([ends.get(x, (np.nan, np.nan)) for x in column.labels]).reshape(-1, 2)
        return _by_code(column, found[:, 0]), _by_code(column, np.nextafter(found[:, 1], -np.inf))

    def passes(self) -> tuple[float, float]:
        """Say that no number stays a number."""
        return np.inf, -np.inf


def _named(column: Column, names: list[Label], place: IntArray) -> Column:
    """Give numbers the names at their places; labels there are come after the names."""
    labels = tuple(dict.fromkeys((*names, *column.labels)))
    codes = column.relabelled(labels).codes.copy()
    codes[column.is_number] = place
    return Column.of_codes(codes, labels)


def _by_code(column: Column, of_labels: FloatArray) -> FloatArray:
    """Give each record what its label has; NaN for numbers and missing values."""
    return np.concatenate([of_labels, [np.nan, np.nan]])[column.codes]
