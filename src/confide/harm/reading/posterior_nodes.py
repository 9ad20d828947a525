"""The posterior of a true amount given a noisy one, or a range of them, kept at nodes.

Given the released amount z, the true one is normal around a point between z and the regression. Given that z lies
in a range, it is a mixture of these, and only the part of the range that the regression reaches counts. So it is known
where the posterior lies and where it bends; Gauss-Legendre nodes are put there.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from confide.release.channel import Kernel
from confide.release.gridded import between
from confide.release.noisy import kernel_interval, log_mass, log_normaliser, on_scale
from confide.typing import BoolArray, FloatArray, IntArray

NODES = 64
"""Nodes of a stretch on which the posterior is smooth."""
REACH = 8.0
"""How many standard deviations the nodes span on each side."""
INSIDE = 9.0
"""So many sds of the noise inside the bounds, no number is drawn again."""
WIDE = 24.0
"""A posterior that is wider than so many sds of its edges gets nodes for both edges and for the stretch between."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """What is believed about each record's amount from its other variables: it is normal, or its logarithm is."""

    mean: FloatArray
    sd: float
    log_scale: bool
    sign: FloatArray
    """The sign of the amount, where its logarithm is normal."""

    def amount(self, t: FloatArray) -> FloatArray:
        """Turn places on the scale of the normal into amounts."""
        return self.sign[:, None] * np.exp(t) if self.log_scale else t

    def take(self, rows: IntArray) -> Prior:
        """Give what is believed about some records."""
        return Prior(self.mean[rows], self.sd, self.log_scale, self.sign[rows])


class Nodes(NamedTuple):
    """Nodes of some records, panel after panel."""

    values: FloatArray
    """The amounts."""
    weights: FloatArray
    """Their probabilities."""
    low: FloatArray
    """Where each panel begins, on the scale of the regression."""
    high: FloatArray
    """Where it ends."""


def range_nodes(prior: Prior, low: FloatArray, high: FloatArray) -> Nodes:
    """Give nodes and weights of amounts that are known to lie in a range, and nothing else.

    >>> half = Prior(np.zeros(1), 1.0, log_scale=False, sign=np.ones(1))
    >>> found = range_nodes(half, np.zeros(1), np.array([np.inf]))
    >>> round(float(np.sum(found.values * found.weights)), 6)
    0.797885
    """
    a, b = regression_scale(low, high, log_scale=prior.log_scale)
    # far from the regression, mass lies at the near end of the range, the closer the further it is
    near = np.clip(prior.mean, a, b)
    reach = _tail(np.abs(near - prior.mean), prior.sd)
    # squares of amounts lie further out than their logarithms do
    more = 2 * prior.sd**2 if prior.log_scale else 0.0
    t, log_width, *ends = _legendre([np.maximum(a, near - reach), np.minimum(b, near + reach + more)])
    return Nodes(prior.amount(t), _shares(log_width - 0.5 * ((t - prior.mean[:, None]) / prior.sd) ** 2), *ends)


def noise_nodes(prior: Prior, kernel: Kernel, low: FloatArray, high: FloatArray) -> Nodes:
    """Give nodes and weights of amounts that were released with noise, as a number or as a range of numbers.

    Args:
        prior: what the other variables tell.
        kernel: the noise.
        low: the lower end of the range that left the noise; of a number, itself.
        high: the upper end.

    >>> prior = Prior(np.array([1.0]), 3.0, log_scale=False, sign=np.ones(1))
    >>> found = noise_nodes(prior, Kernel(sds=(4.0,)), np.array([6.0]), np.array([6.0]))
    >>> round(float(np.sum(found.values * found.weights)), 9)
    2.8
    """
    lo, hi = noise_range(kernel, low, high)
    ends = on_scale(kernel, lo, hi)[:2]
    stretches = [_stretch(prior, kernel, *ends, k) for k in range(len(kernel.sds))]
    simple = all(bool(np.all(top - bottom <= WIDE * sd)) for bottom, top, sd in stretches)
    found = [_legendre([bottom, top] if simple else _cut(bottom, top, sd)) for bottom, top, sd in stretches]
    t, log_width, *panels = (np.concatenate(x, axis=1) for x in zip(*found, strict=True))
    y = prior.amount(t)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        prior_part = -0.5 * ((t - prior.mean[:, None]) / prior.sd) ** 2
        return Nodes(y, _shares(log_width + prior_part + _log_noise(kernel, *ends, y)), *panels)


