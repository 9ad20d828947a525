"""A table whose sensitive cells are moved to a safe distance, and which still adds up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import TableError
from confide.tables.audit.result import Audit
from confide.tables.perturb.deduce import deduced
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl

CHANGED = 1e-9
"""Smaller changes, as a share of the largest, are rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Adjusted:
    """Values that add up, near the true ones, with sensitive cells at their protection levels or beyond."""

    system: System
    """The true cells."""
    protection: Protection
    values: FloatArray
    """What is published."""
    sensitive: IntArray
    upward: BoolArray
    """Which sensitive cells went up."""
    frozen: IntArray
    """Cells that kept their value."""
    weights: FloatArray
    """What a change of each cell by one unit costs."""
    bound: float
    """The distance that every adjustment has at least."""
    optimal: bool
    """Whether no adjustment is nearer, up to the gap that was asked for; if not, this is a heuristic's."""
    finished: bool = True
    """Whether the search came to its end; if not, the time was over."""

    @property
    def change(self) -> FloatArray:
        """The published values less the true ones."""
        return self.values - self.system.values

    @property
    def distance(self) -> float:
        """The weighted sum of absolute changes: the information lost."""
        return float((self.weights * np.abs(self.change)).sum())

    @property
    def gap(self) -> float:
        """By which share of its distance the adjustment may be farther away than the nearest."""
        far = self.distance
        return max(0.0, (far - self.bound) / far) if far > 0 else 0.0

    @property
    def changed(self) -> IntArray:
        """The cells that changed."""
        size = np.abs(self.change)
        return np.flatnonzero(size > CHANGED * float(size.max(initial=0.0))).astype(np.int64)

    @property
    def relative(self) -> FloatArray:
        """The changes as shares of the true values; infinite where an empty cell changed."""
        size = np.abs(self.change)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = size / np.abs(self.system.values)
        return np.where(size == 0, 0.0, share)

    def largest(self, most: int = 10) -> list[tuple[str, float]]:
        """Give the largest changes of cells that are not sensitive, as shares of their true values."""
        share = self.relative
        share[self.sensitive] = 0.0
        order = np.argsort(-share, kind="stable")[:most]
        return [(self.system.name(int(c)), float(share[c])) for c in order if share[c] > 0]

    def audit(self, told: float | None = None, *, exact: bool = True) -> Audit:
        """Find what can be deduced by one who knows the frozen cells, the bounds and that true values add up.

        Without more, nothing says how far values moved. Agencies often tell how good the table is.

        Args:
            told: a share of the true value by which no cell was changed by more, if that is told with the table.
            exact: whether the exact intervals are wanted; if not, only whether protection holds is found.
        """
        return deduced(self.system, *self.reach(told), self.protection, exact=exact)

    def reach(self, told: float | None = None) -> tuple[FloatArray, FloatArray]:
        """Give the least and the largest true value of each cell that its own published value allows for."""
        x, y = self.system.values, self.values
        low, high = np.full(x.size, -np.inf), np.full(x.size, np.inf)
        if told is not None:
            if not 0 <= told < 1:
                raise TableError(f"told is a share from 0 to less than 1; found {told:g}")
            if bool((np.abs(self.change) > told * np.abs(x) * (1 + 1e-9) + 1e-12).any()):
                raise TableError(
                    f"some cells were changed by more than the share {told:g}; this cannot be told of the table"
                )
            ends = y / (1 + told), y / (1 - told)
            low, high = np.minimum(*ends), np.maximum(*ends)
        low[self.frozen] = high[self.frozen] = x[self.frozen]
        return np.minimum(low, x), np.maximum(high, x)

    def intervals(self, told: float | None = None) -> tuple[FloatArray, FloatArray]:
        """Give the least and the largest true value of each cell that the published table allows for."""
        found = self.audit(told)
        return found.low.copy(), found.high.copy()

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each cell: name, true value, published value, status; for internal use."""
        import polars as pl

        status = np.full(self.system.n, "kept", dtype=object)
        status[self.changed] = "adjusted"
        status[self.sensitive] = np.where(self.upward, "sensitive, up", "sensitive, down")
        names = [self.system.name(c) for c in range(self.system.n)]
        own = {"value": self.system.values, "published": self.values, "status": status.tolist()}
        return pl.DataFrame({"cell": np.arange(self.system.n), "name": names} | own)

    def __repr__(self) -> str:
        """Write counts, the distance and the gap."""
        how = "optimal" if self.optimal else "heuristic"
        others = np.setdiff1d(self.changed, self.sensitive).size
        end = "" if self.finished else "; stopped early"
        return (
            f"Adjusted({self.sensitive.size:,} sensitive cells, {int(self.upward.sum()):,} of them up, and {others:,} "
            f"others of {self.system.n:,} changed; distance {self.distance:,.6g}, {how}, gap {self.gap:.2%}{end})"
        )
