"""Average a noisy channel over what the intruder believes about the true number (eq. 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.intruder.beliefs.prior import LOGNORMAL, NORMAL, POINT, UNIFORM
from confide.linking.pieces import Nodes
from confide.release.channel import Kernel
from confide.release.noisy import log_normaliser
from confide.typing import FloatArray

_X, _W = np.polynomial.legendre.leggauss(8)
_REACH = 8.5
_MOST_PANELS = 256

Density = tuple[int, float, float]


def averaged(kernel: Kernel, densities: Sequence[Density | None], bounds: tuple[float, float]) -> Nodes:
    """Give the nodes of each distribution; None stands for a number that is not perturbed.

    A normal belief and unbounded Gaussian noise make one normal. Otherwise the belief is cut to
    the bounds and replaced by Gauss-Legendre nodes no further apart than the noise can resolve.
    """
    start, centre, sd, weight = [0], [], [], []
    free = np.isinf(kernel.lower) and np.isinf(kernel.upper) and not kernel.breaks and not kernel.keep_zero
    for density in densities:
        if density is None:
            nodes = (np.zeros(1), np.ones(1), np.full(1, 0.5 * np.log(2 * np.pi)))
        elif (free and not kernel.log_scale and density[0] == NORMAL) or (
            free and kernel.log_scale and density[0] == LOGNORMAL
        ):
            nodes = (np.array([density[1] + kernel.shift]), np.array([np.hypot(density[2], kernel.sds[0])]), np.zeros(1))
        else:
            nodes = _quadrature(kernel, density, bounds)
        centre.append(nodes[0])
        sd.append(nodes[1])
        weight.append(nodes[2])
        start.append(start[-1] + nodes[0].size)
    return Nodes(np.array(start, dtype=np.int64), np.concatenate(centre), np.concatenate(sd), np.concatenate(weight))


def _quadrature(kernel: Kernel, density: Density, bounds: tuple[float, float]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Replace a belief by weighted points."""
    family, first, second = density
    if family == POINT:
        y, log_w = np.array([first]), np.zeros(1)
    else:
        is_log = family == LOGNORMAL
        low, high = (first, second) if family == UNIFORM else (first - _REACH * second, first + _REACH * second)
        with np.errstate(divide="ignore"):
            ends = np.log(np.maximum(bounds, 0.0)) if is_log else np.asarray(bounds)
        low, high = max(low, float(ends[0])), min(high, float(ends[1]))
        noise = min(kernel.sds)
        if is_log != kernel.log_scale:
            size = np.exp(first) if is_log else max(abs(low), abs(high), 1.0)
            noise = noise / size if is_log else noise * size
        width = 2 * (noise if family == UNIFORM else min(noise, second))
        panels = int(np.clip(np.ceil((high - low) / width), 4, _MOST_PANELS))
        edges = np.linspace(low, high, panels + 1)
        half = np.diff(edges) / 2
        x = ((edges[:-1] + edges[1:]) / 2)[:, None] + half[:, None] * _X
        log_w = (np.log(half)[:, None] + np.log(_W)).ravel()
        x = x.ravel()
        if family != UNIFORM:
            log_w = log_w - 0.5 * ((x - first) / second) ** 2
        log_w -= np.logaddexp.reduce(log_w)
        y = np.exp(x) if is_log else x
        keep = log_w > -50
        y, log_w = y[keep], log_w[keep]
    return kernel.centre(y), kernel.sd(y), log_w - log_normaliser(kernel, y)
