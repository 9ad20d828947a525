"""A belief on a few amounts, such as a posterior computed numerically, or the values of candidate records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import HarmError, raise_all
from confide.harm.belief.belief import CostFunction
from confide.harm.belief.parameters import at, finite_at, frozen
from confide.harm.check import ROUNDING
from confide.typing import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False, init=False)
class NodesBelief:
    """Each pair has its own amounts and their probabilities.

    An amount that only some pairs need has probability zero for the others.

    >>> NodesBelief(values=[[90.0, 100.0, 112.0]], weights=[[0.5, 0.25, 0.25]]).squared_excess(100.0).tolist()
    [36.0]
    """

    values: FloatArray
    """The amounts, pairs by nodes."""
    weights: FloatArray
    """Their probabilities; those of a pair sum to one."""

    def __init__(self, values: Any, weights: Any) -> None:
        """Check the amounts and probabilities and keep a copy."""
        amounts, shares = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
        if amounts.ndim != 2 or shares.shape != amounts.shape or amounts.shape[1] == 0:
            raise HarmError(
                "NodesBelief: values and weights must both be tables of pairs by nodes; "
                f"found shapes {amounts.shape} and {shares.shape}"
            )
        off = int(np.sum(~(np.all(shares >= 0, axis=1) & (np.abs(shares.sum(axis=1) - 1) <= ROUNDING))))
        missing = int(np.sum(~np.isfinite(amounts)))
        faults = [f"NodesBelief: the weights of {off:,} of {len(shares):,} pairs are not probabilities that sum to one"]
        faults += [f"NodesBelief: {missing:,} of {amounts.size:,} values are missing or infinite; give these any number"]
        raise_all([fault for fault, found in zip(faults, (off, missing), strict=True) if found], HarmError)
        object.__setattr__(self, "values", frozen(amounts))
        object.__setattr__(self, "weights", frozen(shares))

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return int(self.values.shape[0])

    @property
    def mean(self) -> FloatArray:
        """E[X]."""
        return self._sum(self.values)

    def take(self, rows: Any) -> NodesBelief:
        """Give the beliefs about some pairs."""
        return NodesBelief(self.values[rows], self.weights[rows])

    def cdf(self, t: Any) -> FloatArray:
        """P[X <= t]."""
        return self._sum(self._up_to(t))

    def tail(self, t: Any) -> FloatArray:
        """P[X > t]."""
        return self._sum(~self._up_to(t))

    def mass(self, low: Any, high: Any) -> FloatArray:
        """P[low <= X <= high]."""
        return self._sum((at(low, self.size)[:, None] <= self.values) & self._up_to(high))

    def partial_first(self, t: Any) -> FloatArray:
        """E[X; X <= t]."""
        return self._sum(self.values * self._up_to(t))

    def partial_second(self, t: Any) -> FloatArray:
        """E[X²; X <= t]."""
        return self._sum(self.values**2 * self._up_to(t))

    def excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)]."""
        return self._sum(np.maximum(self._beyond(t), 0.0))

    def shortfall(self, t: Any) -> FloatArray:
        """E[max(0, t - X)]."""
        return self._sum(np.maximum(-self._beyond(t), 0.0))

    def squared_excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)²]."""
        with np.errstate(over="ignore"):
            return self._sum(np.maximum(self._beyond(t), 0.0) ** 2)

    def squared_error(self, t: Any) -> FloatArray:
        """E[(X - t)²]."""
        with np.errstate(over="ignore"):
            return self._sum(self._beyond(t) ** 2)

    def expect(self, cost: CostFunction, y: Any, kinks: FloatArray | None = None) -> FloatArray:  # noqa: ARG002
        """E[c(y, X)]: the sum over the nodes."""
        return self._sum(cost(np.broadcast_to(finite_at(y, self.size)[:, None], self.values.shape), self.values))

    def _up_to(self, t: Any) -> BoolArray:
        return np.asarray(self.values <= at(t, self.size)[:, None], dtype=np.bool_)

    def _beyond(self, t: Any) -> FloatArray:
        return np.asarray(self.values - finite_at(t, self.size)[:, None], dtype=np.float64)

    def _sum(self, parts: Any) -> FloatArray:
        """Sum over the nodes by their probabilities."""
        return np.asarray(np.einsum("ij,ij->i", self.weights, np.asarray(parts, dtype=np.float64)), dtype=np.float64)
