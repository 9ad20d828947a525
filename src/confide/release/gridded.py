"""Noisy numbers on a grid: how they are put there, and which unrounded numbers are behind each."""

from __future__ import annotations

import numpy as np

from confide.release.channel import Kernel
from confide.release.decimals import MOST_STEPS
from confide.typing import FloatArray


def gridded(kernel: Kernel, z: FloatArray) -> FloatArray:
    """Put numbers on the grid of a channel, within its bounds; where zeros are kept, no other number becomes one.

    >>> gridded(Kernel(sds=(1.0,), grid=0.1), np.array([0.29, 0.68, -0.04])).tolist()
    [0.3, 0.7, 0.0]
    """
    assert kernel.grid is not None
    first, last = kernel.ends
    with np.errstate(over="ignore"):
        k = np.clip(np.rint(z / kernel.grid), first, last)
    if kernel.keep_zero:
        away = np.copysign(1.0, z) if first <= -1 and last >= 1 else np.full(z.size, 1.0 if first > -1 else -1.0)
        k = np.where(k == 0, away, k)
    return gridded_at(kernel, k)


def gridded_at(kernel: Kernel, k: FloatArray) -> FloatArray:
    """Give multiples of the step; those too far away have no digit of that place."""
    assert kernel.grid is not None
    with np.errstate(over="ignore"):
        found = k * kernel.grid
    near = np.abs(k) < MOST_STEPS
    found[near] = kernel.steps.nearest(k[near])
    return found


def cells(kernel: Kernel, z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the interval of unrounded, unclamped numbers that are released as each number of a grid.

    >>> kernel = Kernel(sds=(1.0,), grid=1.0, keep_zero=True, lower=0.0, clamp=True)
    >>> [x.tolist() for x in cells(kernel, np.array([1.0, 2.0]))]
    [[-inf, 1.5], [1.5, 2.5]]
    """
    assert kernel.grid is not None
    first, last = kernel.ends
    lo, hi = z - kernel.grid / 2, z + kernel.grid / 2
    if kernel.keep_zero:
        # what would be zero is released as one step up or down; clamped numbers are zeros before they are rounded
        lo = np.where(z == kernel.grid, -np.inf if first > -1 else 0.0, lo)
        hi = np.where(z == -kernel.grid, np.inf if last < 1 else 0.0, hi)
    bottom, top = gridded_at(kernel, np.array([first, last]))
    lo, hi = np.where(z <= bottom, -np.inf, lo), np.where(z >= top, np.inf, hi)
    if not kernel.clamp:
        lo, hi = np.maximum(lo, kernel.lower), np.minimum(hi, kernel.upper)
    none = np.equal(z, 0.0) & np.bool_(kernel.keep_zero)
    return np.where(none, 0.0, lo), np.where(none, 0.0, hi)


def between(kernel: Kernel, first: FloatArray, last: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the interval of unrounded, unclamped numbers that are released as one of some multiples of the step.

    Where there is no such multiple, the upper end is below the lower one.

    >>> [x.tolist() for x in between(Kernel(sds=(1.0,), grid=0.5), np.array([2.0]), np.array([4.0]))]
    [[0.75], [2.25]]
    """
    if kernel.keep_zero:
        # zeros are kept, and nothing else is released as one
        first, last = np.where(first == 0, 1.0, first), np.where(last == 0, -1.0, last)
    lo, hi = cells(kernel, gridded_at(kernel, first))[0], cells(kernel, gridded_at(kernel, last))[1]
    none = first > last
    return np.where(none, 0.0, lo), np.where(none, -1.0, hi)
