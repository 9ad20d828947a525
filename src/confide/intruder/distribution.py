"""Distributions an intruder may hold about a value."""

from __future__ import annotations

import math
from dataclasses import dataclass

from confide.errors import IntruderError


@dataclass(frozen=True, slots=True)
class Normal:
    """A normal distribution.

    >>> Normal(mean=150, sd=60).sd
    60
    """

    mean: float
    """The mean."""
    sd: float
    """The standard deviation."""

    def __post_init__(self) -> None:
        """Check the parameters."""
        _check("Normal", self.mean, self.sd)


@dataclass(frozen=True, slots=True)
class Lognormal:
    """A lognormal distribution; both parameters are those of the logarithm."""

    mean: float
    """The mean of the logarithm."""
    sd: float
    """The standard deviation of the logarithm."""

    def __post_init__(self) -> None:
        """Check the parameters."""
        _check("Lognormal", self.mean, self.sd)


@dataclass(frozen=True, slots=True)
class Uniform:
    """A uniform distribution on a range."""

    low: float
    """The lower end."""
    high: float
    """The upper end."""

    def __post_init__(self) -> None:
        """Check the parameters."""
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise IntruderError(f"Uniform: low must be below high and both finite, found {self.low} and {self.high}")


Distribution = Normal | Lognormal | Uniform


def _check(name: str, mean: float, sd: float) -> None:
    """Raise on parameters that are no distribution."""
    if not math.isfinite(mean) or not (math.isfinite(sd) and sd > 0):
        raise IntruderError(f"{name}: mean must be finite and sd positive, found {mean} and {sd}")
