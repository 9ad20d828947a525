"""Average a noisy channel over what the intruder believes about the true number (eq. 3)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import LikelihoodError
from confide.intruder.beliefs.prior import LOGNORMAL, NORMAL, POINT, UNIFORM
from confide.linking.entrance import Replaced
from confide.linking.marginal import log_class_mass
from confide.linking.pieces import Nodes
from confide.linking.rounded import FINE
from confide.release.channel import Kernel
from confide.release.noisy import log_normaliser
from confide.typing import FloatArray

_X, _W = np.polynomial.legendre.leggauss(8)
_REACH = 8.5
_MOST_PANELS = 4_096
NEGLIGIBLE = -30.0
"""The log of a share of a belief that is left out."""

OUTSIDE = "the intruder's belief about a noisy number lies outside the values it can have"
Density = tuple[int, float, float]
Points = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
"""Centres, half widths, standard deviations and log weights."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where true numbers are that are perturbed."""

    low: float
    """The first that is perturbed as it is."""
    high: float
    """The last."""
    replaced: tuple[Replaced, ...] = ()
    """Those in whose place another number is perturbed."""
    base: float | None = None
    """The base to whose multiples they are rounded; None: they are not."""


def averaged(kernel: Kernel, densities: Sequence[Density | None], places: Sequence[Place]) -> Nodes:
    """Give the nodes of each distribution; None stands for a number that is not perturbed.

    A normal belief and unbounded Gaussian noise make one normal; a uniform belief away from the
    bounds makes one blurred normal. Otherwise the belief is cut to the bounds and replaced by
    Gauss-Legendre nodes no further apart than the noise can resolve. What another number stands in the place of
    is a node there.
    """
    parts: list[Points] = []
    for density, place in zip(densities, places, strict=True):
        if density is None:
            parts.append((np.zeros(1), np.zeros(1), np.full(1, np.inf), np.zeros(1)))
        elif place.replaced:
            parts.append(_with_replaced(kernel, density, place))
        else:
            parts.append(_passed(kernel, density, place))
    start = np.concatenate([[0], np.cumsum([p[0].size for p in parts])]).astype(np.int64)
    return Nodes(start, *(np.concatenate([p[k] for p in parts]) for k in range(4)))


def _passed(kernel: Kernel, density: Density, place: Place) -> Points:
    """Give the nodes of what is perturbed as it is, or rounded, where that is all."""
    bounds = place.low, place.high
    if place.base is not None:
        found = _multiples(kernel, density, bounds, place.base)
        if found is not None:
            return found
    unbounded = bounds == ((0.0, np.inf) if kernel.log_scale else (-np.inf, np.inf))
    free = unbounded and not kernel.breaks and not (kernel.keep_zero and not kernel.log_scale)
    if free and density[0] == (LOGNORMAL if kernel.log_scale else NORMAL):
        sd = np.hypot(density[2], kernel.sds[0])
        return np.array([density[1] + kernel.shift]), np.zeros(1), np.array([sd]), np.zeros(1)
    if density[0] == UNIFORM and not kernel.log_scale:
        return _uniform(kernel, max(density[1], bounds[0]), min(density[2], bounds[1]))
    return _quadrature(kernel, density, bounds)


def _multiples(kernel: Kernel, density: Density, bounds: tuple[float, float], base: float) -> Points | None:
    """Give a node for each multiple that numbers are rounded to; None: too many, and too close to matter."""
    family, first, second = density
    low, high = (first, first) if family == POINT else (first, second)
    if family in (NORMAL, LOGNORMAL):
        low, high = first - _REACH * second, first + _REACH * second
    if family == LOGNORMAL:
        low, high = float(np.exp(low)), float(np.exp(min(high, 700.0)))
    low, high = max(low, bounds[0]), min(high, bounds[1])
    if not low <= high:
        raise LikelihoodError(OUTSIDE)
    if (high - low) / base > _MOST_PANELS:
        noise = min(kernel.sds) * (max(low, base) if kernel.log_scale else 1.0)
        if noise >= FINE * base:
            return None
        raise LikelihoodError(
            f"the intruder's belief about a noisy number holds {(high - low) / base:,.0f} multiples of {base:g}, to which "
            "it was rounded; give a narrower belief"
        )
    k = np.arange(np.floor(low / base + 0.5), np.floor(high / base + 0.5) + 1)
    if kernel.log_scale or kernel.keep_zero:
        k = k[k != 0]
    ends = np.maximum(bounds[0], (k - 0.5) * base), np.minimum(bounds[1], (k + 0.5) * base)
    log_w = np.array([log_class_mass(*density, a, b) if a <= b else -np.inf for a, b in zip(*ends, strict=True)])
    some = log_w > -np.inf
    if not some.any():
        raise LikelihoodError(OUTSIDE)
    y, log_w = (k * base)[some], log_w[some] - np.logaddexp.reduce(log_w[some])
    return kernel.centre(y), np.zeros(y.size), kernel.sd(y), log_w - log_normaliser(kernel, y)


