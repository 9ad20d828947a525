"""Levels of the difference of two numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.distance.part import both_columns, numbers_of
from confide.linking.probabilistic.comparison import (
    NUMBER,
    Compared,
    MissingLevel,
    NoInformation,
    cuts_of,
)

OF_SD = (0.01, 0.05, 0.1, 0.2, 0.4, 1.0)
"""Where levels end by default, in standard deviations of the source file."""


@dataclass(frozen=True, slots=True)
class NumberAgreement:
    """Numbers differ by no more than this or that.

    The levels need not fit the noise: how often matches reach each is estimated.

    >>> NumberAgreement("age", within=(0, 1, 5)).within
    (0, 1, 5)
    """

    variable: str
    """The variable."""
    within: tuple[float, ...] | None = None
    """The differences up to which levels reach, increasing; None: .01, .05, .1, .2, .4 and 1 standard deviations of
    the source file."""
    missing: MissingLevel = field(default_factory=NoInformation)
    """What a missing value says: `NoInformation()` or `OwnLevel()`."""

    def __post_init__(self) -> None:
        """Check the levels."""
        if self.within is not None:
            cuts_of(self.variable, self.within)

    def compared(self, source: Microdata, released: Microdata, pairs: int = 0) -> Compared:
        """Give the numbers of both files."""
        del pairs
        columns = both_columns(self.variable, source, released)
        y, z = (numbers_of(self.variable, c, f) for c, f in zip(columns, ("source", "released"), strict=True))
        cuts = self.within
        if cuts is None:
            known = y[~np.isnan(y)]
            sd = float(known.std()) if known.size else 0.0
            if not sd > 0:
                raise IntruderError(f"{self.variable!r} does not vary in the source file; leave it out, or give within=")
            cuts = tuple(sd * c for c in OF_SD)
        named = tuple(f"within {c:.4g}" for c in reversed(cuts))
        codes = [np.where(np.isnan(x), -1, 0).astype(np.int64) for x in (y, z)]
        ends = cuts_of(self.variable, cuts)
        return Compared(self.variable, NUMBER, ("different", *named), codes[0], codes[1], self.missing, y, z, ends)
