"""The noise of cells: of counts by a perturbation table, of magnitudes in proportion to contributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from confide.errors import TableError
from confide.tables.perturb.entropy import most_even, variances
from confide.tables.perturb.keys import for_counts, for_magnitudes
from confide.tables.perturb.transitions import PerturbationTable, looked_up
from confide.tables.table import Table
from confide.typing import FloatArray, IntArray


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

    def drawn(self, table: Table, cell_keys: IntArray) -> FloatArray:
        """Give the noise of each cell."""
        return self.table.noise_of(table.values, for_counts(cell_keys)).astype(np.float64)

    def reach(self, table: Table, published: FloatArray) -> tuple[FloatArray, FloatArray]:  # noqa: ARG002  one shape for all
        """Give the least and the largest true count of each published one."""
        low, high = self.table.reach(np.rint(published))
        return low.astype(np.float64), high.astype(np.float64)


@dataclass(frozen=True, slots=True)
class MagnitudeNoise:
    """Noise of magnitudes: a share of an amount of the cell, most even for its spread, with mean 0.

    Cells to which nobody contributes stay as they are.

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
    """The least noise up or down, as a share of the largest noise; 0: a cell may stay as it is."""
    steps: int = 100
    """How many different amounts of noise there are in each direction."""

    def __post_init__(self) -> None:
        """Check the shares, and that there is such noise."""
        if not (0 < self.share < 1 and self.spread > 0 and 0 <= self.least < 1 and self.steps >= 1):
            raise TableError(
                "noise of magnitudes needs a share between 0 and 1, a spread above 0, least from 0 to less than 1 and 1 or "
                f"more steps; found {self.share:g}, {self.spread:g}, {self.least:g} and {self.steps}"
            )
        low, high = variances(self._support)
        if not low <= (self.spread * self.steps) ** 2 <= high:
            raise TableError(
                f"noise between {self.least:g} and 1 of the largest has a spread from {low**0.5 / self.steps:.3g} to 1; "
                f"asked for {self.spread:g}"
            )

    @property
    def _support(self) -> IntArray:
        v = np.arange(-self.steps, self.steps + 1)
        return v[np.abs(v) >= self.least * self.steps]

    @property
    def places(self) -> int:
        """How many of the largest contributions are needed."""
        return self.by.top if isinstance(self.by, ByLargest) else 1

    def distribution(self) -> tuple[FloatArray, FloatArray]:
        """Give the noise, as shares of the amount, and its probabilities."""
        v = self._support
        return self.share * v / self.steps, most_even(v, (self.spread * self.steps) ** 2)

    def drawn(self, table: Table, cell_keys: IntArray) -> FloatArray:
        """Give the noise of each cell."""
        shares, p = self.distribution()
        return np.asarray(shares[looked_up(p, for_magnitudes(cell_keys))] * self.by.amounts(table))

    def reach(self, table: Table, published: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give the least and the largest true value of each published one; amounts are at most the value itself.

        Where contributions may be negative nothing is known.
        """
        if bool((table.values < 0).any()) or not np.allclose(table.absolute, np.abs(table.values), rtol=1e-9):
            return np.full(table.n, -np.inf), np.full(table.n, np.inf)
        return published / (1 + self.share), published / (1 - self.share)
