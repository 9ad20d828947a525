"""Round numbers to multiples of a base."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.release.columnwise import ColumnStep
from confide.release.method import the_numbers
from confide.release.vary import Varying
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class Round(Varying):
    """Release the nearest multiple of a base; halves go to the even multiple.

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
        return column.with_numbers(column.is_number, np.rint(column.numbers / self.to) * self.to)

    def preimage(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Give the numbers that round to each value."""
        return column.numbers - self.to / 2, column.numbers + self.to / 2

    def passes(self) -> tuple[float, float]:
        """Say that all numbers stay numbers."""
        return -np.inf, np.inf
