"""What readers lose with a cell that is not published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from confide.errors import TableError
from confide.tables.system import System, default_costs
from confide.tables.table import Table
from confide.typing import FloatArray


@runtime_checkable
class CellCosts(Protocol):
    """Says what each cell costs when it is not published."""

    def of(self, table: Table, system: System) -> FloatArray:
        """Give the cost of each cell."""


@dataclass(frozen=True, slots=True)
class ValueCosts:
    """A cell costs its value; an empty one a thousandth of the mean."""

    def of(self, table: Table, system: System) -> FloatArray:
        """Give the cost of each cell."""
        del table
        return system.costs


@dataclass(frozen=True, slots=True)
class EqualCosts:
    """Every cell costs the same: the fewest cells are wanted."""

    def of(self, table: Table, system: System) -> FloatArray:
        """Give the cost of each cell."""
        del table
        return np.ones(system.n)


@dataclass(frozen=True, slots=True)
class RespondentCosts:
    """A cell costs the number of those who contribute to it."""

    def of(self, table: Table, system: System) -> FloatArray:
        """Give the cost of each cell."""
        del system
        if table.respondents is None:
            raise TableError(
                "the table does not say how many respondents each cell has; use table_of_aggregates(..., count='...'), "
                "or costs=ValueCosts()"
            )
        return default_costs(table.respondents)


@dataclass(frozen=True, slots=True, eq=False)
class GivenCosts:
    """Costs that you give, one for each cell, such as the values of another table by the same variables."""

    costs: FloatArray
    """One number for each cell, not negative."""

    def of(self, table: Table, system: System) -> FloatArray:
        """Give the cost of each cell."""
        del table
        found = np.asarray(self.costs, dtype=np.float64)
        if found.shape != (system.n,) or not bool(np.all(np.isfinite(found) & (found >= 0))):
            raise TableError(f"give {system.n:,} costs, one for each cell, finite and not negative")
        return found
