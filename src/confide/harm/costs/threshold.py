"""To be thought above a threshold is costly."""

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


@dataclass(frozen=True, slots=True)
class Threshold:
    """A fixed loss L when the inferred amount is above T; none at T.

    Lambert 1993, section 6.3; with a loss of 1 that of Reiter 2005, section 5. Lambert's text speaks of the
    true amount, the formula of the inferred one, and the formula is followed (erratum 12).

    >>> Threshold(above=50.0, loss=7.0).at(0.0, [49.0, 50.0, 50.1]).tolist()
    [0.0, 0.0, 7.0]
    """

    above: float
    """T."""
    loss: float = 1.0
    """L."""

    def __post_init__(self) -> None:
        """Check both numbers."""
        fine = isinstance(self.above, int | float | np.number) and math.isfinite(self.above)
        faults = [] if fine else [f"Threshold: above must be a finite number; found {self.above!r}"]
        raise_all([*faults, *cost_fault("Threshold: loss", self.loss)], HarmError)

    def at(self, y: Any, estimate: Any) -> FloatArray:
        """Give the loss of each estimate."""
        return np.where(pairs(y, estimate)[1] > self.above, float(self.loss), 0.0)

    def expected(self, y: Any, belief: Belief) -> FloatArray:
        """Give L P[X > T].

        >>> from confide.harm.belief.normal import NormalBelief
        >>> Threshold(above=50.0, loss=7.0).expected(0.0, NormalBelief(50.0, 3.0)).tolist()
        [3.5]
        """
        true_amounts(y, belief)
        return np.asarray(self.loss * belief.tail(self.above), dtype=np.float64)

    def describe(self) -> str:
        """Say what is costly."""
        return f"{self.loss:g} when the inferred amount is above {self.above:g}"
