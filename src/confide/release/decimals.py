"""Equal steps in decimal arithmetic: .3 is three steps of .1, though in binary it is a little less.

A number is taken for the shortest decimal that stands for it, which is how it prints and how it was written. Steps are
multiplied out in decimals, and numbers are compared with them in decimals. The shortest decimals are in the order of the
numbers, so that a comparison in decimals is one with the first number at or above the decimal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal, DivisionByZero, Inexact, InvalidOperation

import numpy as np

from confide.typing import BoolArray, FloatArray

EXACT = Context(prec=3_000, traps=[DivisionByZero, Inexact, InvalidOperation])
"""Decimals are never rounded."""
MOST_STEPS = 2.0**50
"""So many steps away from the start a number still has the digit of a step."""
FIFTEEN = 1e15
"""A decimal of at most fifteen digits is the shortest of its number."""
MOST_PLACES = 22
"""Powers of ten up to this one are numbers."""


def printed(x: float) -> Decimal:
    """Give the decimal that a number prints as.

    >>> printed(0.1) + printed(0.2) == printed(0.3), 0.1 + 0.2 == 0.3
    (True, False)
    """
    return Decimal(repr(float(x)))


def written(x: Decimal) -> str:
    """Write a decimal with all its digits, a power of ten only where there are many zeros.

    >>> [written(Decimal(x)) for x in ("0.30", "2E+4", "1E+12", "0.3333333333333333", "-Infinity")]
    ['0.3', '20000', '1e+12', '0.3333333333333333', '-inf']
    """
    short = f"{float(x):.12g}"
    return short if not x.is_finite() or Decimal(short) == x else f"{x.normalize(EXACT):g}"


@dataclass(frozen=True, slots=True)
class Steps:
    """The decimals start + k width, for all whole k.

    >>> steps = Steps(Decimal(0), printed(0.1))
    >>> steps.number(np.array([0.3, 0.29, -0.1, 0.7])).tolist(), steps.nearest(np.array([3.0, 7.0])).tolist()
    ([3.0, 2.0, -1.0, 7.0], [0.3, 0.7])
    """

    start: Decimal
    """Step 0."""
    width: Decimal
    """The distance of steps."""

    def at(self, k: int) -> Decimal:
        """Give a step."""
        return EXACT.add(self.start, EXACT.multiply(Decimal(k), self.width))

    def place(self, x: Decimal) -> int | None:
        """Say which step a decimal is; None where it is none."""
        if not x.is_finite() or not abs(x) < Decimal(MOST_STEPS) * self.width:
            return None
        try:
            k, rest = EXACT.divmod(EXACT.subtract(x, self.start), self.width)
        except Inexact:
            return None
        return None if rest else int(k)

    def number(self, x: FloatArray) -> FloatArray:
        """Give the last step at or below each number; NaN too far away to tell, see `MOST_STEPS`."""
        start, width = float(self.start), float(self.width)
        with np.errstate(over="ignore"):
            near = (np.abs(x) + abs(start)) / width < MOST_STEPS
        # the quotient of numbers this near is off by less than one
        k, x = np.floor((x[near] - start) / width), x[near]
        k = k + (x >= self.first(k + 1))
        found = np.full(near.size, np.nan)
        found[near] = k - (x < self.first(k))
        return found

    def first(self, k: FloatArray) -> FloatArray:
        """Give the first number at or above each step."""
        near, side = self._place(k)
        return np.where(side >= 0, near, np.nextafter(near, np.inf))

    def after(self, k: FloatArray) -> FloatArray:
        """Give the first number above each step."""
        near, side = self._place(k)
        return np.where(side > 0, near, np.nextafter(near, np.inf))

    def nearest(self, k: FloatArray) -> FloatArray:
        """Give the number nearest to each step."""
        return self._place(k)[0]

    def is_on(self, x: FloatArray, k: FloatArray) -> BoolArray:
        """Say whether each number is exactly a step."""
        near, side = self._place(k)
        return np.equal(near, x) & np.equal(side, 0.0)

    def _place(self, k: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give the number nearest to each step, and on which side of the step it prints: -1, 0 or 1."""
        places = max(0, -_exponent(self.start), -_exponent(self.width))
        start, width = (float(EXACT.scaleb(x, places)) for x in (self.start, self.width))
        whole = start + k * width
        plain = (np.maximum(np.abs(k * width), np.abs(whole)) < FIFTEEN) & (abs(start) < FIFTEEN) & (places <= MOST_PLACES)
        # whole numbers of so many digits and the power of ten are exact, so that the quotient is the nearest number
        near, side = whole / 10.0 ** min(places, MOST_PLACES) + 0.0, np.zeros(k.size)
        if not bool(plain.all()):
            distinct, which = np.unique(k[~plain], return_inverse=True)
            found = np.array([_beside(self.at(int(x))) for x in distinct.tolist()])[which]
            near[~plain], side[~plain] = found[:, 0], found[:, 1]
        return near, side


def _exponent(x: Decimal) -> int:
    """Give the place of the last digit."""
    exponent = x.normalize(EXACT).as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def _beside(x: Decimal) -> tuple[float, float]:
    """Give the number nearest to a decimal, and whether it prints below, at or above it."""
    near = float(x) + 0.0
    shown = printed(near)
    return near, float((shown > x) - (shown < x))


def by_value(function: Callable[[FloatArray], FloatArray], x: FloatArray) -> FloatArray:
    """Apply a function of single numbers to the distinct ones only."""
    distinct, which = np.unique(x, return_inverse=True)
    return function(distinct)[which]
