"""Only over-estimates are costly, by their square."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.harm.belief.belief import Belief
from confide.harm.costs.cost import finite, pairs, true_amounts
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class OverEstimate:
    """The squared over-estimate, as for the balance of a charge card: 0 below y, (yhat - y)² from it on.

    Lambert 1993, section 6.3.

    >>> OverEstimate().at(100.0, [90.0, 100.0, 112.0]).tolist()
    [0.0, 0.0, 144.0]
    """

    def at(self, y: Any, estimate: Any) -> FloatArray:
        """Give the loss of each estimate."""
        true, inferred = pairs(y, estimate)
        with np.errstate(over="ignore"):
            return finite(np.maximum(inferred - true, 0.0) ** 2, "OverEstimate")

    def expected(self, y: Any, belief: Belief) -> FloatArray:
        """Give E[max(0, X - y)²].

        >>> from confide.harm.belief.normal import NormalBelief
        >>> OverEstimate().expected(100.0, NormalBelief(95.0, 10.0)).round(9).tolist()
        [20.963926003]
        """
        return finite(belief.squared_excess(true_amounts(y, belief)), "OverEstimate")

    def describe(self) -> str:
        """Say what is costly."""
        return "the squared over-estimate"
