"""What an audit found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import TableError, unknown
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl

EXTERNAL = "external"
"""The attacker who knows what everybody knows."""


@dataclass(frozen=True, slots=True)
class Exposed:
    """A sensitive cell about which an attacker learns too much."""

    attacker: str
    cell: int
    name: str
    low: float
    """The least value that the attacker must allow for."""
    high: float
    """The largest."""
    lower: float
    """How far below the true value the interval should reach."""
    upper: float
    sliding: float

    @property
    def exact(self) -> bool:
        """Whether the attacker knows the value."""
        return self.high - self.low <= 1e-9 * max(1.0, abs(self.low))


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """What one attacker can deduce of some of the suppressed cells."""

    at: IntArray
    """Places among the suppressed cells."""
    low: FloatArray
    high: FloatArray
    """The least and the largest possible values."""

    @classmethod
    def none(cls) -> Intervals:
        """Say nothing of any cell."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """The interval that each attacker can deduce for each suppressed cell, and the cells that are exposed."""

    system: System
    protection: Protection
    suppressed: IntArray
    """The suppressed cells, ascending."""
    low: FloatArray
    """The least value of each that an external attacker must allow for."""
    high: FloatArray
    """The largest."""
    exact: bool
    """Whether intervals are exact; if not, they are proven to be at least that wide, which is enough to judge."""
    attackers: Mapping[str, Intervals]
    """For each other attacker the intervals of sensitive cells that are narrower than the external ones; where `exact` is
    False only of those that had to be looked at."""
    exposed: tuple[Exposed, ...]
    """Sensitive cells without their protection, by attacker and cell."""
    solved: int
    """How many linear programmes were solved."""

    @property
    def clean(self) -> bool:
        """Whether every sensitive cell has its protection from every attacker."""
        return not self.exposed

    @property
    def determined(self) -> IntArray:
        """The suppressed cells whose value an external attacker can compute."""
        width = self.high - self.low
        return self.suppressed[width <= 1e-6 * np.maximum(1e-6, np.abs(self.system.values[self.suppressed]))]

    def interval(self, cell: int, attacker: str = EXTERNAL) -> tuple[float, float]:
        """Give what an attacker can deduce of a cell."""
        at = int(np.searchsorted(self.suppressed, cell))
        if at == self.suppressed.size or self.suppressed[at] != cell:
            raise TableError(f"{self.system.name(cell)} is not suppressed; ask for one of {self.suppressed.size:,} that are")
        if attacker != EXTERNAL:
            if attacker not in self.attackers:
                raise TableError(unknown("attacker", attacker, [EXTERNAL, *self.attackers]))
            own = self.attackers[attacker]
            found = np.flatnonzero(own.at == at)
            if found.size:
                return float(own.low[found[0]]), float(own.high[found[0]])
        return float(self.low[at]), float(self.high[at])

    def share_within(self, share: float) -> float:
        """Give the share of sensitive cells whose interval lies within a share of the value, both ways: the risk of a map.

        Suppressed cells only; where nothing is sensitive the share is 0.
        """
        at = np.flatnonzero(np.isin(self.suppressed, self.protection.sensitive))
        if not at.size:
            return 0.0
        x = self.system.values[self.suppressed[at]]
        inside: BoolArray = (self.low[at] >= x - share * np.abs(x) - 1e-9) & (self.high[at] <= x + share * np.abs(x) + 1e-9)
        return float(inside.mean())

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each suppressed cell, as the external attacker sees it."""
        import polars as pl

        named = [self.system.name(int(c)) for c in self.suppressed]
        bad = {e.cell for e in self.exposed}
        levels = {k: getattr(self.protection, k)[self.suppressed] for k in ("lower", "upper", "sliding")}
        own = {"value": self.system.values[self.suppressed], "low": self.low, "high": self.high}
        columns = {"cell": self.suppressed, "name": named} | own | levels
        return pl.DataFrame(columns | {"exposed": [int(c) in bad for c in self.suppressed]})

    def __repr__(self) -> str:
        """Write counts and the first exposed cells, without values."""
        sensitive = np.isin(self.suppressed, self.protection.sensitive).sum()
        head = (
            f"{self.suppressed.size:,} suppressed, {sensitive:,} of them sensitive, {1 + len(self.attackers):,} attacker(s)"
        )
        if self.clean:
            return f"Audit({head}: all protected)"
        cells = sorted({e.cell for e in self.exposed})
        return f"Audit({head}: {len(cells):,} exposed: {self.system.listed(cells)})"
