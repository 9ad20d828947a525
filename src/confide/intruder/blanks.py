"""How an intruder reads blanks: cells that were left empty on purpose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from confide.errors import IntruderError, repeated
from confide.typing import Label


@dataclass(frozen=True, slots=True)
class NotTold:
    """A blank tells nothing: it agrees with everybody. What someone believes who does not know the rule.

    >>> NotTold().describe()
    'reads blanks as not told'
    """

    variables: ClassVar[tuple[str, ...]] = ()
    """The variables whose blanks tell something."""

    def rule(self, name: str) -> None:
        """Give the rule for a variable: there is none."""

    def describe(self) -> str:
        """Say it in words."""
        return "reads blanks as not told"


@dataclass(frozen=True, slots=True)
class BlankedByValue:
    """Every true value has a chance of being left blank, so that a blank is evidence.

    Where values are blanked because they are rare, a blank points to those who have them. When an optimiser chose the
    blanks, their chances depend on the whole file, and a chance for each value is an approximation.

    >>> BlankedByValue({"region": {"west": 0.9}}).describe()
    'knows how likely values of region are left blank (an approximation where blanks depend on the whole file)'
    """

    chances: Mapping[str, Mapping[Any, float] | float]
    """For each variable the chance of each true value, 0 for those not named; or one chance for all values."""

    def __post_init__(self) -> None:
        """Check the chances."""
        check_chances("BlankedByValue", self.chances)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables whose blanks tell something."""
        return tuple(self.chances)

    def rule(self, name: str) -> BlankedByValue | None:
        """Give the rule for a variable; None: its blanks tell nothing."""
        return self if name in self.chances else None

    def describe(self) -> str:
        """Say it in words."""
        return _words("values", self.chances)


@dataclass(frozen=True, slots=True)
class BlankedByReleased:
    """Every masked value has a chance of being left blank: blanking looked at the masked file.

    >>> BlankedByReleased({"region": 0.1}).chances["region"]
    0.1
    """

    chances: Mapping[str, Mapping[Any, float] | float]
    """For each variable the chance of each masked value, 0 for those not named; or one chance for all."""

    def __post_init__(self) -> None:
        """Check the chances."""
        check_chances("BlankedByReleased", self.chances)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables whose blanks tell something."""
        return tuple(self.chances)

    def rule(self, name: str) -> BlankedByReleased | None:
        """Give the rule for a variable; None: its blanks tell nothing."""
        return self if name in self.chances else None

    def describe(self) -> str:
        """Say it in words."""
        return _words("masked values", self.chances)


@dataclass(frozen=True, slots=True)
class BlankRules:
    """Several rules, each for variables of its own: some were blanked before the masking, some after it.

    >>> rules = BlankRules([BlankedByValue({"sex": 0.1}), BlankedByReleased({"region": {"west": 0.8}})])
    >>> rules.variables
    ('sex', 'region')
    """

    rules: Sequence[BlankedByValue | BlankedByReleased]
    """The rules; no variable may be in two of them."""

    def __post_init__(self) -> None:
        """Check that every variable has one rule."""
        if not self.rules or not all(isinstance(r, BlankedByValue | BlankedByReleased) for r in self.rules):
            raise IntruderError("BlankRules takes a list of BlankedByValue(...) and BlankedByReleased(...), at least one")
        twice = repeated(self.variables)
        if twice:
            raise IntruderError(f"BlankRules: {', '.join(twice)} stands in two rules; give each variable one")

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables whose blanks tell something."""
        return tuple(name for r in self.rules for name in r.variables)

    def rule(self, name: str) -> BlankedByValue | BlankedByReleased | None:
        """Give the rule for a variable; None: its blanks tell nothing."""
        return next((r for r in self.rules if name in r.chances), None)

    def describe(self) -> str:
        """Say it in words."""
        return "; ".join(r.describe() for r in self.rules)


Blanks = NotTold | BlankedByValue | BlankedByReleased | BlankRules


def check_chances(name: str, chances: Mapping[str, Mapping[Any, float] | float]) -> None:
    """Raise on chances that are none."""
    if not chances:
        raise IntruderError(f"{name}: name at least one variable")
    for variable, given in chances.items():
        for chance in given.values() if isinstance(given, Mapping) else (given,):
            if isinstance(chance, bool) or not isinstance(chance, int | float) or not 0 <= chance <= 1:
                raise IntruderError(f"{name} {variable!r}: a chance is a number from 0 to 1, found {chance!r}")


def chance_of(given: Mapping[Any, float] | float, value: Label | None) -> float:
    """Give the chance that a value is left blank.

    >>> chance_of({"west": 0.9}, "west"), chance_of({"west": 0.9}, "east"), chance_of(0.1, "east")
    (0.9, 0.0, 0.1)
    """
    if not isinstance(given, Mapping):
        return float(given)
    return float(next((p for v, p in given.items() if v == value or str(v) == str(value)), 0.0))


def _words(what: str, chances: Mapping[str, object]) -> str:
    """Say whose blanks tell something."""
    names = ", ".join(chances)
    return f"knows how likely {what} of {names} are left blank (an approximation where blanks depend on the whole file)"
