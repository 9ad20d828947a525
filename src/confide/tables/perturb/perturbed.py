"""A table with noise by cell keys, and what it still tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import TableError
from confide.tables.audit.result import Audit
from confide.tables.perturb.candidates import few
from confide.tables.perturb.deduce import deduced, inward
from confide.tables.perturb.noise import CountNoise, MagnitudeNoise
from confide.tables.perturb.transitions import PerturbationTable
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.tables.table import Table
from confide.typing import AnyArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class ConsistentCounts:
    """The true counts that published ones allow for, when all are used together with the sums of true counts."""

    low: FloatArray
    high: FloatArray
    exposed: IntArray
    """Cells with one possible count."""


@dataclass(frozen=True, slots=True, eq=False)
class Perturbed:
    """Cells with noise that depends on their records only; published values do not add up."""

    table: Table
    """The true table."""
    values: FloatArray
    """What is published."""
    cell_keys: IntArray
    """The keys of the cells, in units of 2^-52."""
    noise: CountNoise | MagnitudeNoise

    @classmethod
    def of(cls, table: Table, noise: CountNoise | MagnitudeNoise) -> Perturbed:
        """Add the noise of the cells' keys to a table from `tabulate(..., keys=...)`."""
        if table.cell_keys is None:
            raise TableError(
                "the table does not hold the keys of its cells; make it with tabulate(..., keys=RecordKeys(secret))"
            )
        return cls(table, noise.published(table, table.cell_keys), table.cell_keys, noise)

    @property
    def system(self) -> System:
        """The true cells and their equations."""
        return System.of_table(self.table)

    @property
    def distance(self) -> float:
        """The sum of absolute changes over all cells: the information lost."""
        return float(np.abs(self.values - self.table.values).sum())

    @property
    def differences(self) -> FloatArray:
        """For each sum of the table the published parts less the published total."""
        return np.asarray(self.table.equations() @ self.values, dtype=np.float64)

    def additivity(self, shares: tuple[float, ...] = (0.5, 0.9, 1.0)) -> dict[float, float]:
        """Say how far parts and totals differ: the difference that a share of all sums does not exceed; 1: the largest."""
        off = np.abs(self.differences)
        return {q: float(np.quantile(off, q, method="inverted_cdf")) if off.size else 0.0 for q in shares}

    def likelihood(self, published: int, counts: AnyArray) -> FloatArray:
        """Give Pr(published | true count) for true counts."""
        return self._transitions().likelihood(published, counts)

    def posterior(self, published: int, prior: AnyArray | None = None) -> FloatArray:
        """Give the probabilities of true counts 0, 1, 2, ... given a published one.

        Args:
            published: the published count.
            prior: weights of 0, 1, 2, ...; None: how often each occurs among the true counts of the cells, which is more
                than an intruder knows.
        """
        before = np.bincount(self.table.values.astype(np.int64)) if prior is None else prior
        return self._transitions().posterior(published, before)

    def recognised(self, prior: AnyArray | None = None) -> FloatArray:
        """Give for each cell the probability that an intruder gives to its true count, looking at the cell alone."""
        table, truth = self._transitions(), self.table.values.astype(np.int64)
        before = np.bincount(truth).astype(np.float64) if prior is None else np.asarray(prior, dtype=np.float64)
        seen, of = np.unique(self.values.astype(np.int64), return_inverse=True)
        order = np.argsort(of, kind="stable")
        found = np.zeros(truth.size)
        for j, cells in zip(seen.tolist(), np.split(order, np.cumsum(np.bincount(of))[:-1]), strict=True):
            first = max(0, j - table.largest)  # no other counts are published as j
            after = table.posterior(j, before[first : j + table.largest + 1], first)
            at = truth[cells] - first
            found[cells] = np.where(at < after.size, after[np.minimum(at, after.size - 1)], 0.0)
        return found

    def audit(self, protection: Protection | None = None, *, exact: bool = True) -> Audit:
        """Find what can be deduced by one who knows the noise's reach and that true values add up.

        Cells that do not occur are taken to be known as empty. A magnitude whose published value leaves fewer than ten true
        values is taken to be known: of all cells, or of the sensitive ones where there is protection.
        """
        return deduced(self.system, *self.told(protection), protection, exact=exact)

    def told(self, protection: Protection | None = None) -> tuple[FloatArray, FloatArray]:
        """Give `reach()`, but without width where fewer than ten true values are left, which an audit takes to be known."""
        low, high = self.reach()
        if isinstance(self.noise, MagnitudeNoise):
            known = few(self.table, self.noise, self.values)
            if protection is not None:
                known &= np.isin(np.arange(self.table.n), protection.sensitive)
            low[known] = high[known] = self.table.values[known]
        return low, high

    def reach(self) -> tuple[FloatArray, FloatArray]:
        """Give the least and the largest true value of each cell that its own published value allows for."""
        low, high = self.noise.reach(self.table, self.values)
        return np.minimum(low, self.table.values), np.maximum(high, self.table.values)

    def intervals(self) -> tuple[FloatArray, FloatArray]:
        """Give the least and the largest true value of each cell that the published table allows for."""
        return inward(deduced(self.system, *self.reach()), whole=isinstance(self.noise, CountNoise))

    def consistent_counts(self) -> ConsistentCounts:
        """Use all published counts together with the sums of true counts, and list the cells that are given away."""
        self._transitions()
        low, high = self.intervals()
        return ConsistentCounts(low, high, np.flatnonzero(high - low < 1).astype(np.int64))

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each cell: its codes, the published value, and the true one; for internal use."""
        import polars as pl

        return self.table.frame().with_columns(pl.Series("published", self.values))

    def _transitions(self) -> PerturbationTable:
        if not isinstance(self.noise, CountNoise):
            raise TableError(
                "likelihoods are known for counts: the noise of a magnitude depends on contributions; use intervals()"
            )
        return self.noise.table

    def __repr__(self) -> str:
        """Write counts, the distance and how far sums are off."""
        moved = int((self.values != self.table.values).sum())
        off = self.additivity((1.0,))[1.0]
        kind = "counts" if isinstance(self.noise, CountNoise) else "magnitudes"
        return (
            f"Perturbed({self.table.n:,} cells with {kind} by {', '.join(self.table.by) or 'nothing'}, {moved:,} changed; "
            f"distance {self.distance:,.6g}, sums off by up to {off:,.6g})"
        )
