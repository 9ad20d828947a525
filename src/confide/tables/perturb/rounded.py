"""A table rounded so that it still adds up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.tables.audit.result import Audit
from confide.tables.perturb.deduce import all_whole, deduced, inward
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.typing import FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class Rounded:
    """Multiples of a base that add up, near the true values."""

    system: System
    """The true cells."""
    base: float
    values: FloatArray
    """What is published."""
    steps: IntArray
    """How far each value went: 0 it stayed, 1 less than one base, to a neighbouring multiple, 2 less than two, ..."""
    fixed: IntArray
    """Cells that had to take their nearest multiple."""
    power: float
    """The distance adds up this power of the differences, and takes the root."""
    bound: float
    """The distance that every rounding with so many steps has at least."""
    optimal: bool
    """Whether no rounding within so many steps is nearer, up to the gap asked for; if not, this is a heuristic's."""
    finished: bool
    """Whether the search came to its end; if not, the time was over."""
    protection: Protection | None = None

    @property
    def distance(self) -> float:
        """How far the published values are from the true ones, summed over all cells: the information lost."""
        return float((np.abs(self.values - self.system.values) ** self.power).sum() ** (1 / self.power))

    @property
    def gap(self) -> float:
        """By which share of its distance the rounding may be farther away than the nearest."""
        far = self.distance
        return max(0.0, (far - self.bound) / far) if far > 0 else 0.0

    @property
    def most_steps(self) -> int:
        """How many steps cells may have gone, which is told with the table; 1: neighbouring multiples only."""
        return int(self.steps.max(initial=1))

    @property
    def stepped(self) -> IntArray:
        """The cells that needed more than one step."""
        return np.flatnonzero(self.steps > 1).astype(np.int64)

    def audit(self, *, exact: bool = True) -> Audit:
        """Find what can be deduced by one who knows the base, the steps, the fixed cells and that true values add up.

        A true value lies less than `most_steps` bases from the published one; where all true values are whole numbers,
        it is taken to be known. That the nearest rounding was chosen is not used.
        """
        return deduced(self.system, *self.reach(), self.protection, exact=exact)

    def reach(self) -> tuple[FloatArray, FloatArray]:
        """Give the least and the largest true value of each cell that its own published value allows for."""
        far = np.full(self.system.n, self.base * self.most_steps)
        if self._whole:
            far -= 1.0
        far[self.fixed] = self.base / 2
        return self.values - far, self.values + far

    def intervals(self) -> tuple[FloatArray, FloatArray]:
        """Give the least and the largest true value of each cell that the published table allows for."""
        return inward(self.audit(), whole=self._whole)

    @property
    def _whole(self) -> bool:
        return all_whole(self.system.values) and float(self.base).is_integer()

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each cell: name, true value, published value, steps; for internal use."""
        import polars as pl

        names = [self.system.name(c) for c in range(self.system.n)]
        cells = np.arange(self.system.n)
        own = {"value": self.system.values, "published": self.values, "steps": self.steps}
        return pl.DataFrame({"cell": cells, "name": names} | own)

    def __repr__(self) -> str:
        """Write counts, the distance and the gap."""
        how = "optimal" if self.optimal else "heuristic"
        more = f", {self.stepped.size:,} cell(s) by up to {self.most_steps} steps" if self.stepped.size else ""
        end = "" if self.finished else "; stopped early"
        return (
            f"Rounded({self.system.n:,} cells to multiples of {self.base:g}, {int((self.steps > 0).sum()):,} changed{more}; "
            f"distance {self.distance:,.6g}, {how}, gap {self.gap:.2%}{end})"
        )
