"""How well the intruder knows a variable of the target.

A plain name means: exactly. The classes below mean: less than exactly. A target's own value is
always inside what is known about it (relative to the source file, the intruder is not wrong).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.intruder.distribution import Distribution
from confide.typing import Label


@dataclass(frozen=True, slots=True)
class Exactly:
    """The intruder knows the value."""

    variable: str
    """The variable."""

    def describe(self) -> str:
        """Say it in words."""
        return self.variable


@dataclass(frozen=True, slots=True)
class Within:
    """The intruder knows a number within some per cent of it.

    The interval is centred at the true value; no error is drawn. Of a number released with noise the intruder believes all
    of the interval equally, though the truth is always in its middle: the probabilities are underconfident, fewer
    identifications are perceived than such knowledge would justify, and those there are are right more often than they say.

    >>> Within("income", percent=20).describe()
    'income within 20 per cent'
    """

    variable: str
    """The variable."""
    percent: float
    """Half the width of the interval, in per cent of the value."""

    def __post_init__(self) -> None:
        """Check the percentage."""
        if not (math.isfinite(self.percent) and self.percent > 0):
            raise IntruderError(f"Within {self.variable!r}: percent must be positive, found {self.percent}")

    def describe(self) -> str:
        """Say it in words."""
        return f"{self.variable} within {self.percent:g} per cent"


@dataclass(frozen=True, slots=True)
class Between:
    """The intruder knows bounds of a number; leave one open with None.

    >>> Between("income", low=100_000).describe()
    'income at least 100000'
    """

    variable: str
    """The variable."""
    low: float | None = None
    """The value is at least this."""
    high: float | None = None
    """The value is at most this."""

    def __post_init__(self) -> None:
        """Check the bounds."""
        if self.low is None and self.high is None:
            raise IntruderError(f"Between {self.variable!r}: give low, high or both")
        if self.low is not None and self.high is not None and not self.low <= self.high:
            raise IntruderError(f"Between {self.variable!r}: low must not exceed high, found {self.low:g} and {self.high:g}")

    def describe(self) -> str:
        """Say it in words."""
        if self.high is None:
            return f"{self.variable} at least {self.low:g}"
        if self.low is None:
            return f"{self.variable} at most {self.high:g}"
        return f"{self.variable} between {self.low:g} and {self.high:g}"


@dataclass(frozen=True, slots=True)
class Bracket:
    """The intruder knows which of several brackets a number lies in."""

    variable: str
    """The variable."""
    breaks: Sequence[float]
    """The ends of the brackets, increasing; beyond them the brackets are open."""

    def __post_init__(self) -> None:
        """Check the breaks."""
        if not self.breaks or not bool(np.all(np.diff(np.asarray(self.breaks, dtype=np.float64)) > 0)):
            raise IntruderError(f"Bracket {self.variable!r}: breaks must be one or more increasing numbers")

    def describe(self) -> str:
        """Say it in words."""
        return f"{self.variable} in one of {len(self.breaks) + 1} brackets"


@dataclass(frozen=True, slots=True)
class Roughly:
    """The intruder knows a number up to an error of known size, normal or, if relative, lognormal.

    The belief is centred at the true value; no error is drawn. Expected matches are therefore upper limits, since an
    intruder whose guess is off does worse, and the probabilities are underconfident.
    """

    variable: str
    """The variable."""
    sd: float
    """The standard deviation of the error, or of its logarithm."""
    relative: bool = False
    """Whether the error multiplies."""

    def __post_init__(self) -> None:
        """Check the size of the error."""
        if not (math.isfinite(self.sd) and self.sd > 0):
            raise IntruderError(f"Roughly {self.variable!r}: sd must be positive, found {self.sd}")

    def describe(self) -> str:
        """Say it in words."""
        return f"{self.variable} with an error of sd {self.sd:g}" + (" on the log scale" if self.relative else "")


@dataclass(frozen=True, slots=True)
class Distributed:
    """The intruder holds a distribution about a number, the same for every target."""

    variable: str
    """The variable."""
    distribution: Distribution
    """The distribution."""

    def describe(self) -> str:
        """Say it in words."""
        return f"a distribution of {self.variable}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """The intruder knows that a category is one of several."""

    variable: str
    """The variable."""
    levels: Sequence[Label]
    """The levels that are possible."""

    def __post_init__(self) -> None:
        """Check that there are levels."""
        if not self.levels:
            raise IntruderError(f"OneOf {self.variable!r}: name at least one level")

    def describe(self) -> str:
        """Say it in words."""
        return f"{self.variable} as one of {len(self.levels)} levels"


CENTRED = "about the target's own value without an error of its own, so that the probabilities are underconfident"
"""What is assumed of `Within` and `Roughly`."""

Knowledge = Exactly | Within | Between | Bracket | Roughly | Distributed | OneOf


def as_knowledge(item: str | Knowledge) -> Knowledge:
    """Read a plain name as exact knowledge."""
    if isinstance(item, str):
        return Exactly(item)
    if isinstance(item, Exactly | Within | Between | Bracket | Roughly | Distributed | OneOf):
        return item
    raise IntruderError(f"knows takes names or objects such as Within(...), found {type(item).__name__}")
