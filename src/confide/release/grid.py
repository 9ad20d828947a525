"""The equal steps that released numbers lie on: an unrounded number carries the source in its last bits."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from confide.release.decimals import MOST_STEPS
from confide.typing import FloatArray

Grid = float | Literal["source", "none"]
"""The step of released numbers: a positive number, the decimal step of the source, or none (unrounded)."""
WORTHWHILE = 1e6
"""A decimal step this many times smaller than the noise is more digits than matter."""
FINE, FINE_SOURCE = 1e-3, 5e-3
"""A step of so many sds of the noise, or fewer, is fine: one that was given, and one that is the source's."""
DIGITS = 1e-3
"""Where the source has more digits than matter, so many standard deviations of the noise, or fewer, are the step."""
FIRST = 1_000
"""So many numbers are looked at first: where they have no short decimals, the others need not be looked at."""


def grid_faults(grid: Grid) -> list[str]:
    """Say what is wrong with a declared grid; empty: nothing.

    >>> grid_faults("source"), grid_faults(0.01)
    ([], [])
    >>> grid_faults(-1)
    ["grid is a positive number, 'source' or 'none', found -1"]
    """
    if isinstance(grid, int | float) and not isinstance(grid, bool):
        good = math.isfinite(grid) and grid > 0
    else:
        good = grid in ("source", "none")
    return [] if good else [f"grid is a positive number, 'source' or 'none', found {grid!r}"]


def grid_words(grid: Grid) -> str:
    """Say in a method's line what a declared grid does; nothing where it is the source's.

    >>> grid_words("source"), grid_words(25), grid_words("none")
    ('', ', in steps of 25', ', unrounded')
    """
    return "" if grid == "source" else ", unrounded" if grid == "none" else f", in steps of {grid:g}"


def found_step(grid: Grid, x: FloatArray, sd: float) -> float | None:
    """Give the step that released numbers lie on; None where they are unrounded.

    Args:
        grid: what was declared.
        x: the numbers that are perturbed, or released.
        sd: the standard deviation of the noise.

    >>> cents, digits = np.array([0.25, 17.1]), np.array([0.123456789012, 17.1])
    >>> found_step("source", cents, 5.0), found_step("source", digits, 5.0), found_step(25, cents, 5.0)
    (0.01, 0.001, 25.0)
    >>> print(found_step("none", cents, 5.0))
    None
    """
    if grid == "none":
        return None
    return source_step(x, sd) if grid == "source" else float(grid)


def source_step(x: FloatArray, sd: float) -> float:
    """Give the decimal step of numbers, 10^-places and never coarser than 1.

    Where numbers have more digits than matter, a step below sd / 10^6, it is the largest power of ten not above sd / 1000
    and not above 1; a coarser one only where no number of this size has a digit of that place.

    >>> [source_step(np.array(x), 10.0) for x in ([100.0, 2300.0], [0.5, 2.0], [1 / 3])]
    [1.0, 0.1, 0.01]
    """
    places = 0
    while places == 0 or 10.0**-places * WORTHWHILE >= sd > 0:
        if places > 22:
            break
        if _has_places(x[:FIRST], places) and _has_places(x, places):
            return float(f"1e-{places}")
        places += 1
    size = float(np.max(np.abs(x), initial=0.0))
    power = min(0, math.floor(math.log10(sd * DIGITS))) if sd > 0 else 0
    if size > 0:
        power = max(power, math.ceil(math.log10(size / MOST_STEPS)))
    return float(f"1e{power}")


def _has_places(x: FloatArray, places: int) -> bool:
    """Say whether numbers are decimals of so many places."""
    scale = 10.0**places
    with np.errstate(over="ignore", invalid="ignore"):
        k = np.rint(x * scale)
        return bool(np.all((k / scale == x) & ((np.abs(k) < MOST_STEPS) | (places == 0))))
