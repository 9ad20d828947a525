"""The distance of two categories in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.distance.missing import MissingCosts, MissingRule
from confide.linking.distance.part import Part, both_columns, check_weight, joint_codes
from confide.linking.distance.tree.costs import COORDINATE
from confide.typing import Label


@dataclass(frozen=True, slots=True)
class OrdinalDistance:
    """How many steps lie between two categories, over the number of categories.

    This corrects Definition 1(2) of Domingo-Ferrer and Torra (2004), in which equal categories are one over the number of
    categories apart; see `PrintedOrdinalDistance`.

    >>> OrdinalDistance("size", levels=["low", "mid", "high", "top"]).between("top", "low")
    0.75
    """

    variable: str
    """The variable."""
    levels: Sequence[Label] | None = None
    """The categories from lowest to highest; None: the declared order, or all numbers that occur."""
    weight: float = 1.0
    """What the squared distance is multiplied by."""
    missing: MissingRule = field(default_factory=MissingCosts)
    """What a missing value counts."""

    def __post_init__(self) -> None:
        """Check the weight and the levels."""
        check_weight(f"{type(self).__name__}({self.variable!r})", self.weight)
        if self.levels is not None:
            object.__setattr__(self, "levels", tuple(self.levels))
            if not self.levels or len(set(self.levels)) < len(self.levels):
                raise IntruderError(f"{type(self).__name__}({self.variable!r}): give every level once, and at least one")

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables compared."""
        return (self.variable,)

    @property
    def steps_added(self) -> int:
        """How many steps are added to those between two categories."""
        return 0

    def between(self, a: Label, b: Label) -> float:
        """Give the distance of two categories; the levels must be given."""
        if self.levels is None:
            raise IntruderError(f"the levels of {self.variable!r} are not known; give levels=[...], lowest first")
        levels = list(self.levels)
        absent = [x for x in (a, b) if x not in levels]
        if absent:
            raise IntruderError(f"there is no level {absent[0]!r} of {self.variable!r}; levels: {levels}")
        return (abs(levels.index(a) - levels.index(b)) + self.steps_added) / len(levels)

    def part(self, source: Microdata, released: Microdata) -> Part:
        """Give the ranks of both files over the number of levels."""
        columns = both_columns(self.variable, source, released)
        y, z, values = joint_codes(*columns)
        levels = self.levels if self.levels is not None else _declared(self.variable, *columns, values)
        place = {level: i for i, level in enumerate(levels)}
        used = np.unique(np.concatenate([y, z]))
        outside = [values[int(c)] for c in used[~np.isnan(used)] if values[int(c)] not in place]
        if outside:
            raise IntruderError(
                f"{len(outside)} value(s) of {self.variable!r} have no place among its {len(place)} levels, such as one "
                f"that a recode made; code both files alike, or give {type(self).__name__}({self.variable!r}, levels=[...])"
            )
        unit = np.sqrt(self.weight) / len(place)
        ranks = np.array([place.get(v, 0) * unit for v in values] or [0.0])
        coded = [np.where(np.isnan(c), np.nan, ranks[np.nan_to_num(c).astype(np.int64)])[:, None] for c in (z, y)]
        return Part(coded[0], coded[1], COORDINATE, self.steps_added * unit)


@dataclass(frozen=True, slots=True)
class PrintedOrdinalDistance(OrdinalDistance):
    """The distance as Definition 1(2) prints it: categories from one to the other, both counted, over their number.

    Equal categories are one over their number apart, so that it is no metric; the offset can change which record is nearest.

    >>> PrintedOrdinalDistance("size", levels=["low", "mid", "high", "top"]).between("mid", "mid")
    0.25
    """

    @property
    def steps_added(self) -> int:
        """Both ends are counted."""
        return 1


def _declared(name: str, source: Column, released: Column, values: tuple[Label, ...]) -> tuple[Label, ...]:
    """Give the levels in the order of the source file; numbers in their own order."""
    if not (source.labels or released.labels):
        return values
    numbers = int(np.sum(source.is_number) + np.sum(released.is_number))
    if numbers:
        raise IntruderError(
            f"{name!r} holds numbers and categories; give OrdinalDistance({name!r}, levels=[...]) with all of them in order"
        )
    return source.labels
