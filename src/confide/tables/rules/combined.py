"""Several rules as one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from confide.errors import TableError
from confide.tables.rules.rule import Combinable, ProtectionLevels, Rule
from confide.tables.table import Table
from confide.typing import BoolArray


@dataclass(frozen=True, slots=True)
class AnyRule(Combinable):
    """A cell is sensitive when one of the rules says so; it gets the widest protection they ask.

    >>> import confide as cf
    >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "f", "f", "m"], "x": [90, 5, 5, 1]}), "sex", "x")
    >>> (cf.MinimumFrequency(3) | cf.DominanceRule(1, 0.9)).sensitive(table).tolist()
    [False, True, True]
    """

    rules: tuple[Rule, ...]
    """The rules."""

    def __init__(self, *rules: Rule) -> None:
        object.__setattr__(self, "rules", _checked(rules))

    def sensitive(self, table: Table) -> BoolArray:
        """Say for each cell whether one of the rules calls it sensitive."""
        return reduce(np.logical_or, [r.sensitive(table) for r in self.rules])

    def protection(self, table: Table) -> ProtectionLevels:
        """Ask for the widest protection."""
        return _widest(self.rules, table)


@dataclass(frozen=True, slots=True)
class AllRules(Combinable):
    """A cell is sensitive when all rules say so; it gets the widest protection they ask.

    >>> import confide as cf
    >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "f", "f", "m"], "x": [90, 5, 5, 1]}), "sex", "x")
    >>> (cf.MinimumFrequency(3) & cf.DominanceRule(1, 0.9)).sensitive(table).tolist()
    [False, False, True]
    """

    rules: tuple[Rule, ...]
    """The rules."""

    def __init__(self, *rules: Rule) -> None:
        object.__setattr__(self, "rules", _checked(rules))

    def sensitive(self, table: Table) -> BoolArray:
        """Say for each cell whether all rules call it sensitive."""
        return reduce(np.logical_and, [r.sensitive(table) for r in self.rules])

    def protection(self, table: Table) -> ProtectionLevels:
        """Ask for the widest protection, of cells that all rules call sensitive."""
        levels, sensitive = _widest(self.rules, table), self.sensitive(table)
        return ProtectionLevels(np.where(sensitive, levels.lower, 0.0), np.where(sensitive, levels.upper, 0.0))


def _checked(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Refuse what is no rule, and no rules at all."""
    wrong = [type(r).__name__ for r in rules if not isinstance(r, Rule)]
    if wrong or not rules:
        raise TableError(f"give rules, such as PPercentRule(10); found {wrong[0] if wrong else 'none'}")
    return rules


def _widest(rules: tuple[Rule, ...], table: Table) -> ProtectionLevels:
    """Take the widest protection that a rule asks."""
    levels = [r.protection(table) for r in rules]
    return ProtectionLevels(
        np.asarray(reduce(np.maximum, [x.lower for x in levels])), np.asarray(reduce(np.maximum, [x.upper for x in levels]))
    )
