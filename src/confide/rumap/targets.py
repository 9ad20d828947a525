"""Whom the snooper is after: a record typical of the data, at a percentile, or at an extreme."""

from __future__ import annotations

from dataclasses import dataclass

from confide.errors import IntruderError


@dataclass(frozen=True, slots=True)
class Typical:
    """A target not atypical of the data (section 4.1); figures are averages over such targets.

    >>> Typical().label
    'typical target'
    """

    @property
    def label(self) -> str:
        """The target in words."""
        return "typical target"


@dataclass(frozen=True, slots=True)
class AtPercentile:
    """A target at a percentile point (section 4.2).

    >>> AtPercentile(0.99).rank(200)
    198
    """

    p: float
    """The share of values at or below the target, strictly between 0 and 1."""

    def __post_init__(self) -> None:
        """Check the share."""
        if not 0 < self.p < 1:
            raise IntruderError(
                f"AtPercentile: p is a share strictly between 0 and 1, found {self.p!r}; "
                "for the ends give AtMinimum() or AtMaximum()"
            )

    @property
    def label(self) -> str:
        """The target in words."""
        return f"percentile {100 * self.p:g}"

    def rank(self, n: int) -> int:
        """Give the place from below of the target in a sample of n: np, rounded to a whole number."""
        k = round(n * self.p)
        if k < 1:
            raise IntruderError(
                f"AtPercentile({self.p:g}): in a sample of {n} the rank np = {n * self.p:g} rounds to 0; give AtMinimum()"
            )
        return k


@dataclass(frozen=True, slots=True)
class AtMaximum:
    """The largest value (section 4.3).

    >>> AtMaximum().rank(200)
    200
    """

    @property
    def label(self) -> str:
        """The target in words."""
        return "maximum"

    def rank(self, n: int) -> int:
        """Give the place from below of the target in a sample of n."""
        return n


@dataclass(frozen=True, slots=True)
class AtMinimum:
    """The smallest value (section 4.3).

    >>> AtMinimum().rank(200)
    1
    """

    @property
    def label(self) -> str:
        """The target in words."""
        return "minimum"

    def rank(self, n: int) -> int:  # noqa: ARG002  (asked like the others)
        """Give the place from below of the target in a sample of n."""
        return 1


SnooperTarget = Typical | AtPercentile | AtMaximum | AtMinimum
