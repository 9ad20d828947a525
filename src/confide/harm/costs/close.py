"""An accurate inference is costly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import HarmError, raise_all
from confide.harm.belief.belief import Belief
from confide.harm.check import cost_fault
from confide.harm.costs.cost import pairs, true_amounts
from confide.typing import FloatArray

ROUNDING = 1e-15
"""So much of the amounts may be lost in writing them down; 1.1 is within 10 per cent of 1."""


@dataclass(frozen=True, slots=True)
class Close:
    """A fixed loss when the inferred amount is so close to the true one that it is known.

    >>> Close(within=0.1).at(100.0, [89.0, 90.0, 100.0, 110.0, 111.0]).tolist()
    [0.0, 1.0, 1.0, 1.0, 0.0]
    """

    within: float
    """How close is close: a share of the true amount, or an amount."""
    loss: float = 1.0
    """What it costs to be known."""
    relative: bool = True
    """Whether `within` is a share of the size of the true amount; else it is an amount."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        fine = isinstance(self.within, int | float | np.number) and math.isfinite(self.within) and self.within >= 0
        faults = [] if fine else [f"Close: within must be a finite number, 0 or more; found {self.within!r}"]
        raise_all([*faults, *cost_fault("Close: loss", self.loss)], HarmError)

    def at(self, y: Any, estimate: Any) -> FloatArray:
        """Give the loss of each estimate."""
        true, inferred = pairs(y, estimate)
        low, high = self._range(true)
        return np.where((low <= inferred) & (inferred <= high), float(self.loss), 0.0)

    def expected(self, y: Any, belief: Belief) -> FloatArray:
        """Give the loss times the probability of the range around y.

        >>> from confide.harm.belief.uniform import UniformBelief
        >>> Close(within=0.1).expected(100.0, UniformBelief(0.0, 200.0)).round(9).tolist()
        [0.1]
        """
        return np.asarray(self.loss * belief.mass(*self._range(true_amounts(y, belief))), dtype=np.float64)

    def describe(self) -> str:
        """Say what is costly."""
        width = f"{self.within:.6g} of the true amount" if self.relative else f"{self.within:g}"
        return f"{self.loss:g} when the inferred amount is within {width}"

    def _range(self, true: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give the closed range around each true amount."""
        with np.errstate(over="ignore"):
            width = self.within * np.abs(true) if self.relative else np.full(true.shape, float(self.within))
            width = width + ROUNDING * (np.abs(true) + width) * (width > 0)
            return np.asarray(true - width, dtype=np.float64), np.asarray(true + width, dtype=np.float64)
