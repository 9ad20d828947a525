"""t-closeness: how far the sensitive values of a cell are from those of the whole file.

Li, Li and Venkatasubramanian (2007), t-closeness: privacy beyond k-anonymity and l-diversity. The earth mover's distance
between the two distributions, with the ground distances of section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.data.codebook import Kind
from confide.errors import DataError, IntruderError
from confide.risk.frequency.keys import File, Keys
from confide.risk.frequency.value_kernels import ordered_distances, variations
from confide.risk.frequency.values import Values, values_within
from confide.typing import FloatArray

ROUNDING = 1e-12
"""A distance this much above the one asked for is not above it."""


@dataclass(frozen=True, slots=True)
class EqualDistance:
    """Any two values are equally far apart: half of the sum of the absolute p - q, the variational distance."""

    def of_cells(self, values: Values) -> FloatArray:
        """Give the distance of each cell."""
        return variations(values.ordered, values.start, values.share)

    def describe(self) -> str:
        """Say it in words."""
        return "equal distances"


@dataclass(frozen=True, slots=True)
class OrderedDistance:
    """Values are as far apart as their ranks among the m values that occur: the ranks between them over m - 1."""

    def of_cells(self, values: Values) -> FloatArray:
        """Give the distance of each cell: the sum of |P_i - Q_i| over m - 1, P and Q being cumulative shares."""
        if values.missing:
            raise DataError(
                f"{values.missing:,} records have no value, and a missing value has no place in the order; "
                "leave them out, or use EqualDistance()"
            )
        q = np.cumsum(values.share)
        q[-1] = 1.0
        return ordered_distances(values.ordered, values.start, q, np.concatenate([[0.0], np.cumsum(q)]))

    def describe(self) -> str:
        """Say it in words."""
        return "ordered distances"


Distance = EqualDistance | OrderedDistance


@dataclass(frozen=True, slots=True, eq=False)
class TCloseness:
    """How far a sensitive variable is, among the records that agree with each record, from the whole file's."""

    name: ClassVar[str] = "t_closeness"
    title: ClassVar[str] = "t-closeness"
    larger_is_riskier: ClassVar[bool] = True

    per_record: FloatArray
    """The distance of the record's cell, from 0 to 1."""
    sensitive: str
    """The variable."""
    distance: Distance
    """How far two values are apart."""

    @property
    def value(self) -> float:
        """The largest distance: the smallest t for which the file is t-close."""
        return float(self.per_record.max())

    def above(self, t: float) -> int:
        """Count the records whose cell is further than t."""
        if not 0 <= t <= 1:
            raise IntruderError(f"t is a distance between 0 and 1, found {t}")
        return int(np.count_nonzero(self.per_record > t + ROUNDING))

    def __repr__(self) -> str:
        """Say the t, and how many records are above a few common ones."""
        counts = ", ".join(f"{self.above(t):,} above {t:g}" for t in (0.1, 0.2, 0.5))
        return (
            f"TCloseness({self.sensitive}, {self.distance.describe()}: t = {self.value:.4g}; "
            f"of {self.per_record.size:,} records {counts})"
        )


def t_closeness(data: File, keys: Keys, sensitive: str, distance: Distance | None = None) -> TCloseness:
    """Find how far the sensitive values of records that agree on the keys are from those of the file.

    Missing values of keys are levels of their own. With equal distances a missing value of the sensitive variable may be a
    level of its own, or not told, so that those that are told speak for the cell and the file: the distance is the larger
    one of both readings, and 1 where nothing is told in a cell. Ordered distances refuse missing values.

    Args:
        data: a source file, or a released one.
        keys: the variables an intruder knows; those declared as keys when None.
        sensitive: the variable to protect.
        distance: `EqualDistance()` or `OrderedDistance()`; when None, ordered for numbers and ordinal variables.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m", "m"], "ill": ["flu", "cold", "flu", "flu"]})
    >>> cf.t_closeness(data, "sex", "ill").per_record.tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    values = values_within(data, keys, sensitive)
    if distance is None:
        distance = OrderedDistance() if values.kind.is_numeric or values.kind is Kind.ORDINAL else EqualDistance()
    found = distance.of_cells(values)
    if values.missing:
        told, tells = values.told()
        found[tells] = np.maximum(found[tells], distance.of_cells(told))
        found[~tells] = 1.0
    return TCloseness(values.per_record(found), sensitive, distance)
