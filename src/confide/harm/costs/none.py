"""Nothing is costly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.harm.belief.belief import Belief
from confide.harm.costs.cost import pairs, true_amounts
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class NoCost:
    """No loss, whatever is inferred; for false re-identifications where only true ones are to count.

    >>> NoCost().at(100.0, [90.0, 112.0]).tolist()
    [0.0, 0.0]
    """

    def at(self, y: Any, estimate: Any) -> FloatArray:
        """Give the loss of each estimate."""
        return np.zeros(pairs(y, estimate)[0].size)

    def expected(self, y: Any, belief: Belief) -> FloatArray:
        """Give no loss."""
        return np.zeros(true_amounts(y, belief).size)

    def describe(self) -> str:
        """Say what is costly."""
        return "nothing"
