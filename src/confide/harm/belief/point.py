"""An intruder who is sure of an amount."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.harm.belief.belief import CostFunction
from confide.harm.belief.parameters import at, finite_at, parameters
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False, init=False)
class PointBelief:
    """All probability on one amount: the expected cost is the cost of the estimate.

    >>> PointBelief([90.0, 112.0]).excess(100).tolist()
    [0.0, 12.0]
    """

    value: FloatArray
    """The amount, for each pair."""

    def __init__(self, value: Any) -> None:
        """Check the amounts and keep a copy."""
        (found,) = parameters("PointBelief", value=value)
        object.__setattr__(self, "value", found)

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return int(self.value.size)

    @property
    def mean(self) -> FloatArray:
        """E[X]."""
        return self.value

    def take(self, rows: Any) -> PointBelief:
        """Give the beliefs about some pairs."""
        return PointBelief(self.value[rows])

    def cdf(self, t: Any) -> FloatArray:
        """P[X <= t]."""
        return np.asarray(self.value <= at(t, self.size), dtype=np.float64)

    def tail(self, t: Any) -> FloatArray:
        """P[X > t]."""
        return np.asarray(self.value > at(t, self.size), dtype=np.float64)

    def mass(self, low: Any, high: Any) -> FloatArray:
        """P[low <= X <= high]."""
        return np.asarray((at(low, self.size) <= self.value) & (self.value <= at(high, self.size)), dtype=np.float64)

    def partial_first(self, t: Any) -> FloatArray:
        """E[X; X <= t]."""
        return np.asarray(self.value * self.cdf(t), dtype=np.float64)

    def partial_second(self, t: Any) -> FloatArray:
        """E[X²; X <= t]."""
        return np.asarray(self.value**2 * self.cdf(t), dtype=np.float64)

    def excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)]."""
        return np.asarray(np.maximum(self.value - finite_at(t, self.size), 0.0), dtype=np.float64)

    def shortfall(self, t: Any) -> FloatArray:
        """E[max(0, t - X)]."""
        return np.asarray(np.maximum(finite_at(t, self.size) - self.value, 0.0), dtype=np.float64)

    def squared_excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)²]."""
        return np.asarray(self.excess(t) ** 2, dtype=np.float64)

    def squared_error(self, t: Any) -> FloatArray:
        """E[(X - t)²]."""
        return np.asarray((self.value - finite_at(t, self.size)) ** 2, dtype=np.float64)

    def expect(self, cost: CostFunction, y: Any, kinks: FloatArray | None = None) -> FloatArray:  # noqa: ARG002
        """E[c(y, X)]: the cost of the amount."""
        return np.asarray(cost(finite_at(y, self.size), self.value), dtype=np.float64)
