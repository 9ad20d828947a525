"""Noise that is added to one variable, cut off at bounds: eq. (11)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from confide.errors import ReleaseError
from confide.release.channel import Kernel
from confide.release.methods.noise import Noise
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class AddedNoise:
    """Y_i = max(0, x_i + ε_i), eq. (11): normal noise, set to the bound where it goes beyond.

    >>> AddedNoise(lower=0).masked(np.array([2.0, 5.0]), np.array([-3.0, 1.0])).tolist()
    [0.0, 6.0]
    """

    lower: float | None = None
    """Masked values are at least this."""
    upper: float | None = None
    """Masked values are at most this."""
    variance_above: Mapping[float, float] | None = None
    """Multiply the variance by a factor for true values above a value: {35_000: 2} is the unequal variance of Figure 7."""

    def __post_init__(self) -> None:
        """Check the bounds and the factors."""
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            raise ReleaseError(f"AddedNoise: lower must be below upper, found {self.lower:g} and {self.upper:g}")
        if any(not (math.isfinite(f) and f > 0) for f in (self.variance_above or {}).values()):
            raise ReleaseError("AddedNoise: the factors of variance_above must be positive")

    @property
    def label(self) -> str:
        """The masking in words."""
        return "unequal variance" if self.variance_above else "equal variance"

    def method(self, variable: str, lambda2: float) -> Noise:
        """Give the masking method that does this in a release.

        >>> AddedNoise(lower=0).method("income", 4.0).sd
        2.0
        """
        above = {b: math.sqrt(f) for b, f in (self.variance_above or {}).items()} or None
        return Noise(variable, sd=math.sqrt(lambda2), lower=self.lower, upper=self.upper, outside="clamp", times_above=above)

    def factors(self, x: FloatArray) -> FloatArray:
        """Give the sd of the noise at each true value, where lambda2 is 1.

        >>> AddedNoise(variance_above={3.0: 4.0}).factors(np.array([3.0, 3.5])).tolist()
        [1.0, 2.0]
        """
        steps = sorted((self.variance_above or {}).items())
        return Kernel(sds=(1.0, *(math.sqrt(f) for _, f in steps)), breaks=tuple(b for b, _ in steps)).sd(x)

    def masked(self, x: FloatArray, noise: FloatArray) -> FloatArray:
        """Add noise and cut off at the bounds."""
        y = np.asarray(x + noise)
        if self.lower is not None:
            np.maximum(y, self.lower, out=y)
        if self.upper is not None:
            np.minimum(y, self.upper, out=y)
        return y

    def outside(self, x: FloatArray) -> int:
        """Count the values that lie outside the bounds already."""
        low, high = -np.inf if self.lower is None else self.lower, np.inf if self.upper is None else self.upper
        return int(np.sum((x < low) | (x > high)))
