"""Every error is costly, by its square."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.harm.belief.belief import Belief
from confide.harm.costs.cost import finite, pairs, true_amounts
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class SquaredError:
    """The squared error of the inferred amount: (yhat - y)².

    >>> SquaredError().at(100.0, [90.0, 112.0]).tolist()
    [100.0, 144.0]
    """

    def at(self, y: Any, estimate: Any) -> FloatArray:
        """Give the loss of each estimate."""
        true, inferred = pairs(y, estimate)
        with np.errstate(over="ignore"):
            return finite((inferred - true) ** 2, "SquaredError")

    def expected(self, y: Any, belief: Belief) -> FloatArray:
        """Give E[(X - y)²].

        >>> from confide.harm.belief.normal import NormalBelief
        >>> SquaredError().expected(100.0, NormalBelief(95.0, 10.0)).tolist()
        [125.0]
        """
        return finite(belief.squared_error(true_amounts(y, belief)), "SquaredError")

    def describe(self) -> str:
        """Say what is costly."""
        return "the squared error"
