"""The interval that an intruder puts around a masked value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from confide.errors import IntruderError
from confide.typing import BoolArray, FloatArray


class Ends(NamedTuple):
    """An interval for each record; NaN where the masked value is missing."""

    low: FloatArray
    high: FloatArray
    closed: bool
    """Whether the ends belong to the interval."""

    def hold(self, original: FloatArray) -> BoolArray:
        """Say which original values lie in their intervals; a missing value lies in none."""
        with np.errstate(invalid="ignore"):
            if self.closed:
                return np.asarray((original >= self.low) & (original <= self.high), dtype=np.bool_)
            return np.asarray((original > self.low) & (original < self.high), dtype=np.bool_)


class Around(Protocol):
    """How intervals are put around masked values."""

    def ends(self, original: FloatArray, masked: FloatArray) -> Ends:
        """Give the interval of every record."""
        ...

    def describe(self) -> str:
        """Say it in words."""
        ...


@dataclass(frozen=True, slots=True)
class RankWidth:
    """Ranks that differ among them by less than p per cent of the records (Domingo-Ferrer and Torra 2004, section 2.3).

    The interval of a masked value with rank r goes from the value of rank r - h to that of rank r + h, where h is the
    largest whole number with 2 h < p n / 100. Ranks end at 1 and n, the ends belong to the interval, and equal masked values
    share the union of their intervals.

    >>> RankWidth(30).half(10)
    1
    """

    percent: float
    """p."""

    def __post_init__(self) -> None:
        """Check the per cent."""
        if not 0 < self.percent <= 200:
            raise IntruderError(f"{type(self).__name__}: give a per cent above 0 and up to 200; found {self.percent}")

    @property
    def sides(self) -> int:
        """Two: p is the whole width."""
        return 2

    def half(self, n: int) -> int:
        """Give h for a file of n records."""
        # rounding of p n must not decide whether a whole number is below it
        return max(0, math.ceil(round(self.percent * n / (100 * self.sides), 9)) - 1)

    def ends(self, original: FloatArray, masked: FloatArray) -> Ends:
        """Give the interval of every record, by one sort."""
        del original
        low, high = np.full(masked.size, np.nan), np.full(masked.size, np.nan)
        present = np.flatnonzero(~np.isnan(masked))
        ranked = present[np.argsort(masked[present], kind="stable")]
        x = masked[ranked]
        h, last = self.half(x.size), x.size - 1
        # equal values: from the first of their ranks to the last
        starts = np.flatnonzero(np.concatenate([[True], x[1:] != x[:-1]])) if x.size else np.zeros(0, dtype=np.int64)
        times = np.diff(np.append(starts, x.size))
        low[ranked] = np.repeat(x[np.maximum(starts - h, 0)], times)
        high[ranked] = np.repeat(x[np.minimum(starts + times - 1 + h, last)], times)
        return Ends(low, high, closed=True)

    def describe(self) -> str:
        """Say it in words."""
        return f"ranks within {self.percent:g} per cent of the records" + (" to either side" if self.sides == 1 else "")


@dataclass(frozen=True, slots=True)
class RankHalfWidth(RankWidth):
    """The other reading: ranks up to p per cent of the records away on either side, h < p n / 100.

    >>> RankHalfWidth(30).half(10)
    2
    """

    @property
    def sides(self) -> int:
        """One: p is the width of each side."""
        return 1


@dataclass(frozen=True, slots=True)
class SdWidth:
    """Within k standard deviations of the masked value: the interval of sdcMicro's dRisk, whose default is k = 0.05.

    The deviation (n - 1) is that of the masked values, as there; the ends do not belong to the interval.

    >>> SdWidth(0.5).ends(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 5.0])).low.tolist()
    [0.0, 2.0, 4.0]
    """

    k: float = 0.05
    """How many standard deviations to either side."""

    def __post_init__(self) -> None:
        """Check k."""
        if not (np.isfinite(self.k) and self.k > 0):
            raise IntruderError(f"SdWidth: k must be positive and finite; found {self.k}")

    def ends(self, original: FloatArray, masked: FloatArray) -> Ends:
        """Give the interval of every record."""
        del original
        known = masked[~np.isnan(masked)]
        if known.size < 2:
            raise IntruderError(f"a standard deviation needs two values; {known.size} of {masked.size} are not missing")
        reach = self.k * float(np.std(known, ddof=1))
        return Ends(masked - reach, masked + reach, closed=False)

    def describe(self) -> str:
        """Say it in words."""
        return f"within {self.k:g} standard deviations"
