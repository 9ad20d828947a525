"""A distance that the user gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.distance.missing import MissingCosts, MissingRule
from confide.linking.distance.part import Part, both_columns, check_weight, joint_codes, used_codes
from confide.linking.distance.text import check_table, checked_table
from confide.linking.distance.tree.costs import TABLE

MOST_CALLS = 20_000_000
"""A function is not asked about more pairs of values."""


@dataclass(frozen=True, slots=True)
class GivenDistance:
    """Any distance of two values of a variable; it is asked once for every pair of distinct values.

    >>> GivenDistance("street", lambda a, b: 0.0 if a[0] == b[0] else 1.0).between("Elm St", "Elm Street")
    0.0
    """

    variable: str
    """The variable."""
    function: Callable[[Any, Any], float]
    """Gives the distance of a released from a source value, finite and not negative."""
    weight: float = 1.0
    """What the squared distance is multiplied by."""
    missing: MissingRule = field(default_factory=MissingCosts)
    """What a missing value counts; the function is not asked about it."""

    def __post_init__(self) -> None:
        """Check the weight."""
        check_weight(f"GivenDistance({self.variable!r})", self.weight)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables compared."""
        return (self.variable,)

    def between(self, a: Any, b: Any) -> float:
        """Give the distance of two values."""
        return float(self.function(a, b))

    def part(self, source: Microdata, released: Microdata) -> Part:
        """Give the codes of both files, and the table of distances of their values."""
        y, z, values = joint_codes(*both_columns(self.variable, source, released))
        (ours, y), (theirs, z) = used_codes(y), used_codes(z)
        calls = ours.size * theirs.size
        if calls > MOST_CALLS:
            raise IntruderError(
                f"{self.variable!r} has {theirs.size:,} released and {ours.size:,} source values, {calls:,} pairs; "
                f"a function is asked about {MOST_CALLS:,} at most. Round the values, or take another distance"
            )
        check_table(self.variable, theirs.size, ours.size)
        table = [[self.function(values[a], values[b]) for b in ours] for a in theirs]
        found = checked_table(self.variable, np.reshape(table, (theirs.size, ours.size)), theirs.size, ours.size)
        return Part(z[:, None], y[:, None], TABLE, table=self.weight * found**2)
