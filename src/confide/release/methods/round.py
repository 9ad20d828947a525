"""Round numbers to multiples of a base."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.release.columnwise import ColumnStep
from confide.release.decimals import EXACT, MOST_STEPS, Steps, by_value, printed
from confide.release.method import the_numbers
from confide.release.vary import Varying
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class Round(Varying):
    """Release the nearest multiple of a base; halves go to the even multiple.

    Numbers are rounded in decimals, as they print: to multiples of .1, the value .15 is a half and goes to .2, and what
    is released prints as a multiple of .1. A multiple of more digits than a number holds, as those of 1/3, is released as
    the number nearest to it.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"tax": [549.0, 551.0]}).declare(kinds={"tax": "continuous"})
    >>> cf.Release(cf.Round("tax", to=100)).apply(data, seed=1).data.column("tax").values()
    [500, 600]
    """

    variable: str
    """The variable that is rounded."""
    to: float
    """The base."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        if not (math.isfinite(self.to) and self.to > 0):
            raise ReleaseError(f"Round {self.variable!r}: the base must be positive, found {self.to}")

    @property
    def variables(self) -> tuple[str, ...]:
        """The variable that is rounded."""
        return (self.variable,)

    def describe(self) -> str:
        """Say in one line what is done."""
        return f"round {self.variable} to multiples of {self.to:g}"

    def bind(self, data: Microdata) -> ColumnStep:
        """Check that the variable holds numbers."""
        the_numbers(data, self.variable, self)
        return ColumnStep(self.variable, Rounded(self.to))


@dataclass(frozen=True, slots=True, eq=False)
class Rounded:
    """Numbers become multiples of the base; all else passes."""

    to: float

    def push(self, column: Column) -> Column:
        """Round the numbers."""
        number = column.is_number
        rounded = by_value(self._rounded, column.numbers[number])
        if not bool(np.all(np.isfinite(rounded))):
            raise ReleaseError(
                f"Round to multiples of {self.to:g}: the variable holds numbers of {MOST_STEPS:.0e} times the base or more, "
                "or rounds to such as no number can hold; give another base, or topcode the variable first"
            )
        numbers = column.numbers.copy()
        numbers[number] = rounded
        return column.with_numbers(number, numbers)

    def preimage(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Give the first and the last number that round to each value; NaN where it is no multiple."""
        return by_value(lambda z: self._sources(z)[0], column.numbers), by_value(
            lambda z: self._sources(z)[1], column.numbers
        )

    def passes(self) -> tuple[float, float]:
        """Say that all numbers stay numbers."""
        return -np.inf, np.inf

    @property
    def _multiples(self) -> Steps:
        """The multiples of the base."""
        return Steps(Decimal(0), printed(self.to))

    @property
    def _halves(self) -> Steps:
        """What lies half-way before each multiple."""
        half = EXACT.multiply(printed(self.to), Decimal("0.5"))
        return Steps(-half, printed(self.to))

    def _rounded(self, x: FloatArray) -> FloatArray:
        """Give the nearest multiples of the base, of two the even one; NaN where they cannot be told."""
        k = self._halves.number(x)
        known = ~np.isnan(k)
        k[known] -= self._halves.is_on(x[known], k[known]) & (k[known] % 2 == 1)
        k[known] = self._multiples.nearest(k[known])
        return k

    def _sources(self, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give the first and the last number that round to each of some values."""
        k = self._halves.number(z)
        known = ~np.isnan(k)
        known[known] = self._multiples.nearest(k[known]) == z[known]
        low, high, k = np.full(z.size, np.nan), np.full(z.size, np.nan), k[known]
        even, halves = k % 2 == 0, self._halves
        low[known] = np.where(even, halves.first(k), halves.after(k))
        high[known] = np.nextafter(np.where(even, halves.after(k + 1), halves.first(k + 1)), -np.inf)
        return low, high
