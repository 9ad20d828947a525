"""What controlled adjustment asks: how far sensitive cells must go, and how far all cells may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import TableError, Unprotectable
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.typing import BoolArray, FloatArray, IntArray

MUCH = 100.0
"""Sensitive cells without a bound move at most so many times the largest level; only the mixed-integer search needs it."""


@dataclass(frozen=True, slots=True, eq=False)
class Swing:
    """Sensitive cells with their levels, weights of changes, and how far cells may move."""

    system: System
    sensitive: IntArray
    down: FloatArray
    """How far each sensitive cell must go when it goes down; infinite: it may not."""
    up: FloatArray
    """How far when it goes up."""
    low: FloatArray
    """How far down all cells may go, 0 or less."""
    high: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, system: System, protection: Protection, frozen: IntArray, weights: FloatArray) -> Swing:
        """Read protection levels; a direction without a level, or one that bounds do not allow, is closed."""
        s = protection.sensitive
        x = system.values
        both = np.intersect1d(s, frozen)
        if both.size:
            raise TableError(
                f"{both.size:,} cell(s) are sensitive and frozen at once: {system.listed(both)}; do not freeze them"
            )
        low, high = np.minimum(system.lower - x, 0.0), np.maximum(system.upper - x, 0.0)
        low[frozen] = high[frozen] = 0.0
        half = protection.sliding[s] / 2
        down, up = np.maximum(protection.lower[s], half), np.maximum(protection.upper[s], half)
        slack = 1e-9 * np.maximum(1.0, np.abs(x[s]))
        down = np.where((down > 0) & (-low[s] >= down - slack), down, np.inf)
        up = np.where((up > 0) & (high[s] >= up - slack), up, np.inf)
        stuck = s[np.isinf(down) & np.isinf(up)]
        if stuck.size:
            raise Unprotectable(
                f"{stuck.size:,} cell(s) cannot be adjusted, their own bounds do not let them go as far as asked: "
                f"{system.listed(stuck)}; lower their protection levels or widen the bounds",
                int(stuck[0]),
            )
        high[s] = np.where(np.isinf(up), high[s], np.maximum(high[s], up))
        low[s] = np.where(np.isinf(down), low[s], np.minimum(low[s], -down))
        return cls(system, s, down, up, low, high, weights)

    def only(self, chosen: BoolArray) -> Swing:
        """Keep some of the sensitive cells."""
        return Swing(
            self.system, self.sensitive[chosen], self.down[chosen], self.up[chosen], self.low, self.high, self.weights
        )

    @property
    def least(self) -> float:
        """The distance that every adjustment has at least: that of the sensitive cells alone."""
        return float((self.weights[self.sensitive] * np.minimum(self.down, self.up)).sum())

    @property
    def unit(self) -> float:
        """A power of two near the levels, in which the solver counts."""
        levels = np.minimum(self.down, self.up)
        return float(2.0 ** np.round(np.log2(np.median(levels)) - 3)) if levels.size else 1.0

    def level(self, upward: BoolArray) -> FloatArray:
        """Give the signed levels for directions."""
        return np.where(upward, self.up, -self.down)

    def much(self) -> float:
        """Give how far the mixed-integer search lets sensitive cells go that have no bound."""
        finite = np.concatenate([self.down, self.up])
        return MUCH * float(finite[np.isfinite(finite)].max(initial=1e-300))


def weights_of(system: System, costs: Sequence[float] | FloatArray | None) -> FloatArray:
    """Check what a change by one unit costs; by default one over the value, so that relative changes count alike.

    Empty cells count like a thousandth of the mean.

    >>> weights_of(System(np.array([10.0, 4.0, 6.0]), np.array([[-1, 1, 1]])), None).tolist()
    [0.1, 0.25, 0.16666666666666666]
    """
    if costs is None:
        size = np.abs(system.values)
        return np.asarray(1.0 / np.maximum(size, float(size.mean()) / 1000 if size.any() else 1.0))
    found = np.array(costs, dtype=np.float64)
    if found.shape != (system.n,) or not bool(np.all(np.isfinite(found) & (found >= 0))):
        raise TableError("costs must be finite and not negative, one for each cell; freeze a cell that must not change")
    return found
