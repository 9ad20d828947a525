"""A normal belief about an amount."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from confide.harm.belief.belief import CostFunction
from confide.harm.belief.integrate import integrate, panels
from confide.harm.belief.parameters import at, finite_at, parameters, spread
from confide.harm.belief.tails import below_zero, density, interval
from confide.typing import FloatArray, IntArray

PANELS = np.array([-12.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 12.0])
"""Where an integral is split, in sds from the mean; beyond lies 4e-33 of the mass."""


@dataclass(frozen=True, slots=True, eq=False, init=False)
class NormalBelief:
    """The amount is normal, as after noise was added.

    >>> NormalBelief(mean=95.0, sd=10.0).squared_excess(100.0).round(6).tolist()
    [20.963926]
    """

    mean: FloatArray
    """E[X], for each pair."""
    sd: FloatArray
    """The standard deviation; 0: the intruder is sure."""

    def __init__(self, mean: Any, sd: Any) -> None:
        """Check the parameters and keep a copy."""
        mean, sd = parameters("NormalBelief", mean=mean, sd=sd)
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "sd", spread("NormalBelief", "sd", sd))

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return int(self.mean.size)

    def take(self, rows: Any) -> NormalBelief:
        """Give the beliefs about some pairs."""
        return NormalBelief(self.mean[rows], self.sd[rows])

    def cdf(self, t: Any) -> FloatArray:
        """P[X <= t]."""
        d, z = self._from(t)
        return np.asarray(np.where(self.sd > 0, ndtr(-z), d <= 0), dtype=np.float64)

    def tail(self, t: Any) -> FloatArray:
        """P[X > t]."""
        d, z = self._from(t)
        return np.asarray(np.where(self.sd > 0, ndtr(z), d > 0), dtype=np.float64)

    def mass(self, low: Any, high: Any) -> FloatArray:
        """P[low <= X <= high]."""
        start, stop = at(low, self.size), at(high, self.size)
        _, z = self._from(start)
        bounded = (self.sd > 0) & np.isfinite(start) & (start <= stop)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            wide = np.where(bounded, (stop - start) / self.sd, 0.0)
        inside = np.where(np.isneginf(start), self.cdf(stop), interval(np.where(bounded, -z, np.inf), wide))
        sure = (start <= self.mean) & (self.mean <= stop)
        return np.asarray(np.where(self.sd > 0, inside, sure), dtype=np.float64)

    def partial_first(self, t: Any) -> FloatArray:
        """E[X; X <= t]: mean Φ - sd φ."""
        _, z = self._from(t)
        return np.asarray(self.mean * self.cdf(t) - self.sd * density(z), dtype=np.float64)

    def partial_second(self, t: Any) -> FloatArray:
        """E[X²; X <= t]: (mean² + sd²) Φ - sd (mean + t) φ."""
        _, z = self._from(t)
        phi = density(z)
        place = np.where(phi > 0, at(t, self.size), 0.0)
        return np.asarray((self.mean**2 + self.sd**2) * self.cdf(t) - self.sd * (self.mean + place) * phi, dtype=np.float64)

    def excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)]: d Φ(d/sd) + sd φ(d/sd) with d = mean - t."""
        return _positive_part(*self._from(finite_at(t, self.size)), self.sd, 1)

    def shortfall(self, t: Any) -> FloatArray:
        """E[max(0, t - X)]."""
        d, z = self._from(finite_at(t, self.size))
        return _positive_part(-d, -z, self.sd, 1)

    def squared_excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)²]: (d² + sd²) Φ(d/sd) + d sd φ(d/sd) with d = mean - t."""
        return _positive_part(*self._from(finite_at(t, self.size)), self.sd, 2)

    def squared_error(self, t: Any) -> FloatArray:
        """E[(X - t)²]: d² + sd²."""
        d, _ = self._from(finite_at(t, self.size))
        with np.errstate(over="ignore"):
            return np.asarray(d**2 + self.sd**2, dtype=np.float64)

    def expect(self, cost: CostFunction, y: Any, kinks: FloatArray | None = None) -> FloatArray:
        """E[c(y, X)] by quadrature in sds from the mean."""
        true, mean, sd = finite_at(y, self.size)[:, None], self.mean[:, None], self.sd[:, None]
        if kinks is not None:
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                kinks = np.where(sd > 0, (kinks - mean) / sd, 0.0)

        def integrand(rows: IntArray, z: FloatArray) -> FloatArray:
            x = mean[rows] + sd[rows] * z
            return np.asarray(cost(np.broadcast_to(true[rows], x.shape), x) * density(z), dtype=np.float64)

        return integrate(integrand, panels(PANELS, kinks, self.size))

    def _from(self, t: Any) -> tuple[FloatArray, FloatArray]:
        """Give d = mean - t and d in sds, infinite where the sd is 0."""
        d = self.mean - at(t, self.size)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            z = np.where(d == 0, 0.0, d / self.sd)
        return d, np.asarray(z, dtype=np.float64)


def _positive_part(d: FloatArray, z: FloatArray, sd: FloatArray, power: int) -> FloatArray:
    """Give E[max(0, D)^power] of D normal(d, sd), z = d / sd; the form that does not cancel on each side of 0."""
    above, below = np.maximum(d, 0.0), below_zero(np.minimum(z, 0.0), power)
    phi, big = density(z), ndtr(z)
    with np.errstate(over="ignore"):
        if power == 1:
            return np.asarray(np.where(d >= 0, above * big + sd * phi, sd * below), dtype=np.float64)
        return np.asarray(np.where(d >= 0, (above**2 + sd**2) * big + above * sd * phi, sd**2 * below), dtype=np.float64)
