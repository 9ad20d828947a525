"""Take released values as they stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.harm.belief import PointBelief
from confide.harm.reading.reading import Amounts
from confide.harm.sensitive import Sensitive
from confide.release.coding import middle
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class AsReleased:
    """Read the value from the record: t(y) = y of Duncan and Lambert (1987, section 5.1), q = 1 of Lambert (1993).

    An amount released as a range is read as its middle; of an open range, the end that is known.

    >>> AsReleased().describe()
    'takes released values as they stand'
    """

    def amounts(self, attribute: Sensitive) -> Amounts:
        """Give the released numbers."""
        estimate = numbers(attribute)
        return Amounts(estimate, PointBelief(np.nan_to_num(estimate)))

    def categories(self, attribute: Sensitive) -> FloatArray:
        """Give the released categories probability one."""
        found = np.zeros((attribute.records.n, len(attribute.levels)))
        codes = attribute.released_codes
        rows = np.flatnonzero(codes >= 0)
        found[rows, codes[rows]] = 1.0
        return found

    def describe(self) -> str:
        """Say it in words."""
        return "takes released values as they stand"


def numbers(attribute: Sensitive) -> FloatArray:
    """Give one number for each released value: itself, the middle of a range, or its known end; NaN: none."""
    found = middle(*ranges(attribute))
    column = attribute.released
    return found if column is None else np.where(column.is_number, column.numbers, found)


def ranges(attribute: Sensitive) -> tuple[FloatArray, FloatArray]:
    """Give the range of amounts that each released value stands for; NaN: none, as for missing values.

    Of a number with noise it is what entered the last steps, not the true amount.
    """
    column = attribute.released
    if column is None:
        nothing = np.full(attribute.records.n, np.nan)
        return nothing, nothing.copy()
    composite = attribute.composite
    number = column.is_number
    low, high = np.where(number, column.numbers, np.nan), np.where(number, column.numbers, np.nan)
    last = composite.after if composite.core is not None else composite.before
    if len(last) == 1:
        a, b = last[0].preimage(column)
        low, high = np.where(np.isnan(a), low, a), np.where(np.isnan(b), high, b)
    # a category may stem from any step that makes categories of numbers
    for step in reversed((*composite.before, *composite.after)):
        a, b = step.preimage(column)
        empty = np.isnan(low) & ~number
        low, high = np.where(empty, a, low), np.where(empty, b, high)
    return low, high
