"""Rules that the user gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import TableError
from confide.tables.rules.rule import Combinable, ProtectionLevels, check_share, share_of_value
from confide.tables.table import Table
from confide.typing import AnyArray, BoolArray


@dataclass(frozen=True, slots=True)
class GivenRule(Combinable):
    """Any rule: a function of the table, or a list that says for each cell whether it is sensitive.

    >>> import confide as cf
    >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [2, 4]}), "sex", "x")
    >>> cf.GivenRule(lambda t: t.values < 3, share=0.5).protection(table).upper.tolist()
    [0.0, 1.0, 0.0]
    """

    cells: Callable[[Table], AnyArray] | Sequence[bool] | AnyArray
    """A function that gives true and false for each cell, or these themselves."""
    share: float = 0.1
    """How far the interval must reach, as a share of the cell's value."""
    least: float = 0.0
    """How far it must reach at least."""

    def __post_init__(self) -> None:
        """Check the settings."""
        check_share(self.share, self.least)

    def sensitive(self, table: Table) -> BoolArray:
        """Ask the function, or give what was given."""
        given: Any = self.cells(table) if callable(self.cells) else self.cells
        found = np.asarray(given)
        if found.shape != (table.n,) or found.dtype != np.bool_:
            raise TableError(
                f"give true or false for each of the {table.n:,} cells; found {found.dtype} of shape {found.shape}"
            )
        return found

    def protection(self, table: Table) -> ProtectionLevels:
        """Ask for a share of the value."""
        return share_of_value(table, self.share, self.least, self.sensitive(table))
