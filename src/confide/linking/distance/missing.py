"""What a missing value counts in a distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from confide.errors import IntruderError


@dataclass(frozen=True, slots=True)
class MissingCosts:
    """A missing value is a distance away from every value.

    >>> MissingCosts(one=1.0, both=1.0)
    MissingCosts(one=1.0, both=1.0)
    """

    one: float = 1.0
    """The distance when one of the two values is missing."""
    both: float = 0.0
    """The distance when both are; 0: a missing value is a value of its own."""

    def __post_init__(self) -> None:
        """Check the distances."""
        if not all(np.isfinite(x) and x >= 0 for x in (self.one, self.both)):
            raise IntruderError(f"MissingCosts: distances must be finite and not negative; found {self.one} and {self.both}")


@dataclass(frozen=True, slots=True)
class IgnoreMissing:
    """Leave a variable out of a pair where a value is missing, and scale the other variables' sum up.

    The sum of squares is multiplied by the weight of all variables over the weight of those compared. A pair
    with no variable left is infinitely far apart.
    """


MissingRule: TypeAlias = MissingCosts | IgnoreMissing
"""What to do with missing values."""
