"""A lognormal belief about an amount."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from confide.harm.belief.belief import CostFunction
from confide.harm.belief.integrate import integrate, panels
from confide.harm.belief.normal import PANELS
from confide.harm.belief.parameters import at, finite_at, parameters, spread
from confide.harm.belief.tails import density, interval, lower, relative_shortfall, upper
from confide.typing import FloatArray, IntArray

NEAR = 1.0
"""Where the median is less than e times t, differences are taken relative to t."""


@dataclass(frozen=True, slots=True, eq=False, init=False)
class LognormalBelief:
    """The logarithm of the amount is normal, as after multiplicative noise.

    Both parameters are those of the logarithm (convention 1); `mean` is that of the amount.

    >>> LognormalBelief(log_mean=0.0, log_sd=1.0).mean.round(6).tolist()
    [1.648721]
    """

    log_mean: FloatArray
    """The mean of the logarithm, for each pair."""
    log_sd: FloatArray
    """The standard deviation of the logarithm; 0: the intruder is sure."""

    def __init__(self, log_mean: Any, log_sd: Any) -> None:
        """Check the parameters and keep a copy."""
        log_mean, log_sd = parameters("LognormalBelief", log_mean=log_mean, log_sd=log_sd)
        object.__setattr__(self, "log_mean", log_mean)
        object.__setattr__(self, "log_sd", spread("LognormalBelief", "log_sd", log_sd))

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return int(self.log_mean.size)

    @property
    def mean(self) -> FloatArray:
        """E[X]."""
        return self._raw_moment(1)

    def take(self, rows: Any) -> LognormalBelief:
        """Give the beliefs about some pairs."""
        return LognormalBelief(self.log_mean[rows], self.log_sd[rows])

    def cdf(self, t: Any) -> FloatArray:
        """P[X <= t]."""
        d, z = self._from(t)
        return np.asarray(np.where(self.log_sd > 0, ndtr(-z), d <= 0), dtype=np.float64)

    def tail(self, t: Any) -> FloatArray:
        """P[X > t]."""
        d, z = self._from(t)
        return np.asarray(np.where(self.log_sd > 0, ndtr(z), d > 0), dtype=np.float64)

    def mass(self, low: Any, high: Any) -> FloatArray:
        """P[low <= X <= high]."""
        start, stop = at(low, self.size), at(high, self.size)
        (from_start, z), (from_stop, _) = self._from(start), self._from(stop)
        bounded = (self.log_sd > 0) & (start > 0) & np.isfinite(start) & (start <= stop)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            wide = np.where(bounded, np.log1p((stop - start) / start) / self.log_sd, 0.0)
        inside = np.where(start > 0, interval(np.where(bounded, -z, np.inf), wide), self.cdf(stop))
        sure = (from_start >= 0) & (from_stop <= 0)
        return np.asarray(np.where(self.log_sd > 0, inside, sure), dtype=np.float64)

    def partial_first(self, t: Any) -> FloatArray:
        """E[X; X <= t]: exp(log_mean + log_sd²/2) Φ(u - log_sd), u = (log t - log_mean) / log_sd."""
        return self._partial(t, 1)

    def partial_second(self, t: Any) -> FloatArray:
        """E[X²; X <= t]: exp(2 log_mean + 2 log_sd²) Φ(u - 2 log_sd)."""
        return self._partial(t, 2)

    def excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)]."""
        return self._excess(finite_at(t, self.size), 1)

    def shortfall(self, t: Any) -> FloatArray:
        """E[max(0, t - X)]."""
        place = finite_at(t, self.size)
        d, _ = self._from(place)
        found = np.maximum(place - self._median, 0.0)
        real = (self.log_sd > 0) & (place > 0)
        found[real] = place[real] * relative_shortfall(d[real], self.log_sd[real])
        return np.asarray(found, dtype=np.float64)

    def squared_excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)²]."""
        return self._excess(finite_at(t, self.size), 2)

    def squared_error(self, t: Any) -> FloatArray:
        """E[(X - t)²]."""
        place = finite_at(t, self.size)
        d, _ = self._from(place)
        with np.errstate(over="ignore"):
            near = np.abs(d) < NEAR
            bias = np.where(near, place * np.expm1(np.where(near, d + 0.5 * self.log_sd**2, 0.0)), self.mean - place)
            variance = np.exp(2 * self.log_mean + self.log_sd**2) * np.expm1(self.log_sd**2)
            return np.asarray(bias**2 + variance, dtype=np.float64)

    def expect(self, cost: CostFunction, y: Any, kinks: FloatArray | None = None) -> FloatArray:
        """E[c(y, X)] by quadrature in sds of the logarithm; the range leaves room for a cost that grows as X³."""
        true, mean, sd = finite_at(y, self.size)[:, None], self.log_mean[:, None], self.log_sd[:, None]
        if kinks is not None:
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                z = np.where(kinks > 0, (np.log(np.maximum(kinks, 0.0)) - mean) / sd, PANELS[0])
            kinks = np.where(sd > 0, z, 0.0)
        more = max(1, math.ceil(float(self.log_sd.max(initial=0.0))))
        beyond = PANELS[-1] + 3.0 * sd * np.arange(1, more + 1) / more
        base = np.concatenate([np.broadcast_to(PANELS, (self.size, PANELS.size)), beyond], axis=1)

        def integrand(rows: IntArray, z: FloatArray) -> FloatArray:
            x = np.exp(mean[rows] + sd[rows] * z)
            return np.asarray(cost(np.broadcast_to(true[rows], x.shape), x) * density(z), dtype=np.float64)

        return integrate(integrand, panels(base, kinks, self.size))

    @property
    def _median(self) -> FloatArray:
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.log_mean), dtype=np.float64)

    def _raw_moment(self, k: int) -> FloatArray:
        """E[X^k]."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(k * self.log_mean + 0.5 * (k * self.log_sd) ** 2), dtype=np.float64)

    def _partial(self, t: Any, k: int) -> FloatArray:
        """E[X^k; X <= t]."""
        _, z = self._from(t)
        mass = np.where(self.log_sd > 0, ndtr(-z - k * self.log_sd), self.cdf(t))
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(mass > 0, self._raw_moment(k) * mass, 0.0), dtype=np.float64)

    def _excess(self, t: FloatArray, power: int) -> FloatArray:
        """E[max(0, X - t)^power], on each side in the form that does not cancel."""
        d, _ = self._from(t)
        s = self.log_sd
        with np.errstate(over="ignore"):
            found = np.asarray(np.maximum(self._median - t, 0.0) ** power, dtype=np.float64)
            real = s > 0
            below = real & (t > 0) & (d <= 0)
            near = real & (t > 0) & (d > 0) & (d < NEAR)
            far = real & ~below & ~near
            if bool(below.any()):
                found[below] = t[below] ** power * upper(d[below], s[below], power)
            if bool(near.any()):
                found[near] = t[near] ** power * _whole_and_lower(d[near], s[near], power)
            if bool(far.any()):
                whole = self.mean - t if power == 1 else self.squared_error(t)
                rest = np.where(t > 0, np.maximum(t, 0.0) ** power, 0.0)[far]
                rest *= lower(np.where(t > 0, np.minimum(d, 1e3), 1e3)[far], s[far], power)
                found[far] = whole[far] + rest if power == 1 else whole[far] - rest
        return found

    def _from(self, t: Any) -> tuple[FloatArray, FloatArray]:
        """Give d = log_mean - log t and d in sds; infinite where t is not positive, or the sd is 0."""
        place = at(t, self.size)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            d = self.log_mean - np.log(np.maximum(place, 0.0))
            z = np.where(d == 0, 0.0, d / self.log_sd)
        return np.asarray(d, dtype=np.float64), np.asarray(z, dtype=np.float64)


def _whole_and_lower(d: FloatArray, s: FloatArray, power: int) -> FloatArray:
    """E[max(0, exp(W) - 1)^power] of W normal(d, s), d > 0: the whole, and what lies below zero."""
    bias, below = np.expm1(d + 0.5 * s**2), lower(d, s, power)
    if power == 1:
        return np.asarray(bias + below, dtype=np.float64)
    return np.asarray(bias**2 + np.exp(2 * d + s**2) * np.expm1(s**2) - below, dtype=np.float64)
