"""What is done to values without randomness, done again by others: known values coded as released, and read back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.column import Column
from confide.release.channel import Deterministic
from confide.release.method import Step
from confide.typing import FloatArray


def deterministic(steps: Sequence[Step], name: str) -> list[Deterministic]:
    """Give the channels without randomness that a variable went through, in order."""
    return [c for c in (step.channels.get(name) for step in steps) if isinstance(c, Deterministic)]


def coded(column: Column, channels: Sequence[Deterministic]) -> Column:
    """Give known values the form that the release gives them: whoever sees age groups puts ages into the same groups."""
    for channel in channels:
        column = channel.push(column)
    return column


def middle(low: FloatArray, high: FloatArray) -> FloatArray:
    """Give the middle of ranges, or the finite end of those with one; NaN where there is none.

    >>> middle(np.array([1.0, 90.0, np.nan, -np.inf]), np.array([2.0, np.inf, np.nan, np.inf])).tolist()
    [1.5, 90.0, nan, nan]
    """
    one, other = np.where(np.isfinite(low), low, high), np.where(np.isfinite(high), high, low)
    with np.errstate(invalid="ignore"):
        found = 0.5 * one + 0.5 * other
    return np.where(np.isfinite(found), found, np.nan)


def read_back(column: Column, channel: Deterministic, *, whole: bool = False) -> Column:
    """Let categories that stand for a range of numbers stand for the middle of it, or for its finite end.

    Args:
        column: released values.
        channel: what made categories of numbers.
        whole: whether the numbers were whole; the middle is then that of the whole numbers in the range.
    """
    low, high = channel.preimage(column)
    if whole:
        low, high = np.ceil(low), np.floor(high)
    number = middle(low, high)
    return column.with_numbers((column.codes >= 0) & ~np.isnan(number), number)
