"""The minimum frequency rule: too few contribute."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import TableError
from confide.tables.rules.rule import Combinable, ProtectionLevels, check_share, share_of_value
from confide.tables.table import Table
from confide.typing import BoolArray


@dataclass(frozen=True, slots=True)
class MinimumFrequency(Combinable):
    """A cell is sensitive when fewer than `n` contribute to it, and at least one.

    Holdings count once. What a count gives away is not a matter of amounts, so you say how wide protection must be.

    >>> import confide as cf
    >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "f", "f", "m"]}), "sex")
    >>> cf.MinimumFrequency(3).sensitive(table).tolist()
    [False, False, True]
    """

    n: int
    """The smallest number that is safe."""
    share: float = 0.1
    """How far the interval must reach, as a share of the cell's value."""
    least: float = 0.0
    """How far it must reach at least."""
    zeros: bool = True
    """Whether those who contribute 0 count."""
    empty: bool = False
    """Whether cells to which nobody contributes are sensitive."""

    def __post_init__(self) -> None:
        """Check the settings."""
        if self.n < 1:
            raise TableError(f"the smallest safe number of contributors must be 1 or more; found {self.n}")
        check_share(self.share, self.least)

    def sensitive(self, table: Table) -> BoolArray:
        """Say for each cell whether too few contribute."""
        count = table.respondents if self.zeros else table.active
        if count is None:
            what = "respondents" if self.zeros else "respondents who contribute something other than 0"
            raise TableError(
                f"the table does not say how many {what} each cell has; use table_of_aggregates(..., count='...')"
            )
        return np.asarray((count < self.n) & ((count > 0) | self.empty), dtype=np.bool_)

    def protection(self, table: Table) -> ProtectionLevels:
        """Ask for a share of the value."""
        return share_of_value(table, self.share, self.least, self.sensitive(table))
