"""A step that perturbs numbers with Gaussian noise: both faces of a Kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri

from confide.data.column import Column
from confide.kit.keyed import Draws
from confide.release.channel import Channel, Kernel
from confide.release.gridded import cells, gridded
from confide.release.method import Draft
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class KernelStep:
    """Noise on one variable, with its standard deviations filled in."""

    variable: str
    """The variable that is perturbed."""
    kernel: Kernel
    """The channel."""

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The one channel of the step."""
        return {self.variable: self.kernel}

    @property
    def grids(self) -> Mapping[str, float | None]:
        """The step that released numbers are multiples of."""
        return {self.variable: self.kernel.grid}

    def apply(self, draft: Draft, stream: Draws) -> Draft:
        """Perturb the numbers; categories and missing values pass."""
        column = draft.data.columns[self.variable]
        masked = perturb(self.kernel, column, draft.keys, stream)
        return Draft(draft.data.with_columns({self.variable: masked}), draft.parent, draft.keys)


def perturb(kernel: Kernel, column: Column, keys: IntArray, stream: Draws) -> Column:
    """Draw released numbers for true ones."""
    moved = column.is_number & ((column.numbers != 0) | (not kernel.keep_zero))
    y = column.numbers[moved]
    c, s = kernel.centre(y), kernel.sd(y)
    u = stream.uniform(keys[moved])
    if kernel.clamp or (np.isinf(kernel.lower) and np.isinf(kernel.upper)):
        g = c + s * ndtri(u)
    else:
        g = c + s * _truncated((kernel.lower - c) / s, (kernel.upper - c) / s, u)
    z = np.copysign(np.exp(g), y) if kernel.log_scale else g
    if kernel.clamp:
        z = np.clip(z, kernel.lower, kernel.upper)
    if kernel.grid is not None:
        z = gridded(kernel, z)
    numbers = column.numbers.copy()
    numbers[moved] = z
    return column.with_numbers(moved, numbers)


def _truncated(a: FloatArray, b: FloatArray, u: FloatArray) -> FloatArray:
    """Draw from the standard normal between a and b: what redrawing until inside gives."""
    flip = a + b > 0
    lo, hi = np.where(flip, -b, a), np.where(flip, -a, b)
    p = ndtr(lo) + u * (ndtr(hi) - ndtr(lo))
    x = np.clip(ndtri(p), lo, hi)
    return np.asarray(np.where(flip, -x, x), dtype=np.float64)


def kernel_interval(kernel: Kernel, z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the interval of unrounded, unclamped numbers that are released as each z.

    Both ends are equal where a density tells enough: where the number is released as drawn, and inside the bounds of a
    fine grid (see `log_likelihood`). Else a number on a grid stands for the mass within one half step of it
    (convention 8 of the reproduced paper); a number on a clamped bound for all mass beyond it.
    """
    if kernel.grid is not None:
        lo, hi = cells(kernel, z)
        plain = kernel.is_fine(z) & (lo == z - kernel.grid / 2) & (hi == z + kernel.grid / 2)
        return np.where(plain, z, lo), np.where(plain, z, hi)
    lo, hi = z.copy(), z.copy()
    if kernel.clamp:
        lo = np.where(z <= kernel.lower, -np.inf, lo)
        hi = np.where(z >= kernel.upper, np.inf, hi)
    return lo, hi


def on_scale(kernel: Kernel, lo: FloatArray, hi: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Express intervals on the scale of the noise, with the log Jacobian of single numbers."""
    if not kernel.log_scale:
        return lo, hi, np.zeros(lo.size)
    swap = hi <= 0
    a, b = np.where(swap, -hi, lo), np.where(swap, -lo, hi)
    with np.errstate(divide="ignore", invalid="ignore"):
        ga, gb = np.log(np.maximum(a, 0.0)), np.log(np.maximum(b, 0.0))
    jacobian = np.where(lo == hi, -ga, 0.0)
    return ga, gb, jacobian


def log_normaliser(kernel: Kernel, y: FloatArray) -> FloatArray:
    """Give the log of the mass that redrawing leaves inside the bounds, at each true value."""
    if kernel.clamp or kernel.log_scale or (np.isinf(kernel.lower) and np.isinf(kernel.upper)):
        return np.zeros(y.size)
    s = kernel.sd(y)
    return log_mass((kernel.lower - y) / s, (kernel.upper - y) / s)


def log_mass(a: FloatArray, b: FloatArray) -> FloatArray:
    """Give log(Phi(b) - Phi(a)) without cancellation in the tails."""
    flip = a + b > 0
    lo, hi = np.where(flip, -b, a), np.where(flip, -a, b)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        upper, lower = log_ndtr(hi), log_ndtr(lo)
        gap = np.where(np.isneginf(lower), -np.inf, lower - upper)
        return np.asarray(upper + np.log1p(-np.exp(gap)), dtype=np.float64)


def log_likelihood(kernel: Kernel, released: FloatArray, true: FloatArray) -> FloatArray:
    """Give log Pr(released | true), elementwise, for perturbed numbers (3.2.2): masses on a grid, else densities.

    Where a step h is fine, at most sd / 1000, or sd / 200 where it is the source's, the mass of a number u sds from its
    centre is taken to be h times the density. It is that times the mean of exp(-u d - d^2 / 2) over |d| < h / (2 sd), so
    that the relative error is at most (u^2 + 1) (h / sd)^2 / 23 while u h / sd < 1: of sd / 200, below 8e-5 at 8 sds; of
    sd / 1000, below 3e-6. Where noise multiplies, h is the step as a share of the number, and u + 2 sd stands for u.

    >>> kernel = Kernel(sds=(290.0,), lower=0.0)
    >>> float(np.exp(log_likelihood(kernel, np.array([596.0]), np.array([635.0])))[0])  # doctest: +ELLIPSIS
    0.001383...
    """
    lo, hi = kernel_interval(kernel, released)
    a, b, jacobian = on_scale(kernel, lo, hi)
    c, s = kernel.centre(true), kernel.sd(true)
    point = lo == hi
    with np.errstate(invalid="ignore"):
        density = -0.5 * ((a - c) / s) ** 2 - np.log(s) - 0.5 * np.log(2 * np.pi) + jacobian
        density = density + (0.0 if kernel.grid is None else np.log(kernel.grid))
    mass = log_mass(np.where(point, -1.0, (a - c) / s), np.where(point, 1.0, (b - c) / s))
    value = np.where(point, density, mass) - log_normaliser(kernel, true)
    inside = (released >= kernel.lower) & (released <= kernel.upper)
    if kernel.grid is not None and kernel.keep_zero:
        inside &= released != 0
    if kernel.log_scale:
        inside &= np.sign(released) == np.sign(true)
    return np.where(inside, value, -np.inf)
