"""What every belief about an amount can tell: the pieces of which expected costs are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from confide.typing import FloatArray

CostFunction: TypeAlias = Callable[[FloatArray, FloatArray], FloatArray]
"""c(y, yhat), elementwise; the true amounts and the inferred ones."""


class Belief(Protocol):
    """The posterior density p(y) of a Bayesian intruder, one for each pair (Lambert 1993, section 6.3).

    X is the amount as the intruder believes it. Every method takes one number for each pair, or one for
    all, and gives one number for each pair. Excess and shortfall are there beside the partial moments
    since a difference of two partial moments loses its digits far in a tail.
    """

    @property
    def size(self) -> int:
        """How many pairs there are."""
        ...

    @property
    def mean(self) -> FloatArray:
        """E[X]."""
        ...

    def take(self, rows: Any) -> Belief:
        """Give the beliefs about some pairs."""
        ...

    def cdf(self, t: Any) -> FloatArray:
        """P[X <= t]."""
        ...

    def tail(self, t: Any) -> FloatArray:
        """P[X > t]."""
        ...

    def mass(self, low: Any, high: Any) -> FloatArray:
        """P[low <= X <= high]."""
        ...

    def partial_first(self, t: Any) -> FloatArray:
        """E[X; X <= t]."""
        ...

    def partial_second(self, t: Any) -> FloatArray:
        """E[X²; X <= t]."""
        ...

    def excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)]."""
        ...

    def shortfall(self, t: Any) -> FloatArray:
        """E[max(0, t - X)]."""
        ...

    def squared_excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)²]."""
        ...

    def squared_error(self, t: Any) -> FloatArray:
        """E[(X - t)²]."""
        ...

    def expect(self, cost: CostFunction, y: Any, kinks: FloatArray | None = None) -> FloatArray:
        """E[c(y, X)] of any cost.

        Args:
            cost: c(y, x), elementwise on arrays of one shape.
            y: the true amount of each pair.
            kinks: where the cost bends or jumps, pairs by places; places that are not told are searched for.
        """
        ...
