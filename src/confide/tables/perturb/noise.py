"""The noise of cells: of counts by a perturbation table, of magnitudes in proportion to contributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from confide.errors import TableError
from confide.tables.perturb.entropy import most_even, variances
from confide.tables.perturb.fineness import grid_of, on_grid
from confide.tables.perturb.keys import for_counts, for_magnitudes
from confide.tables.perturb.transitions import PerturbationTable, looked_up
from confide.tables.table import Table
from confide.typing import AnyArray, FloatArray, IntArray

PIECE = 1 / 3
"""The variance within a piece of the noise, in squares of half a step: a piece is two of them wide, and 2^2 / 12 = 1/3."""


class NoiseUnit(Protocol):
    """What the noise of a magnitude is in proportion to."""

    def amounts(self, table: Table) -> FloatArray:
        """Give the amount of each cell, at most the sum of the absolute contributions."""


@dataclass(frozen=True, slots=True)
class ByLargest:
    """The sum of the largest contributions of the cell."""

    top: int = 1
    """How many of them."""

    def amounts(self, table: Table) -> FloatArray:
        """Add up the largest contributions."""
        return np.asarray(table.largest_of("", self.top).sum(axis=1))


@dataclass(frozen=True, slots=True)
class ByMean:
    """The mean of the absolute contributions other than 0."""

    def amounts(self, table: Table) -> FloatArray:
        """Divide the absolute sum by those who contribute something."""
        active = table.respondents if table.active is None else table.active
        if active is None:
            raise TableError("the table does not say how many contribute to each cell; use ByLargest() or ByValue()")
        return np.asarray(table.absolute / np.maximum(active, 1.0))


@dataclass(frozen=True, slots=True)
class ByValue:
    """The absolute value of the cell."""

    def amounts(self, table: Table) -> FloatArray:
        """Take the values without their signs."""
        return np.abs(table.values)


@dataclass(frozen=True, slots=True, eq=False)
class CountNoise:
    """Whole noise of counts, looked up in a perturbation table.

    >>> CountNoise(PerturbationTable.of(3, 1.5)).places
    1
    """

    table: PerturbationTable

    @property
    def places(self) -> int:
        """How many of the largest contributions are needed."""
        return 1

    def published(self, table: Table, cell_keys: IntArray) -> FloatArray:
        """Add the noise of the cells' keys."""
        return table.values + self.table.noise_of(table.values, for_counts(cell_keys)).astype(np.float64)

    def reach(self, table: Table, published: FloatArray) -> tuple[FloatArray, FloatArray]:  # noqa: ARG002  one shape for all
        """Give the least and the largest true count of each published one."""
        low, high = self.table.reach(np.rint(published))
        return low.astype(np.float64), high.astype(np.float64)


