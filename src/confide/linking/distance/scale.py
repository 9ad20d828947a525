"""What the differences of a numeric variable are divided by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from confide.typing import FloatArray


class Scale(Protocol):
    """A unit for differences."""

    what: ClassVar[str]

    def of(self, source: FloatArray, released: FloatArray) -> float:
        """Give the unit from the numbers of both files that are not missing."""
        ...


@dataclass(frozen=True, slots=True)
class BySd:
    """Divide by the standard deviation (n - 1): the variable is standardised.

    >>> BySd().of(np.array([1.0, 2.0, 3.0]), np.array([]))
    1.0
    """

    both: bool = False
    """Whether the deviation is that of both files together; otherwise that of the source file."""
    what: ClassVar[str] = "standard deviation"

    def of(self, source: FloatArray, released: FloatArray) -> float:
        """Give the standard deviation; NaN for fewer than two numbers."""
        x = np.concatenate([source, released]) if self.both else source
        return float(np.std(x, ddof=1)) if x.size > 1 else float("nan")


@dataclass(frozen=True, slots=True)
class ByRange:
    """Divide by the range, the largest minus the smallest number.

    >>> ByRange().of(np.array([1.0, 2.0, 3.0]), np.array([]))
    2.0
    """

    both: bool = False
    """Whether the range is that of both files together; otherwise that of the source file."""
    what: ClassVar[str] = "range"

    def of(self, source: FloatArray, released: FloatArray) -> float:
        """Give the range; NaN where there are no numbers."""
        x = np.concatenate([source, released]) if self.both else source
        return float(np.ptp(x)) if x.size else float("nan")


@dataclass(frozen=True, slots=True)
class Unscaled:
    """Take differences as they are."""

    what: ClassVar[str] = "unit"

    def of(self, source: FloatArray, released: FloatArray) -> float:
        """Give one."""
        del source, released
        return 1.0
