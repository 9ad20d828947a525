"""Are numbers, and the noise on them, of a size that can be calculated with?"""

from __future__ import annotations

import numpy as np

from confide.errors import ReleaseError
from confide.release.channel import Kernel
from confide.typing import FloatArray

LARGEST, SMALLEST = 1e150, 1e-150
"""Beyond these sizes squares are infinite, or zero."""
RELEASED = 1e100
"""Of larger numbers neither weighted squares nor sums of them can be computed."""
FAR = 8.0
"""A normal number is further from its mean than so many standard deviations once in 10^15 times."""


def check_size(x: FloatArray, what: str) -> None:
    """Raise where numbers are so large that their squares are infinite.

    Args:
        x: numbers that are perturbed.
        what: the method and the variable, for messages.
    """
    large = int(np.sum(np.abs(x) > LARGEST))
    if large:
        raise ReleaseError(
            f"{what}: {large:,} of {x.size:,} values are infinite or beyond {LARGEST:g}; their squares overflow, so that "
            "neither a spread nor a likelihood can be computed. Are they codes for missing values? Set them missing, or "
            "topcode first"
        )


def check_released(x: FloatArray, what: str) -> None:
    """Raise where a method made numbers that are infinite, or so large that weighted squares of them are.

    Args:
        x: released numbers; NaN where there is none.
        what: the method and the variable, for messages.

    >>> check_released(np.array([1.0, 1e200]), "Topcode 'tax'")
    Traceback (most recent call last):
    confide.errors.ReleaseError: Topcode 'tax' would release numbers beyond 1e+100, with which nothing can be \
computed; choose smaller settings
    """
    if float(np.fmax.reduce(np.abs(x), initial=0.0)) > RELEASED:
        raise ReleaseError(
            f"{what} would release numbers beyond {RELEASED:g}, with which nothing can be computed; choose smaller settings"
        )


def check_noise(kernel: Kernel, x: FloatArray, what: str) -> None:
    """Raise where noise is too small to change any number but zero, or of a size whose square is zero or infinite.

    >>> check_noise(Kernel(sds=(1e-20,)), np.array([0.0, 635.0]), "Noise 'tax'")
    Traceback (most recent call last):
    confide.errors.ReleaseError: Noise 'tax': noise with sd 1e-20 changes none of the values, which would be released as \
they are; give a larger sd
    """
    wrong = [s for s in kernel.sds if not SMALLEST <= s <= LARGEST]
    if wrong:
        raise ReleaseError(f"{what}: sd must be between {SMALLEST:g} and {LARGEST:g}, found {wrong[0]:g}")
    y = x[x != 0]
    with np.errstate(over="ignore"):
        far = np.exp(FAR * kernel.sd(y)) if kernel.log_scale else FAR * kernel.sd(y)
        moved = y * far != y if kernel.log_scale else (y + far != y) | (y - far != y)
    if kernel.log_scale and bool((np.abs(y) * far > LARGEST).any()):
        raise ReleaseError(
            f"{what}: noise with sd {max(kernel.sds):g} multiplies numbers so that they reach {LARGEST:g}; give a smaller sd"
        )
    if y.size and not bool(moved.any()):
        raise ReleaseError(
            f"{what}: noise with sd {max(kernel.sds):g} changes none of the values, which would be released as they are; "
            "give a larger sd"
        )
    if kernel.grid is not None:
        _check_grid(kernel, x, far, what)


def _check_grid(kernel: Kernel, x: FloatArray, far: FloatArray, what: str) -> None:
    """Raise where a grid has no multiple within the bounds, or is so coarse that noise changes no number on it."""
    assert kernel.grid is not None
    step, (first, last) = kernel.grid, kernel.ends
    if first > last or (kernel.keep_zero and first > -1 and last < 1):
        other = " other than zero, which is kept," if first <= last else ""
        raise ReleaseError(
            f"{what}: no multiple of the grid's step {step:g}{other} lies between {kernel.lower:g} and {kernel.upper:g}; "
            "give a smaller grid, or wider bounds"
        )
    y = x[x != 0]
    with np.errstate(over="ignore", invalid="ignore"):
        low, high = (y / far, y * far) if kernel.log_scale else (y - far, y + far)
        same = (np.rint(low / step) == np.rint(high / step)) & (np.rint(y / step) * step == y)
    if y.size and bool(same.all()):
        raise ReleaseError(
            f"{what}: noise with sd {max(kernel.sds):g} changes none of the values, which lie on a grid of step {step:g} as "
            "released numbers do; give a larger sd, or a smaller grid"
        )
