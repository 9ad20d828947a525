"""A uniform belief about an amount."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import HarmError
from confide.harm.belief.belief import CostFunction
from confide.harm.belief.integrate import integrate, panels
from confide.harm.belief.parameters import at, finite_at, parameters
from confide.typing import FloatArray, IntArray

PANELS = np.linspace(0.0, 1.0, 5)
"""Where an integral is split, in widths from the lower end."""


@dataclass(frozen=True, slots=True, eq=False, init=False)
class UniformBelief:
    """The amount is anywhere in a range with equal chance, as after rounding or recoding.

    >>> UniformBelief(low=0.0, high=10.0).excess(6.0).round(9).tolist()
    [0.8]
    """

    low: FloatArray
    """The lower end, for each pair."""
    high: FloatArray
    """The upper end; equal to the lower: the intruder is sure."""

    def __init__(self, low: Any, high: Any) -> None:
        """Check the parameters and keep a copy."""
        low, high = parameters("UniformBelief", low=low, high=high)
        wrong = int(np.sum(low > high))
        if wrong:
            raise HarmError(f"UniformBelief: low must not exceed high; it does in {wrong:,} of {low.size:,} pairs")
        with np.errstate(over="ignore"):
            if not bool(np.isfinite(high - low).all()):
                raise HarmError("UniformBelief: the range is too wide to be a number")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return int(self.low.size)

    @property
    def mean(self) -> FloatArray:
        """E[X]."""
        return np.asarray(self.low + 0.5 * self._width, dtype=np.float64)

    def take(self, rows: Any) -> UniformBelief:
        """Give the beliefs about some pairs."""
        return UniformBelief(self.low[rows], self.high[rows])

    def cdf(self, t: Any) -> FloatArray:
        """P[X <= t]."""
        place = at(t, self.size)
        return np.asarray(np.where(place >= self.high, 1.0, self._share(place - self.low)), dtype=np.float64)

    def tail(self, t: Any) -> FloatArray:
        """P[X > t]."""
        place = at(t, self.size)
        return np.asarray(np.where(place < self.low, 1.0, self._share(self.high - place)), dtype=np.float64)

    def mass(self, low: Any, high: Any) -> FloatArray:
        """P[low <= X <= high]."""
        start, stop = at(low, self.size), at(high, self.size)
        inside = self._share(np.minimum(stop, self.high) - np.maximum(start, self.low))
        sure = (start <= self.low) & (self.low <= stop)
        return np.asarray(np.where(self._width > 0, inside, sure), dtype=np.float64)

    def partial_first(self, t: Any) -> FloatArray:
        """E[X; X <= t]."""
        end = np.clip(at(t, self.size), self.low, self.high)
        return np.asarray(self.cdf(t) * 0.5 * (end + self.low), dtype=np.float64)

    def partial_second(self, t: Any) -> FloatArray:
        """E[X²; X <= t]."""
        end = np.clip(at(t, self.size), self.low, self.high)
        return np.asarray(self.cdf(t) * (end**2 + end * self.low + self.low**2) / 3, dtype=np.float64)

    def excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)]."""
        place = finite_at(t, self.size)
        part = self._share(self.high - place) * 0.5 * (self.high - place)
        return np.asarray(np.where(place <= self.low, self._bias(place), part), dtype=np.float64)

    def shortfall(self, t: Any) -> FloatArray:
        """E[max(0, t - X)]."""
        place = finite_at(t, self.size)
        part = self._share(place - self.low) * 0.5 * (place - self.low)
        return np.asarray(np.where(place >= self.high, -self._bias(place), part), dtype=np.float64)

    def squared_excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)²]."""
        place = finite_at(t, self.size)
        with np.errstate(over="ignore"):
            part = self._share(self.high - place) * (self.high - place) ** 2 / 3
            return np.asarray(np.where(place <= self.low, self.squared_error(place), part), dtype=np.float64)

    def squared_error(self, t: Any) -> FloatArray:
        """E[(X - t)²]."""
        place = finite_at(t, self.size)
        low, high = self.low - place, self.high - place
        with np.errstate(over="ignore"):
            return np.asarray((low**2 + low * high + high**2) / 3, dtype=np.float64)

    def expect(self, cost: CostFunction, y: Any, kinks: FloatArray | None = None) -> FloatArray:
        """E[c(y, X)] by quadrature over the range."""
        true, low, width = finite_at(y, self.size)[:, None], self.low[:, None], self._width[:, None]
        if kinks is not None:
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                kinks = np.where(width > 0, (kinks - low) / width, 0.0)

        def integrand(rows: IntArray, u: FloatArray) -> FloatArray:
            x = low[rows] + width[rows] * u
            return np.asarray(cost(np.broadcast_to(true[rows], x.shape), x), dtype=np.float64)

        return integrate(integrand, panels(PANELS, kinks, self.size))

    def _bias(self, t: FloatArray) -> FloatArray:
        """E[X] - t, with the digits of both ends' distances."""
        return np.asarray(0.5 * ((self.low - t) + (self.high - t)), dtype=np.float64)

    @property
    def _width(self) -> FloatArray:
        return np.asarray(self.high - self.low, dtype=np.float64)

    def _share(self, part: FloatArray) -> FloatArray:
        """Say which share of the range a part is; nothing where the range is one point."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            share = np.where(self._width > 0, part / self._width, 0.0)
        return np.asarray(np.clip(share, 0.0, 1.0), dtype=np.float64)
