"""Beliefs about the targets' values of variables that are not known (Reiter 2005, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from confide.errors import IntruderError
from confide.intruder.beliefs.supplied import Atom


@dataclass(frozen=True, slots=True)
class AboutTargets:
    """The intruder's own Pr(y^U | t): possibilities for each target, or one list for all of them.

    Variables are independent within a possibility and dependent across possibilities.

    >>> from confide.intruder.distribution import Lognormal
    >>> AboutTargets([[Atom(0.3, {"debt": 0}), Atom(0.7, {"debt": Lognormal(6, 1)})]]).variables
    ('debt',)
    """

    units: Sequence[Sequence[Atom]]
    """The possibilities of each target, in their order; or a single list."""

    def __post_init__(self) -> None:
        """Check that all possibilities speak of the same variables."""
        check_units("AboutTargets", self.units)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that are spoken of."""
        return tuple(self.units[0][0].values)


@dataclass(frozen=True, slots=True)
class GivenRecords:
    """The intruder's own Pr(y^U | z^A_j, J = j, t): possibilities for the target should it be released record j.

    >>> GivenRecords([[Atom(1.0, {"debt": 50})], [Atom(1.0, {"debt": 0})]]).variables
    ('debt',)
    """

    units: Sequence[Sequence[Atom]]
    """The possibilities for each released record, in their order."""

    def __post_init__(self) -> None:
        """Check that all possibilities speak of the same variables."""
        check_units("GivenRecords", self.units)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that are spoken of."""
        return tuple(self.units[0][0].values)


def check_units(name: str, units: Sequence[Sequence[Atom]]) -> None:
    """Raise where lists of possibilities are empty or speak of different variables."""
    if not units or any(not unit for unit in units):
        raise IntruderError(f"{name}: give one or more lists, each with one or more possibilities Atom(weight, values)")
    spoken = {frozenset(atom.values) for unit in units for atom in unit}
    if len(spoken) > 1:
        raise IntruderError(f"{name}: every possibility must speak of the same variables")
