"""The prior-posterior rule, and the p per cent rule: contributors who estimate each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import TableError
from confide.tables.rules.rule import ROUNDING, Combinable, ProtectionLevels
from confide.tables.table import Table
from confide.typing import BoolArray, FloatArray


@dataclass(frozen=True, slots=True)
class PQRule(Combinable):
    """A cell is sensitive when contributors can estimate another's contribution to within less than `p` per cent.

    Before publication everyone knows every contribution to within `q` per cent. The `coalition` largest other contributors
    put theirs together, subtract them from the cell, and are left with the error q/100 times the rest: sensitive when this
    is less than p/100 times the target's contribution. The largest contributor without a waiver is most at risk. Signs are
    left out. Domingo-Ferrer and Torra 2004, section 3.1; `p` must be less than `q`, or the prior discloses already.

    >>> import confide as cf
    >>> cell = cf.tabulate(cf.Microdata.from_dict({"x": [61, 20, 19]}), [], "x")
    >>> cf.PQRule(10, 30).sensitive(cell).tolist(), cf.PPercentRule(10).sensitive(cell).tolist()
    ([True], [False])
    """

    p: float
    """How closely nobody may estimate, in per cent."""
    q: float
    """How closely everybody knows beforehand, in per cent."""
    coalition: int = 1
    """How many put their contributions together; 0: only outsiders look at the cell."""

    def __post_init__(self) -> None:
        """Check the settings."""
        if not 0 < self.p < np.inf:
            raise TableError(f"p is a per cent above 0; found {self.p:g}")
        if not self.p < self.q:
            raise TableError(
                f"q must be larger than p, or the prior discloses already; found p = {self.p:g}, q = {self.q:g}"
            )
        if self.coalition < 0:
            raise TableError(f"the coalition counts contributors and cannot be negative; found {self.coalition}")

    def sensitive(self, table: Table) -> BoolArray:
        """Say for each cell whether someone can be estimated too closely."""
        target, rest = estimated(table, self.coalition)
        slack = ROUNDING * 100 * table.absolute
        return np.asarray(self.q * rest < self.p * target - slack, dtype=np.bool_)

    def protection(self, table: Table) -> ProtectionLevels:
        """Ask for what is lacking: p/100 times the target's contribution, less q/100 times the rest."""
        target, rest = estimated(table, self.coalition)
        return ProtectionLevels.symmetric((self.p * target - self.q * rest) / 100, self.sensitive(table))


@dataclass(frozen=True, slots=True)
class PPercentRule(Combinable):
    """A cell is sensitive when contributors can estimate another's contribution to within less than `p` per cent.

    The prior-posterior rule with nothing known beforehand, q = 100: the rest of the cell after the target's and the
    coalition's contributions is less than p per cent of the target's. `p` may be 100 or more: contributions may be known
    not to be negative, and no more.

    >>> import confide as cf
    >>> cell = cf.tabulate(cf.Microdata.from_dict({"x": [59, 40, 1]}), [], "x")
    >>> rule = cf.PPercentRule(10)
    >>> rule.sensitive(cell).tolist(), rule.protection(cell).upper.round(6).tolist()
    ([True], [4.9])
    """

    p: float
    """How closely nobody may estimate, in per cent."""
    coalition: int = 1
    """How many put their contributions together; 0: only outsiders look at the cell."""

    def __post_init__(self) -> None:
        """Check the settings."""
        if not 0 < self.p < np.inf:
            raise TableError(f"p is a per cent above 0; found {self.p:g}")
        if self.coalition < 0:
            raise TableError(f"the coalition counts contributors and cannot be negative; found {self.coalition}")

    def sensitive(self, table: Table) -> BoolArray:
        """Say for each cell whether someone can be estimated too closely."""
        target, rest = estimated(table, self.coalition)
        return np.asarray(100 * rest < self.p * target - ROUNDING * 100 * table.absolute, dtype=np.bool_)

    def protection(self, table: Table) -> ProtectionLevels:
        """Ask for what is lacking: p/100 times the target's contribution, less the rest."""
        target, rest = estimated(table, self.coalition)
        return ProtectionLevels.symmetric(self.p * target / 100 - rest, self.sensitive(table))


def estimated(table: Table, coalition: int) -> tuple[FloatArray, FloatArray]:
    """Give the largest contribution without a waiver, and the rest that it and the largest others leave of the cell.

    Of all without a waiver the largest is estimated most closely. It is one of the largest of all, or comes after them.
    """
    places = table.largest_of("", coalition + 1)
    target = table.exposed(1)[:, 0]
    among = target >= places[:, coalition]
    known = np.where(among, places.sum(axis=1), places[:, :coalition].sum(axis=1) + target)
    return target, np.maximum(table.absolute - known, 0.0)
