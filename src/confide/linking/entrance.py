"""What true numbers are when noise is added to them: themselves, or the number that a cut put in their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.errors import LikelihoodError
from confide.release.channel import Deterministic
from confide.release.methods.round import Rounded


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
    lattice: Rounded | None = None
    """What numbers are rounded to; None: they are perturbed as they are."""

    def ends(self, low: float, high: float) -> tuple[float, float]:
        """Give the first and the last true number that is rounded to one between two; all numbers are as they are if not."""
        return (low, high) if self.lattice is None else _ends(self.lattice, low, high)


def entrance(steps: Sequence[Deterministic]) -> Entrance:
    """Follow all numbers through the steps before the noise.

    >>> from confide.release.methods.topcode import Cut
    >>> found = entrance([Cut(100.0, "", 120.0, top=True), Cut(0.0, "below", None, top=False)])
    >>> found.low, found.high, [(round(r.low, 6), r.high, r.number) for r in found.replaced]
    (0.0, 100.0, [(100.0, inf, 120.0)])
    """
    low, high, replaced, coded = -np.inf, np.inf, list[Replaced](), list[Column]()
    lattice: Rounded | None = None
    for step in steps:
        first, last = step.passes()
        if lattice is not None:
            first, last = _ends(lattice, first, last)
        found = [(r.low, r.high, _pushed(step, r.number)) for r in replaced]
        if first <= last:
            beyond = [(float(np.nextafter(last, np.inf)), high)] if last < high else []
            beyond += [(low, float(np.nextafter(first, -np.inf)))] if first > low else []
            ends = [(max(a, low), min(b, high)) for a, b in beyond]
            found += [(a, b, _pushed(step, a if np.isfinite(a) else b, lattice)) for a, b in ends if a <= b]
        coded = [*(step.push(c) for c in coded), *(c for _, _, c in found if not c.is_number[0])]
        replaced = [Replaced(a, b, float(c.numbers[0])) for a, b, c in found if c.is_number[0]]
        low, high = max(low, first), min(high, last)
        if isinstance(step, Rounded):
            if lattice is not None and lattice.to != step.to:
                raise LikelihoodError(
                    f"numbers are rounded to multiples of {lattice.to:g}, then of {step.to:g}, before noise is added; the "
                    "likelihood of that chain is not tractable. Round once"
                )
            lattice = step
    return Entrance(low, high, tuple(replaced), tuple(c for c in coded if not c.is_missing[0]), lattice)


def _ends(lattice: Rounded, low: float, high: float) -> tuple[float, float]:
    """Give the first and the last number that is rounded to one between two."""
    found = [low, high]
    for k, (x, inwards) in enumerate(((low, 1.0), (high, -1.0))):
        if np.isfinite(x):
            at = float(lattice.push(Column.of_numbers([x])).numbers[0])
            at += inwards * lattice.to if (at - x) * inwards < 0 else 0.0
            multiple = lattice.push(Column.of_numbers([at]))
            found[k] = float(lattice.preimage(multiple)[k][0])
    return found[0], found[1]


def _pushed(step: Deterministic, number: float, lattice: Rounded | None = None) -> Column:
    """Give what a number becomes."""
    column = Column.of_numbers([number])
    return step.push(column if lattice is None else lattice.push(column))
