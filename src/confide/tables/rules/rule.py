"""What every sensitivity rule answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from confide.errors import TableError
from confide.tables.table import Table
from confide.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from confide.tables.rules.combined import AllRules, AnyRule

ROUNDING = 1e-12
"""Differences smaller than this share of a cell are rounding: equal is equal."""


@dataclass(frozen=True, slots=True, eq=False)
class ProtectionLevels:
    """How far from its value the interval that anyone can deduce for a cell must reach; 0 where nothing is asked."""

    lower: FloatArray
    """How far below the value."""
    upper: FloatArray
    """How far above the value."""

    @classmethod
    def symmetric(cls, amount: FloatArray, sensitive: BoolArray) -> ProtectionLevels:
        """Ask the same in both directions, of sensitive cells only."""
        asked = np.where(sensitive, np.maximum(amount, 0.0), 0.0)
        return cls(asked, asked)


@runtime_checkable
class Rule(Protocol):
    """Decides which cells of a table are sensitive, and how uncertain they must be."""

    def sensitive(self, table: Table) -> BoolArray:
        """Say for each cell whether it tells too much."""

    def protection(self, table: Table) -> ProtectionLevels:
        """Say for each cell how far from its value its interval must reach."""


class Combinable:
    """Rules are joined by `|`, where one is enough, and by `&`, where all must agree."""

    __slots__ = ()

    def __or__(self, other: Rule) -> AnyRule:
        """Call a cell sensitive when either rule does."""
        from confide.tables.rules.combined import AnyRule

        return AnyRule(self, other)  # type: ignore[arg-type]

    def __and__(self, other: Rule) -> AllRules:
        """Call a cell sensitive when both rules do."""
        from confide.tables.rules.combined import AllRules

        return AllRules(self, other)  # type: ignore[arg-type]


def share_of_value(table: Table, share: float, least: float, sensitive: BoolArray) -> ProtectionLevels:
    """Ask for a share of each sensitive value, at least an amount."""
    return ProtectionLevels.symmetric(np.maximum(share * np.abs(table.values), least), sensitive)


def check_share(share: float, least: float) -> None:
    """Refuse protection that is negative or not finite."""
    if not (0 <= share < np.inf and 0 <= least < np.inf):
        raise TableError(
            f"share and least say how wide protection must be and cannot be negative; found {share} and {least}"
        )
