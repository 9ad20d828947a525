"""The distance of two numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.distance.missing import MissingCosts, MissingRule
from confide.linking.distance.part import Part, both_columns, check_weight, numbers_of
from confide.linking.distance.scale import BySd, Scale
from confide.linking.distance.tree.costs import COORDINATE


@dataclass(frozen=True, slots=True)
class NumericDistance:
    """The absolute difference of two numbers, standardised unless told otherwise (Domingo-Ferrer and Torra 2004, 2.1).

    >>> NumericDistance("age", weight=2.0).variables
    ('age',)
    """

    variable: str
    """The variable."""
    scale: Scale = field(default_factory=BySd)
    """What differences are divided by: `BySd`, `ByRange` or `Unscaled`."""
    weight: float = 1.0
    """What the squared distance is multiplied by."""
    missing: MissingRule = field(default_factory=MissingCosts)
    """What a missing value counts, after scaling."""

    def __post_init__(self) -> None:
        """Check the weight."""
        check_weight(f"NumericDistance({self.variable!r})", self.weight)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables compared."""
        return (self.variable,)

    def part(self, source: Microdata, released: Microdata) -> Part:
        """Give the scaled numbers of both files."""
        columns = both_columns(self.variable, source, released)
        y, z = (numbers_of(self.variable, c, f) for c, f in zip(columns, ("source", "released"), strict=True))
        complete = not (np.isnan(y).any() or np.isnan(z).any())
        unit = self.scale.of(y, z) if complete else self.scale.of(y[~np.isnan(y)], z[~np.isnan(z)])
        if not (np.isfinite(unit) and unit > 0):
            raise IntruderError(
                f"{self.variable!r} cannot be scaled: its {self.scale.what} is {unit}; leave it out, or take "
                f"NumericDistance({self.variable!r}, scale=Unscaled())"
            )
        by = np.sqrt(self.weight) / unit
        return Part((z * by)[:, None], (y * by)[:, None], COORDINATE)
