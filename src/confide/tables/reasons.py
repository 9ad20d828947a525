"""Why cells are sensitive: which rules say so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.tables.rules.combined import AllRules, AnyRule
from confide.tables.rules.given import GivenRule
from confide.tables.rules.rule import Rule
from confide.tables.table import Table
from confide.typing import BoolArray


def rule_name(rule: Rule, *, settings: bool = True) -> str:
    """Name a rule, with its settings or without: settings tell attackers how close they may come.

    >>> import confide as cf
    >>> rule = cf.MinimumFrequency(3) | cf.PPercentRule(10)
    >>> rule_name(rule), rule_name(rule, settings=False)
    ('MinimumFrequency(n=3) or PPercentRule(p=10)', 'MinimumFrequency or PPercentRule')
    """
    if isinstance(rule, AnyRule | AllRules):
        word = " or " if isinstance(rule, AnyRule) else " and "
        return word.join(rule_name(r, settings=settings) for r in rule.rules)
    name = type(rule).__name__
    fields = getattr(type(rule), "__dataclass_fields__", {})
    if not settings or isinstance(rule, GivenRule) or not fields:
        return name
    given = [(f.name, getattr(rule, f.name)) for f in fields.values() if getattr(rule, f.name) != f.default]
    return f"{name}({', '.join(f'{k}={v:g}' if isinstance(v, float) else f'{k}={v!r}' for k, v in given)})"


def parts_of(rule: Rule) -> tuple[Rule, ...]:
    """Give the rules of which one is enough; rules that must agree are one.

    >>> import confide as cf
    >>> len(parts_of(cf.MinimumFrequency(3) | cf.PPercentRule(10) | cf.DominanceRule(1, 0.9)))
    3
    """
    return tuple(p for r in rule.rules for p in parts_of(r)) if isinstance(rule, AnyRule) else (rule,)


def reasons_of(rule: Rule, table: Table) -> tuple[tuple[str, BoolArray], ...]:
    """Give each rule by its name, and the cells that it calls sensitive."""
    return tuple((rule_name(r), r.sensitive(table)) for r in parts_of(rule))


def told(reasons: Sequence[tuple[str, BoolArray]], n: int) -> tuple[str, ...]:
    """Write the reasons of each cell in one line; none is empty."""
    found = [""] * n
    for name, mask in reasons:
        for c in np.flatnonzero(mask).tolist():
            found[c] = f"{found[c]}; {name}" if found[c] else name
    return tuple(found)
