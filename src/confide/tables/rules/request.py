"""The request rule: those who asked for protection get it where they dominate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from confide.errors import TableError, unknown
from confide.tables.rules.rule import ROUNDING, Combinable, ProtectionLevels, check_share, share_of_value
from confide.tables.table import Table
from confide.typing import BoolArray


@dataclass(frozen=True, slots=True)
class RequestRule(Combinable):
    """A cell is sensitive when one who asked for protection contributes more than a fraction of it.

    For statistics, such as foreign trade, in which only those who ask are protected: `tabulate(..., request="...")`.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"x": [80, 20], "asked": [1, 0]})
    >>> cf.RequestRule({"1": 0.7}).sensitive(cf.tabulate(data, [], "x", request="asked")).tolist()
    [True]
    """

    fractions: Mapping[str, float]
    """The fraction of the cell for each kind of request."""
    share: float = 0.1
    """How far the interval must reach, as a share of the cell's value."""
    least: float = 0.0
    """How far it must reach at least."""

    def __post_init__(self) -> None:
        """Check the settings."""
        wrong = [k for k, f in self.fractions.items() if not 0 <= f < 1]
        if wrong or not self.fractions:
            raise TableError(f"give a fraction from 0 to less than 1 for each kind of request; found {dict(self.fractions)}")
        check_share(self.share, self.least)

    def sensitive(self, table: Table) -> BoolArray:
        """Say for each cell whether one who asked contributes too much of it."""
        kinds = [k.removeprefix("request ") for k in table.marked if k.startswith("request ")]
        found = np.zeros(table.n, dtype=np.bool_)
        for kind, fraction in self.fractions.items():
            if str(kind) not in kinds:
                raise TableError(unknown("kind of request", kind, kinds) + "; use tabulate(..., request='...')")
            found |= table.largest_of(f"request {kind}", 1)[:, 0] > (fraction + ROUNDING) * table.absolute
        return found

    def protection(self, table: Table) -> ProtectionLevels:
        """Ask for a share of the value."""
        return share_of_value(table, self.share, self.least, self.sensitive(table))
