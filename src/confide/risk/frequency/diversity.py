"""l-diversity: how many values of a sensitive variable a combination of keys leaves possible.

Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam (2007), l-diversity: privacy beyond k-anonymity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import IntruderError
from confide.risk.frequency.keys import File, Keys
from confide.risk.frequency.value_kernels import distinct_values, entropies, recursive_depths
from confide.risk.frequency.values import Values, values_within
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class DistinctDiversity:
    """l is the number of different values in the cell."""

    def of_cells(self, values: Values) -> FloatArray:
        """Give the l of each cell."""
        return distinct_values(values.ordered, values.start)

    def describe(self) -> str:
        """Say it in words."""
        return "distinct"


@dataclass(frozen=True, slots=True)
class EntropyDiversity:
    """l is the exponential of the entropy in the cell: the number of values if all were equally frequent."""

    def of_cells(self, values: Values) -> FloatArray:
        """Give the l of each cell."""
        return np.exp(entropies(values.ordered, values.start))

    def describe(self) -> str:
        """Say it in words."""
        return "entropy"


@dataclass(frozen=True, slots=True)
class RecursiveDiversity:
    """l is the largest with r_1 < c (r_l + ... + r_m), r_1 >= r_2 >= ... being the counts of the values in the cell.

    The most frequent value is then not too frequent even after l - 2 of the others were ruled out. l is 0 where one value
    alone is too frequent, which needs a c of one or less.
    """

    c: float = 3.0
    """How many times as frequent as the tail the first value may be."""

    def __post_init__(self) -> None:
        """Check the ratio."""
        if not (math.isfinite(self.c) and self.c > 0):
            raise IntruderError(f"RecursiveDiversity: c must be above 0, found {self.c}")

    def of_cells(self, values: Values) -> FloatArray:
        """Give the l of each cell."""
        return recursive_depths(values.ordered, values.start, self.c)

    def describe(self) -> str:
        """Say it in words."""
        return f"recursive, c = {self.c:g}"


Diversity = DistinctDiversity | EntropyDiversity | RecursiveDiversity
DISTINCT = DistinctDiversity()
ROUNDING = 1e-9
"""An l this share below the one asked for, by rounding of entropies, is not below it."""


@dataclass(frozen=True, slots=True, eq=False)
class LDiversity:
    """How diverse a sensitive variable is among the records that agree with each record."""

    name: ClassVar[str] = "l_diversity"
    title: ClassVar[str] = "l-diversity"
    larger_is_riskier: ClassVar[bool] = False

    per_record: FloatArray
    """The l of the record's cell."""
    sensitive: str
    """The variable."""
    diversity: Diversity
    """What l means."""

    @property
    def value(self) -> float:
        """The smallest l: the largest for which the file is l-diverse."""
        return float(self.per_record.min())

    def below(self, least: float) -> int:
        """Count the records whose l is below the least one wanted."""
        if not 1 <= least < math.inf:
            raise IntruderError(f"l counts values and must be 1 or more, found {least}")
        return int(np.count_nonzero(self.per_record < least * (1 - ROUNDING)))

    def __repr__(self) -> str:
        """Say the l, and how many records are below a few common ones."""
        counts = ", ".join(f"{self.below(least):,} below {least}" for least in (2, 3, 5))
        return (
            f"LDiversity({self.sensitive}, {self.diversity.describe()}: l = {self.value:.4g}; "
            f"of {self.per_record.size:,} records {counts})"
        )


def l_diversity(data: File, keys: Keys, sensitive: str, diversity: Diversity = DISTINCT) -> LDiversity:
    """Find how diverse a sensitive variable is among records that agree on the keys.

    Missing values of keys are levels of their own. A missing value of the sensitive variable may be a level of its own, or
    any of the others and not told: l is the smaller one of both readings. A cell of which nothing is told has one value.

    Args:
        data: a source file, or a released one.
        keys: the variables an intruder knows; those declared as keys when None.
        sensitive: the variable to protect.
        diversity: `DistinctDiversity()`, `EntropyDiversity()` or `RecursiveDiversity(c)`.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "f", "m", "m"], "ill": ["flu", "cold", "flu", "flu", "flu"]})
    >>> cf.l_diversity(data, "sex", "ill").per_record.tolist()
    [2.0, 2.0, 2.0, 1.0, 1.0]
    >>> cf.l_diversity(data, "sex", "ill", cf.EntropyDiversity()).per_record.round(2).tolist()
    [1.89, 1.89, 1.89, 1.0, 1.0]
    >>> blank = cf.Microdata.from_dict({"sex": ["f", "f", "f"], "ill": ["flu", "flu", None]})
    >>> cf.l_diversity(blank, "sex", "ill").value
    1.0
    """
    values = values_within(data, keys, sensitive)
    found = diversity.of_cells(values)
    if values.missing:
        told, tells = values.told()
        found[tells] = np.minimum(found[tells], diversity.of_cells(told))
    return LDiversity(values.per_record(found), sensitive, diversity)