def _with_replaced(kernel: Kernel, density: Density, place: Place) -> Points:
    """Give the nodes of what is perturbed as it is, and of the numbers that stand in the place of others."""
    log_mass = [log_class_mass(*density, r.low, r.high) for r in place.replaced]
    through = log_class_mass(*density, place.low, place.high)
    total = float(np.logaddexp.reduce([through, *log_mass]))
    if np.isneginf(total):
        raise LikelihoodError(OUTSIDE)
    centre, half, sd, weight = [], [], [], []
    for r, x in zip(place.replaced, log_mass, strict=True):
        if x - total > NEGLIGIBLE:
            at = np.array([r.number])
            centre.append(kernel.centre(at))
            half.append(np.zeros(1))
            sd.append(kernel.sd(at))
            weight.append(x - total - log_normaliser(kernel, at))
    if through - total > NEGLIGIBLE:
        parts = _passed(kernel, density, place)
        for some, part in zip((centre, half, sd), parts, strict=False):
            some.append(part)
        weight.append(parts[3] + (through - total))
    return np.concatenate(centre), np.concatenate(half), np.concatenate(sd), np.concatenate(weight)


def _uniform(kernel: Kernel, low: float, high: float) -> Points:
    """Cut a uniform belief into zones: blurred normals where redrawing does not matter, points near bounds."""
    if not low < high:
        raise LikelihoodError(OUTSIDE)
    reach = 9.0 * max(kernel.sds)
    redraw = not kernel.clamp
    cuts = [*kernel.breaks]
    if redraw:
        cuts += [x for x in (kernel.lower + reach, kernel.upper - reach) if np.isfinite(x)]
    edges = [low, *sorted(x for x in cuts if low < x < high), high]
    zones: list[Points] = []
    for a, b in itertools.pairwise(edges):
        log_share = np.log((b - a) / (high - low))
        if redraw and (a < kernel.lower + reach or b > kernel.upper - reach):
            y, log_w = _panels(a, b, 2 * min(kernel.sds))
            zones.append(
                (kernel.centre(y), np.zeros(y.size), kernel.sd(y), log_w - np.log(high - low) - log_normaliser(kernel, y))
            )
        else:
            middle = np.array([(a + b) / 2])
            zones.append((kernel.centre(middle), np.array([(b - a) / 2]), kernel.sd(middle), np.array([log_share])))
    return zones[0] if len(zones) == 1 else tuple(np.concatenate([z[k] for z in zones]) for k in range(4))  # type: ignore[return-value]


def _panels(low: float, high: float, width: float) -> tuple[FloatArray, FloatArray]:
    """Give Gauss-Legendre points and log weights on panels of at most the given width."""
    panels = max(4, int(np.ceil((high - low) / width)))
    if panels > _MOST_PANELS:
        raise LikelihoodError(
            f"the intruder's belief about a noisy number is {panels:,} times as wide as the noise can resolve; "
            "give a narrower belief, or treat the variable as known exactly"
        )
    edges = np.linspace(low, high, panels + 1)
    half = np.diff(edges) / 2
    x = ((edges[:-1] + edges[1:]) / 2)[:, None] + half[:, None] * _X
    return x.ravel(), (np.log(half)[:, None] + np.log(_W)).ravel()


def _quadrature(kernel: Kernel, density: Density, bounds: tuple[float, float]) -> Points:
    """Replace a belief by weighted points."""
    family, first, second = density
    if family == POINT:
        y, log_w = np.array([first]), np.zeros(1)
    else:
        is_log = family == LOGNORMAL or kernel.log_scale
        low, high = (first, second) if family == UNIFORM else (first - _REACH * second, first + _REACH * second)
        if family != LOGNORMAL:
            low, high = max(low, bounds[0]), min(high, bounds[1])
        if is_log:
            # below a millionth of the belief's top the log scale is cut
            low, high = (low, high) if family == LOGNORMAL else (np.log(max(low, 1e-6 * high)), np.log(high))
            ends = np.log(np.maximum(bounds, 1e-300))
            low, high = max(low, float(ends[0])), min(high, float(ends[1]))
        noise = min(kernel.sds) if is_log == kernel.log_scale else min(kernel.sds) / np.exp(min(first + 3 * second, high))
        spread = second if family == LOGNORMAL or (family == NORMAL and not is_log) else (high - low) / 8
        x, log_w = _panels(low, high, 2 * min(noise, spread))
        y = np.exp(x) if is_log else x
        if family == LOGNORMAL:
            log_w = log_w - 0.5 * ((x - first) / second) ** 2
        else:
            log_w = log_w + (x if is_log else 0.0)
            if family == NORMAL:
                log_w = log_w - 0.5 * ((y - first) / second) ** 2
        log_w -= np.logaddexp.reduce(log_w)
        keep = log_w > log_w.max() - 45
        y, log_w = y[keep], log_w[keep]
    return kernel.centre(y), np.zeros(y.size), kernel.sd(y), log_w - log_normaliser(kernel, y)