def noise_range(kernel: Kernel, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the range of unrounded, unclamped numbers behind a released number, or behind a range of numbers."""
    point = low == high
    lo, hi = kernel_interval(kernel, np.where(point, low, np.nan))
    if kernel.grid is not None:
        beyond = between(kernel, kernel.first_at(low), kernel.last_at(high))
    elif kernel.clamp:
        beyond = np.where(low <= kernel.lower, -np.inf, low), np.where(high >= kernel.upper, np.inf, high)
    else:
        beyond = np.maximum(low, kernel.lower), np.minimum(high, kernel.upper)
    return np.where(point, lo, beyond[0]), np.where(point, hi, beyond[1])


def _stretch(prior: Prior, kernel: Kernel, lo: FloatArray, hi: FloatArray, k: int) -> tuple[FloatArray, FloatArray, float]:
    """Give where the posterior lies among the amounts of one standard deviation of the noise, and the sd of its edges."""
    m, s = prior.mean, kernel.sds[k]
    total = float(np.hypot(prior.sd, s))
    share, sd = (prior.sd / total) ** 2, s * (prior.sd / total)
    near = np.clip(m, lo - kernel.shift, hi - kernel.shift)
    reach = _tail(np.abs(near - m), total)
    bottom = m + share * (np.maximum(near - reach, lo - kernel.shift) - m) - REACH * sd
    top = m + share * (np.minimum(near + reach, hi - kernel.shift) - m) + REACH * sd
    if kernel.log_scale:
        return bottom, top + 2 * np.where(np.isinf(hi), prior.sd, sd) ** 2, sd
    breaks = (-np.inf, *kernel.breaks, np.inf)
    first, last = max(breaks[k], kernel.lower), min(breaks[k + 1], kernel.upper)
    centre = m + share * (near - m)
    # where the posterior would lie beyond these amounts, mass lies at the near end
    above = np.maximum(last - _tail(np.maximum(centre - last, 0.0), sd), first)
    below = np.minimum(first + _tail(np.maximum(first - centre, 0.0), sd), last)
    beyond, under = bottom >= last, top <= first
    bottom = np.where(beyond, above, np.maximum(bottom, first))
    top = np.where(under, below, np.minimum(top, last))
    return np.where(under, first, bottom), np.where(beyond, last, top), sd


def _tail(distance: FloatArray, sd: float) -> FloatArray:
    """Give how far a normal matters beyond a point at some distance from its mean."""
    return np.asarray(REACH * sd / np.maximum(1.0, 0.2 * distance / sd), dtype=np.float64)


def _cut(bottom: FloatArray, top: FloatArray, sd: float) -> list[FloatArray]:
    """Cut stretches into two edges and what is between."""
    middle = bottom + 0.5 * (top - bottom)
    return [bottom, np.minimum(bottom + 2 * REACH * sd, middle), np.maximum(top - 2 * REACH * sd, middle), top]


def _legendre(cuts: list[FloatArray]) -> tuple[FloatArray, ...]:
    """Give the nodes between cuts, the logarithm of what each stands for, and where panels begin and end."""
    x, w = np.polynomial.legendre.leggauss(NODES)
    places, widths = [], []
    for a, b in itertools.pairwise(cuts):
        half = 0.5 * np.maximum(b - a, 0.0)[:, None]
        places.append(a[:, None] + half * (1 + x[None, :]))
        widths.append(half * w[None, :])
    with np.errstate(divide="ignore"):
        log_width = np.log(np.concatenate(widths, axis=1))
    low = np.stack(cuts[:-1], axis=1)
    return np.concatenate(places, axis=1), log_width, low, np.maximum(np.stack(cuts[1:], axis=1), low)


def _shares(log_weight: FloatArray) -> FloatArray:
    """Turn logarithms into weights that sum to one; all nodes count alike where none counts."""
    log_weight = np.where(np.isnan(log_weight), -np.inf, log_weight)
    most = log_weight.max(axis=1, keepdims=True)
    weight = np.where(np.isneginf(most), 1.0, np.exp(log_weight - np.where(np.isneginf(most), 0.0, most)))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True), dtype=np.float64)


def _log_noise(kernel: Kernel, a: FloatArray, b: FloatArray, y: FloatArray) -> FloatArray:
    """Give the log likelihood of released amounts or ranges at every node."""
    c, s = kernel.centre(y), kernel.sd(y)
    point = a == b
    found = np.empty(y.shape)
    found[point] = -0.5 * ((a[point, None] - c[point]) / s[point]) ** 2 - np.log(s[point])
    wide = ~point
    found[wide] = log_mass((a[wide, None] - c[wide]) / s[wide], (b[wide, None] - c[wide]) / s[wide])
    # far inside the bounds nothing is drawn again
    near: BoolArray = (y - kernel.lower < INSIDE * s) | (kernel.upper - y < INSIDE * s)
    found[near] -= log_normaliser(kernel, y[near])
    return found


def regression_scale(low: FloatArray, high: FloatArray, *, log_scale: bool) -> tuple[FloatArray, FloatArray]:
    """Express ranges on the scale of the regression; below zero, amounts are taken by their size."""
    if not log_scale:
        return low, high
    flip = high < 0
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            np.log(np.maximum(np.where(flip, -high, low), 0.0)),
            np.log(np.maximum(np.where(flip, -low, high), 0.0)),
        )
