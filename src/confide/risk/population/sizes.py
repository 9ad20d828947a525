"""Frequencies of frequencies: how many combinations of keys occur once, twice, ... in the sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import DeclarationError, IntruderError
from confide.risk.frequency.cells import Cells, Coded, cells_of, coded
from confide.risk.frequency.keys import File, Keys, key_names, records_of_file, survey_weights
from confide.risk.frequency.missing import Missing, MissingAsLevel
from confide.typing import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """The sizes of the cells of a sample, and the size of the population it was drawn from.

    >>> Sizes(np.array([1, 3]), np.array([4, 2]), 100.0).n
    10
    """

    size: IntArray
    """The sizes j that occur, ascending."""
    many: IntArray
    """s_j, the number of cells of each size."""
    population: float
    """N, the number of people."""

    @property
    def n(self) -> int:
        """The number of records."""
        return int((self.size * self.many).sum())

    @property
    def cells(self) -> int:
        """u, the number of cells that occur."""
        return int(self.many.sum())

    @property
    def fraction(self) -> float:
        """The share of people who are in the sample."""
        return self.n / self.population

    def of(self, j: int) -> int:
        """Give s_j."""
        return int(self.many[self.size == j].sum())

    @classmethod
    def count(cls, sizes: IntArray, population: float) -> Sizes:
        """Count the cells of each size."""
        size, many = np.unique(sizes, return_counts=True)
        return cls(size.astype(np.int64), many.astype(np.int64), population)


def partition(data: File, keys: Keys, missing: Missing) -> tuple[tuple[str, ...], list[Coded], Cells]:
    """Give the keys, their columns, and the cells; a wildcard makes no cells and is refused."""
    file = records_of_file(data)
    names = key_names(file, keys)
    columns = [coded(file.columns[name]) for name in names]
    lost = [name for name, column in zip(names, columns, strict=True) if column.has_missing]
    if lost and not isinstance(missing, MissingAsLevel):
        raise IntruderError(
            f"missing values of {', '.join(lost)} as wildcards: a record then belongs to several combinations, and the "
            "model counts each once. Take missing=MissingAsLevel(), or leave these records or keys out"
        )
    return names, columns, cells_of(columns)


def people(data: File, population_size: float | None) -> float:
    """Give N: the number asked for, or the sum of survey weights; raise where it is below the number of records."""
    file = records_of_file(data)
    if population_size is None:
        if file.weights is None:
            raise DeclarationError(
                f"{file.name!r} has no survey weight that tells how many people there are; give population_size=..., or "
                "declare(weight=...)"
            )
        found, source = float(survey_weights(file).sum()), "the survey weights sum to"
    else:
        found, source = float(population_size), "population_size is"
    if not (np.isfinite(found) and found >= file.n):
        raise IntruderError(
            f"{source} {found:,.6g}, but the file has {file.n:,} records; a population holds its sample. Give the number "
            "of people as population_size=..."
        )
    return found
