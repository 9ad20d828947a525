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
    """Numbers in whose place another one is perturbed; all else becomes a category."""


def entrance(steps: Sequence[Deterministic]) -> Entrance:
    """Follow all numbers through the steps before the noise.

    >>> from confide.release.methods.topcode import Cut
    >>> found = entrance([Cut(100.0, "", 120.0, top=True), Cut(0.0, "below", None, top=False)])
    >>> found.low, found.high, [(round(r.low, 6), r.high, r.number) for r in found.replaced]
    (0.0, 100.0, [(100.0, inf, 120.0)])
    """
    low, high, replaced = -np.inf, np.inf, list[Replaced]()
    for step in steps:
        moved = [Replaced(r.low, r.high, x) for r in replaced if (x := _becomes(step, r.number)) is not None]
        first, last = step.passes()
        beyond = [(float(np.nextafter(last, np.inf)), high)] if last < high else []
        beyond += [(low, float(np.nextafter(first, -np.inf)))] if first > low else []
        if first <= last:
            ends = [(max(a, low), min(b, high)) for a, b in beyond]
            parts = [(a, b, _becomes(step, a if np.isfinite(a) else b)) for a, b in ends if a <= b]
            moved += [Replaced(a, b, x) for a, b, x in parts if x is not None]
        low, high, replaced = max(low, first), min(high, last), moved
    return Entrance(low, high, tuple(replaced))


def _becomes(step: Deterministic, number: float) -> float | None:
    """Give the number that a number becomes; None: a category, or nothing."""
    after = step.push(Column.of_numbers([number]))
    return float(after.numbers[0]) if bool(after.is_number[0]) else None
