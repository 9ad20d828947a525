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
from confide.intruder.distribution import Belief, check_belief
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
    """The intruder holds a belief about a value, the same for every target: a distribution, a mixture, or levels.

    >>> from confide.intruder.distribution import Lognormal, Mixture
    >>> Distributed("tax", Mixture([(0.2, 0), (0.8, Lognormal(7, 1.2))])).describe()
    'a distribution of tax'
    """

    variable: str
    """The variable."""
    distribution: Belief
    """The distribution of a number; a `Mixture` of distributions and values, or of levels; a dict of levels."""

    def __post_init__(self) -> None:
        """Check the belief."""
        if isinstance(self.distribution, OneOf):
            raise IntruderError(f"Distributed {self.variable!r}: know OneOf({self.variable!r}, [...]) itself")
        check_belief(self.variable, self.distribution)

    def describe(self) -> str:
        """Say it in words."""
        return f"a distribution of {self.variable}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """The intruder knows that a category is one of several.

    Without a prior, levels are as probable as they are common among the people the intruder could mean,
    so that one of all levels says nothing.

    >>> OneOf("race", ["white", "native"], prior=[0.9, 0.1]).describe()
    'race as one of 2 levels with given probabilities'
    """

    variable: str
    """The variable."""
    levels: Sequence[Label]
    """The levels that are possible."""
    prior: Sequence[float] | None = None
    """The probability of each level; None: as common as they are."""

    def __post_init__(self) -> None:
        """Check the levels and their probabilities."""
        if not self.levels:
            raise IntruderError(f"OneOf {self.variable!r}: name at least one level")
        if len({str(x) for x in self.levels}) < len(self.levels):
            raise IntruderError(f"OneOf {self.variable!r}: a level is named twice")
        if self.prior is not None:
            right = len(self.prior) == len(self.levels) and all(math.isfinite(p) and p >= 0 for p in self.prior)
            if not right or sum(self.prior) <= 0:
                raise IntruderError(
                    f"OneOf {self.variable!r}: prior gives each of the {len(self.levels)} levels a probability of 0 or "
                    f"more, not all 0; found {list(self.prior)}"
                )

    @property
    def probabilities(self) -> tuple[float, ...] | None:
        """The prior, scaled to sum to one."""
        return None if self.prior is None else tuple(p / sum(self.prior) for p in self.prior)

    def describe(self) -> str:
        """Say it in words."""
        given = " with given probabilities" if self.prior is not None else ""
        return f"{self.variable} as one of {len(self.levels)} levels{given}"


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
