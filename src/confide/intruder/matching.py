"""How the intruder matches: each target on its own, or all records against all targets."""

from __future__ import annotations

import math
from dataclasses import dataclass

from confide.errors import IntruderError


@dataclass(frozen=True, slots=True)
class WithReplacement:
    """Match each target on its own, as if the others were not there (Reiter 2005, eq. 1).

    A record may then be given to several targets.

    >>> WithReplacement().describe()
    'matches with replacement: each target on its own'
    """

    @property
    def title(self) -> str:
        """The name in tables."""
        return "with replacement"

    def describe(self) -> str:
        """Say it in words."""
        return "matches with replacement: each target on its own"


@dataclass(frozen=True, slots=True)
class WithoutReplacement:
    """Let all released records compete for all targets (Duncan and Lambert 1987, eq. 4.1).

    A record belongs to one person, and a person has at most one record. The targets are then one
    list: with `target_in_file=True` every real record belongs to someone on it.

    >>> WithoutReplacement(tolerance=0.01).describe()
    'matches without replacement: all records compete for all targets; to a tolerance of 0.01'
    """

    tolerance: float | None = None
    """The root mean square error allowed over pairs with a probability above .05 that cannot be had exactly; None: .01,
    infinite: propagation alone, without chains."""
    seconds: float | None = None
    """The time chains may take; None: as long as they need."""
    seed: int = 0
    """The seed of the solver's random moves, where it needs any."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        faults = []
        for name, value in (("tolerance", self.tolerance), ("seconds", self.seconds)):
            if value is not None and not _positive(value):
                faults.append(f"WithoutReplacement: {name} must be a positive number or None, found {value!r}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed < 2**63:
            faults.append(f"WithoutReplacement: seed must be a whole number of 0 or more, found {self.seed!r}")
        if faults:
            raise IntruderError("; ".join(faults))

    @property
    def title(self) -> str:
        """The name in tables."""
        return "without replacement"

    def describe(self) -> str:
        """Say it in words."""
        text = "matches without replacement: all records compete for all targets"
        if self.tolerance is not None:
            text += "; by propagation alone" if math.isinf(self.tolerance) else f"; to a tolerance of {self.tolerance:g}"
        return text + (f"; within {self.seconds:g} seconds" if self.seconds is not None else "")


Matching = WithReplacement | WithoutReplacement


def _positive(value: object) -> bool:
    """Say whether this is a number above zero."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0
