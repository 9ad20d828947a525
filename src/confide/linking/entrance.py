"""What true numbers are when noise is added to them: themselves, or the number that a cut put in their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.release.channel import Deterministic


@dataclass(frozen=True, slots=True)
class Replaced:
    """True numbers in whose place one number is perturbed."""

    low: float
    """The first of them."""
    high: float
    """The last of them."""
    number: float
    """What stands in their place."""

    @property
    def label(self) -> str:
        """Name them as a class of the noisy variable; nobody sees it in the released file."""
        return f"(replaced by {self.number!r})"


@dataclass(frozen=True, slots=True)
class Entrance:
    """What the steps before the noise do to numbers."""

    low: float
    """The first number that is perturbed as it is."""
    high: float
    """The last one."""
    replaced: tuple[Replaced, ...]
    """Numbers in whose place another one is perturbed."""
    coded: tuple[Column, ...] = ()
    """The categories that other numbers become, one column for each."""


def entrance(steps: Sequence[Deterministic]) -> Entrance:
    """Follow all numbers through the steps before the noise.

    >>> from confide.release.methods.topcode import Cut
    >>> found = entrance([Cut(100.0, "", 120.0, top=True), Cut(0.0, "below", None, top=False)])
    >>> found.low, found.high, [(round(r.low, 6), r.high, r.number) for r in found.replaced]
    (0.0, 100.0, [(100.0, inf, 120.0)])
    """
    low, high, replaced, coded = -np.inf, np.inf, list[Replaced](), list[Column]()
    for step in steps:
        first, last = step.passes()
        found = [(r.low, r.high, _pushed(step, r.number)) for r in replaced]
        if first <= last:
            beyond = [(float(np.nextafter(last, np.inf)), high)] if last < high else []
            beyond += [(low, float(np.nextafter(first, -np.inf)))] if first > low else []
            ends = [(max(a, low), min(b, high)) for a, b in beyond]
            found += [(a, b, _pushed(step, a if np.isfinite(a) else b)) for a, b in ends if a <= b]
        coded = [*(step.push(c) for c in coded), *(c for _, _, c in found if not c.is_number[0])]
        replaced = [Replaced(a, b, float(c.numbers[0])) for a, b, c in found if c.is_number[0]]
        low, high = max(low, first), min(high, last)
    return Entrance(low, high, tuple(replaced), tuple(c for c in coded if not c.is_missing[0]))


def _pushed(step: Deterministic, number: float) -> Column:
    """Give what a number becomes."""
    return step.push(Column.of_numbers([number]))
