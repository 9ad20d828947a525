"""Every error is costly, by its size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.harm.belief.belief import Belief
from confide.harm.costs.cost import finite, pairs, true_amounts
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class AbsoluteError:
    """How far the inferred amount is from the true one, the size of yhat - y.

    >>> AbsoluteError().at(100.0, [90.0, 112.0]).tolist()
    [10.0, 12.0]
    """

    def at(self, y: Any, estimate: Any) -> FloatArray:
        """Give the loss of each estimate."""
        true, inferred = pairs(y, estimate)
        with np.errstate(over="ignore"):
            return finite(np.abs(inferred - true), "AbsoluteError")

    def expected(self, y: Any, belief: Belief) -> FloatArray:
        """Give E|X - y|.

        >>> from confide.harm.belief.normal import NormalBelief
        >>> AbsoluteError().expected(0.0, NormalBelief(0.0, 1.0)).round(6).tolist()
        [0.797885]
        """
        true = true_amounts(y, belief)
        return finite(belief.excess(true) + belief.shortfall(true), "AbsoluteError")

    def describe(self) -> str:
        """Say what is costly."""
        return "the absolute error"
