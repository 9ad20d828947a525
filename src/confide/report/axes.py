"""Find a good axis for counts and rates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from confide.report.amounts import amount

MOST_TICKS = 5
"""More labels would stand too close."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Where an axis begins and ends, and what stands on it."""

    low: float
    """Where it begins."""
    high: float
    """Where it ends."""
    ticks: tuple[float, ...]
    """Where the labels are."""
    labels: tuple[str, ...]
    """What they say."""
    logarithmic: bool
    """Whether it is logarithmic."""
    zero: float = 0.0
    """Where a zero is put; on a logarithmic axis a place of its own at the left."""

    def place(self, value: float) -> float:
        """Give the place of a figure."""
        return self.zero if value <= 0 else value


def axis(values: Sequence[float], *, logarithmic: bool) -> Axis:
    """Make an axis that holds all values.

    >>> axis([0.0, 30.0, 31691.0], logarithmic=True).labels
    ('0', '100', '1,000', '10,000')
    >>> axis([3.0, 17.0], logarithmic=False).labels
    ('0', '5', '10', '15')
    """
    positive = [v for v in values if v > 0]
    if logarithmic and positive:
        return _logarithmic(min(positive), max(positive), zero=any(v <= 0 for v in values))
    top = max([*positive, 0.0]) or 1.0
    step = _round_step(top / 4)
    ticks = tuple(i * step for i in range(int(top / step) + 1))
    return Axis(-0.03 * top, 1.08 * top, ticks, tuple(map(amount, ticks)), logarithmic=False)


def _logarithmic(least: float, most: float, *, zero: bool) -> Axis:
    """Make a logarithmic axis with labels at powers of ten."""
    ticks = _round_numbers(least / 1.5, most * 1.5)
    labels = [amount(t) for t in ticks]
    low = least / 1.6
    if not zero:
        return Axis(low, most * 1.6, tuple(ticks), tuple(labels), logarithmic=True)
    place = low / 2.5
    return Axis(place / 1.4, most * 1.6, (place, *ticks), ("0", *labels), logarithmic=True, zero=place)


def _round_numbers(low: float, high: float) -> list[float]:
    """Give a handful of round numbers on a logarithmic axis."""
    powers = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    for mantissas in ((1, 2, 5), (1, 3), (1,)):
        found = [x for p in powers for m in mantissas if low <= (x := float(f"{m}e{p}")) <= high]
        if len(found) <= MOST_TICKS:
            return found
    return found[:: 1 + (len(found) - 1) // MOST_TICKS]


def _round_step(least: float) -> float:
    """Give the smallest of 1, 2, 5, 10, ... that is at least a number."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= least * (1 - 1e-9))
