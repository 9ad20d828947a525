"""A pattern: which cells are not published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.tables.audit.result import Audit
from confide.tables.system import System
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """The cells that are suppressed, why, and the audit that proves the protection."""

    system: System
    primary: IntArray
    """Sensitive cells."""
    secondary: IntArray
    """Cells suppressed so that those stay unknown."""
    costs: FloatArray
    """What each cell costs when it is suppressed; cells of the previous pattern a tenth."""
    bound: float | None
    """What every protecting pattern costs at least; None: not known."""
    audit: Audit
    finished: bool = True
    """Whether the search came to its end; if not, it was stopped, and this is the best pattern found."""

    @property
    def suppressed(self) -> IntArray:
        """All suppressed cells, ascending."""
        return np.union1d(self.primary, self.secondary)

    @property
    def mask(self) -> BoolArray:
        """Whether each cell is suppressed."""
        found = np.zeros(self.system.n, dtype=np.bool_)
        found[self.suppressed] = True
        return found

    @property
    def cost(self) -> float:
        """The cost of all suppressed cells."""
        return float(self.costs[self.suppressed].sum())

    @property
    def gap(self) -> float | None:
        """By which share of its cost the pattern may be dearer than the cheapest; 0: it is the cheapest; None: not known."""
        if self.bound is None:
            return None
        return max(0.0, (self.cost - self.bound) / self.cost) if self.cost > 0 else 0.0

    @property
    def published(self) -> FloatArray:
        """The values, NaN where suppressed."""
        return np.where(self.mask, np.nan, self.system.values)

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each cell: name, value, status."""
        import polars as pl

        status = np.full(self.system.n, "published", dtype=object)
        status[self.secondary], status[self.primary] = "secondary", "primary"
        names = [self.system.name(c) for c in range(self.system.n)]
        cells = np.arange(self.system.n)
        return pl.DataFrame({"cell": cells, "name": names, "value": self.system.values, "status": status.tolist()})

    def __repr__(self) -> str:
        """Write counts, cost and gap."""
        gap = "" if self.gap is None else f", gap {self.gap:.2%}"
        proof = "audit clean" if self.audit.clean else f"{len(self.audit.exposed):,} exposed"
        end = "" if self.finished else "; stopped early"
        return (
            f"Pattern({self.primary.size:,} primary and {self.secondary.size:,} secondary of {self.system.n:,} cells, "
            f"cost {self.cost:,.6g}{gap}; {proof}{end})"
        )