@dataclass(frozen=True, slots=True)
class MagnitudeNoise:
    """Noise of magnitudes: a share of an amount of the cell, most even for its spread, with mean 0, and then a grid.

    The noise is continuous, and published values are multiples of a step that is coarser than the decimals of the table, so
    that dividing by all possible shares does not lead to one true value. Cells to which nobody contributes stay as they are.

    >>> MagnitudeNoise(share=0.2).distribution()[1].sum().round(12)
    np.float64(1.0)
    """

    share: float = 0.1
    """The largest noise, as a share of the amount."""
    by: NoiseUnit = ByLargest()
    """What it is a share of."""
    spread: float = 0.5
    """The standard deviation of the noise, as a share of the largest noise."""
    least: float = 0.0
    """The least noise up or down, as a share of the largest noise; 0: a cell may stay as it is, but for the grid."""
    steps: int = 100
    """How many pieces the distribution has in each direction; within each the noise is even."""
    grid: float | None = None
    """Published values are multiples of it; None: of twenty units of the table's last decimal, see `grid_of`."""

    def __post_init__(self) -> None:
        """Check the shares, and that there is such noise."""
        if not (0 < self.share < 1 and self.spread > 0 and 0 <= self.least < 1 and self.steps >= 1):
            raise TableError(
                "noise of magnitudes needs a share between 0 and 1, a spread above 0, least from 0 to less than 1 and 1 or "
                f"more steps; found {self.share:g}, {self.spread:g}, {self.least:g} and {self.steps}"
            )
        if self.grid is not None and not (np.isfinite(self.grid) and self.grid > 0):
            raise TableError(f"noise of magnitudes needs a grid above 0, such as 100, or none; found {self.grid:g}")
        if not self._pieces.size:
            raise TableError(f"no piece of {self.steps:,} steps lies above least = {self.least:g}; ask for more steps")
        low, high = (v + PIECE for v in variances(self._pieces))
        if not low <= (2 * self.spread * self.steps) ** 2 <= high:
            ends = [v**0.5 / (2 * self.steps) for v in (low, high)]
            raise TableError(
                f"noise between {self.least:g} and 1 of the largest has a spread from {ends[0]:.3g} to {ends[1]:.3g}; "
                f"asked for {self.spread:g}"
            )

    @property
    def _pieces(self) -> IntArray:
        """The middles of the pieces, in halves of a step: odd numbers."""
        first = int(np.ceil(self.least * self.steps - 1e-9))
        up = 2 * np.arange(first, self.steps) + 1
        return np.concatenate([-up[::-1], up])

    @property
    def places(self) -> int:
        """How many of the largest contributions are needed."""
        return self.by.top if isinstance(self.by, ByLargest) else 1

    def distribution(self) -> tuple[FloatArray, FloatArray]:
        """Give the middles of the pieces, as shares of the amount, and their probabilities."""
        v = self._pieces
        return self.share * v / (2 * self.steps), most_even(v, (2 * self.spread * self.steps) ** 2 - PIECE)

    def shares_of(self, uniform: FloatArray) -> FloatArray:
        """Give the shares that belong to numbers from 0 to less than 1: the inverse of the distribution."""
        middles, p = self.distribution()
        at = looked_up(p, uniform)
        before = np.cumsum(p) - p
        within = np.clip((uniform - before[at]) / np.maximum(p[at], 1e-300), 0.0, 1.0)
        return np.asarray(middles[at] + (within - 0.5) * self.share / self.steps)

    def published(self, table: Table, cell_keys: IntArray) -> FloatArray:
        """Add the noise of the cells' keys, and round to the grid; where the amount is 0 nothing changes."""
        amounts = self.by.amounts(table)
        noisy = table.values + self.shares_of(for_magnitudes(cell_keys)) * amounts
        return np.where(amounts > 0, on_grid(noisy, self.step(table)), table.values)

    def step(self, table: Table) -> float:
        """Give the step of the published values."""
        return grid_of(table, self.share * self.by.amounts(table)) if self.grid is None else self.grid

    def likelihood(self, published: float, values: AnyArray, amounts: AnyArray, step: float) -> FloatArray:
        """Give Pr(published | true value, amount) for cells with an amount above 0; it knows the grid.

        Args:
            published: the published value.
            values: true values that are thought possible.
            amounts: for each what the noise is a share of: for one contributor the value itself.
            step: the step of the published values.

        >>> noise = MagnitudeNoise(share=0.1)
        >>> noise.likelihood(1000, np.array([700, 1000]), np.array([700, 1000]), 20).round(4).tolist()
        [0.0, 0.1352]
        """
        middles, p = self.distribution()
        half = self.share / (2 * self.steps)
        ends = np.stack([middles - half, middles + half], axis=1).ravel()
        total = np.stack([np.cumsum(p) - p, np.cumsum(p)], axis=1).ravel()
        x, a = (np.asarray(z, dtype=np.float64) for z in (values, amounts))
        high, low = (np.interp((published + side * step / 2 - x) / a, ends, total) for side in (1, -1))
        return np.asarray(high - low)

    def reach(self, table: Table, published: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give the least and the largest true value of each published one; amounts are at most the value itself.

        Where contributions may be negative nothing is known.
        """
        if bool((table.values < 0).any()) or not np.allclose(table.absolute, np.abs(table.values), rtol=1e-9):
            return np.full(table.n, -np.inf), np.full(table.n, np.inf)
        half = self.step(table) / 2
        return np.maximum(published - half, 0.0) / (1 + self.share), (published + half) / (1 - self.share)
