"""When a guess of a number is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from confide.errors import IntruderError
from confide.typing import FloatArray


class Tolerance(Protocol):
    """How far a guess may be off."""

    def reach(self, true: FloatArray) -> FloatArray:
        """Give the largest distance of a right guess from each true number."""
        ...

    def describe(self) -> str:
        """Say it in words."""
        ...


@dataclass(frozen=True, slots=True)
class WithinShare:
    """A guess is right when it is off by at most a share of the true number; of nought only nought is right.

    >>> WithinShare(0.05).reach(np.array([200.0, 0.0])).tolist()
    [10.0, 0.0]
    """

    share: float = 0.05
    """The share."""

    def __post_init__(self) -> None:
        """Check the share."""
        _check("WithinShare", self.share)

    def reach(self, true: FloatArray) -> FloatArray:
        """Give the largest distance of a right guess from each true number."""
        return np.asarray(self.share * np.abs(true))

    def describe(self) -> str:
        """Say it in words."""
        return f"within {100 * self.share:g} per cent"


@dataclass(frozen=True, slots=True)
class WithinAmount:
    """A guess is right when it is off by at most an amount.

    >>> WithinAmount(1000).reach(np.array([200.0, 0.0])).tolist()
    [1000.0, 1000.0]
    """

    amount: float
    """The amount."""

    def __post_init__(self) -> None:
        """Check the amount."""
        _check("WithinAmount", self.amount)

    def reach(self, true: FloatArray) -> FloatArray:
        """Give the largest distance of a right guess from each true number."""
        return np.full(true.shape, float(self.amount))

    def describe(self) -> str:
        """Say it in words."""
        return f"within {self.amount:g}"


def _check(name: str, value: float) -> None:
    """Raise unless a tolerance is finite and not negative."""
    if not (np.isfinite(value) and value >= 0):
        raise IntruderError(f"{name}: give a finite number of 0 or more, found {value}")
