"""Cells that are zero throughout."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import TableError
from confide.tables.rules.rule import Combinable, ProtectionLevels, share_of_value
from confide.tables.table import Table
from confide.typing import BoolArray


@dataclass(frozen=True, slots=True)
class ZeroCells(Combinable):
    """A cell is sensitive when all its contributions are 0: whoever is in it is known to contribute nothing.

    >>> import confide as cf
    >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [0, 4]}), "sex", "x")
    >>> cf.ZeroCells(least=1).sensitive(table).tolist()
    [False, True, False]
    """

    least: float
    """How far the interval must reach; a share of zero would be none."""

    def __post_init__(self) -> None:
        """Check the settings."""
        if not 0 < self.least < np.inf:
            raise TableError(f"the protection of a zero cell must be above 0; found {self.least}")

    def sensitive(self, table: Table) -> BoolArray:
        """Say for each cell whether it is zero throughout."""
        return np.equal(table.absolute, 0)

    def protection(self, table: Table) -> ProtectionLevels:
        """Ask for the amount given."""
        return share_of_value(table, 0.0, self.least, self.sensitive(table))
