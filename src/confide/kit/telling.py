"""What may be told of a group of respondents: how large it must be, and how closely a sum of their amounts is given.

An amount is what single respondents have or lose. A sum of amounts is told as a multiple of a step that is at least twice
the largest amount of the whole file, and a mean as that multiple over the number of respondents. So the difference of two
sums, one with a respondent and one without, is 0 or one step, whatever the amount is. The sum of a whole file is rounded
upwards: it is never told for less than it is, and one large amount among small ones gives one step, however large it is.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import FEWEST
from confide.typing import FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl

SMALLEST = FEWEST
"""A group of which something is told has at least so many respondents."""
MEAN_DIGITS = 3
"""Means keep so many digits."""
CONFIDENTIAL = "confidential"
"""The column that marks a file of single records."""


def step_for(amounts: FloatArray) -> float:
    """Give the step of sums: the smallest of 1, 2 and 5 times a power of ten that is at least twice the largest amount.

    Args:
        amounts: all amounts of the file; their signs do not count, nor do those that are not known. 0: all are 0.

    >>> step_for(np.array([3.0, 60.0])), step_for(np.array([0.1, 0.25])), step_for(np.zeros(3))
    (200.0, 0.5, 0.0)
    """
    known = np.abs(amounts[~np.isnan(amounts)])
    largest = float(known.max(initial=0.0))
    if not 0 < largest < np.inf:
        return largest
    wanted = 2 * Decimal(repr(largest))
    power = Decimal(1).scaleb(wanted.adjusted())
    return float(next(power * k for k in (1, 2, 5, 10) if power * k >= wanted))


def on_step(total: float, step: float, *, up: bool = False) -> float:
    """Give the multiple of the step that is nearest to a sum, or the next one from it upwards.

    >>> on_step(1_260.0, 200.0), on_step(0.30000000000000004, 0.1), on_step(1_260.0, 200.0, up=True)
    (1200.0, 0.3, 1400.0)
    """
    if not step > 0 or not np.isfinite(total) or not np.isfinite(step):
        return total
    width = Decimal(repr(step))
    # what a sum of floating numbers is off by is no reason to go a step further
    near = Decimal(repr(total)) / width
    near = near.quantize(Decimal("1e-9")) if near.adjusted() < 15 else near
    return float(near.to_integral_value(ROUND_CEILING if up else ROUND_HALF_EVEN) * width)


def mean_of(total: float, n: int) -> float:
    """Give the mean that belongs to a sum that is told, to a few digits.

    >>> mean_of(1200.0, 7)
    171.0
    """
    return float(f"{total / n:.{MEAN_DIGITS}g}")


def counted(codes: IntArray, size: int) -> list[int]:
    """Count the records of each level.

    Args:
        codes: the place of each record's level; below zero where it has none.
        size: how many levels there are.

    >>> counted(np.array([0, 2, 2, -1]), 3)
    [1, 0, 2]
    """
    found: list[int] = np.bincount(codes[codes >= 0], minlength=size)[:size].tolist()
    return found


def marked(frame: pl.DataFrame) -> pl.DataFrame:
    """Give a frame of single records, or of what is not published, a first column that says so, for when it is a file.

    >>> import polars as pl
    >>> marked(pl.DataFrame({"row": [0]})).columns
    ['confidential', 'row']
    """
    import polars as pl

    name = CONFIDENTIAL
    while name in frame.columns:
        name += "_"
    return frame.select(pl.lit("yes").alias(name), pl.all())
