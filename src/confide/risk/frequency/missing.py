"""What a missing key value says."""

from __future__ import annotations

from dataclasses import dataclass

from confide.errors import IntruderError


@dataclass(frozen=True, slots=True)
class MissingAsLevel:
    """A missing value is a value of its own: it agrees with missing values only."""

    def describe(self) -> str:
        """Say it in words."""
        return "missing is a level of its own"


@dataclass(frozen=True, slots=True)
class MissingAsWildcard:
    """A missing value may be any value: it agrees with everything.

    Then agreement is no longer an equivalence: a record may agree with two that do not agree with each other.

    >>> MissingAsWildcard().share
    1.0
    """

    share: float = 1.0
    """What another combination of keys with missing values counts where it agrees (sdcMicro's alpha)."""

    def __post_init__(self) -> None:
        """Check the share."""
        if not 0 <= self.share <= 1:
            raise IntruderError(f"MissingAsWildcard: share must be between 0 and 1, found {self.share}")

    def describe(self) -> str:
        """Say it in words."""
        return "missing agrees with every value" + ("" if self.share == 1 else f", counted {self.share:g}")


Missing = MissingAsLevel | MissingAsWildcard

AS_LEVEL = MissingAsLevel()
"""What is taken unless said otherwise."""
