"""Only over-estimates are costly, by their size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.harm.belief.belief import Belief
from confide.harm.costs.cost import finite, pairs, true_amounts
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class Excess:
    """The amount by which the inferred amount exceeds the true one: max(0, yhat - y).

    Lambert 1993, section 6.3.

    >>> Excess().at([10.0, 20.0], [12.0, 19.0]).tolist()
    [2.0, 0.0]
    """

    def at(self, y: Any, estimate: Any) -> FloatArray:
        """Give the loss of each estimate."""
        true, inferred = pairs(y, estimate)
        with np.errstate(over="ignore"):
            return finite(np.maximum(inferred - true, 0.0), "Excess")

    def expected(self, y: Any, belief: Belief) -> FloatArray:
        """Give E[max(0, X - y)].

        >>> from confide.harm.belief.uniform import UniformBelief
        >>> Excess().expected(5.0, UniformBelief(0.0, 10.0)).tolist()
        [1.25]
        """
        return finite(belief.excess(true_amounts(y, belief)), "Excess")

    def describe(self) -> str:
        """Say what is costly."""
        return "the over-estimate"
