"""The (n, k)-dominance rule: a few make up most of the cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import TableError
from confide.tables.rules.rule import ROUNDING, Combinable, ProtectionLevels
from confide.tables.table import Table
from confide.typing import BoolArray, FloatArray


@dataclass(frozen=True, slots=True)
class DominanceRule(Combinable):
    """A cell is sensitive when its `n` largest contributions are the fraction `k` of it or more.

    Domingo-Ferrer and Torra 2004, section 3.1. Signs are left out. Those with a waiver do not dominate. A cell that is
    zero throughout is not sensitive by this rule; `ZeroCells` is the rule for these. See `rule_contradictions` for why
    `PPercentRule` is to be preferred.

    >>> import confide as cf
    >>> cell = cf.tabulate(cf.Microdata.from_dict({"x": [61, 20, 19]}), [], "x")
    >>> cf.DominanceRule(1, 0.6).sensitive(cell).tolist()
    [True]
    """

    n: int
    """How many dominate together."""
    k: float
    """The fraction of the cell, at most 1."""

    def __post_init__(self) -> None:
        """Check the settings."""
        if self.n < 1:
            raise TableError(f"n counts contributors and must be 1 or more; found {self.n}")
        if not 0 < self.k <= 1:
            raise TableError(f"k is a fraction above 0 and at most 1; found {self.k:g}" + self._percent())

    def _percent(self) -> str:
        """Guess that per cent were meant."""
        return f"; for {self.k:g} per cent write {self.k / 100:g}" if 1 < self.k <= 100 else ""

    def sensitive(self, table: Table) -> BoolArray:
        """Say for each cell whether it is dominated."""
        total = table.absolute
        return np.asarray((self.dominating(table) >= (self.k - ROUNDING) * total) & (total > 0), dtype=np.bool_)

    def dominating(self, table: Table) -> FloatArray:
        """Add up the n largest contributions of each cell."""
        return np.asarray(table.exposed(self.n).sum(axis=1))

    def protection(self, table: Table) -> ProtectionLevels:
        """Ask for as much as would make the contributions a fraction k: their sum over k, less the cell."""
        return ProtectionLevels.symmetric(self.dominating(table) / self.k - table.absolute, self.sensitive(table))
