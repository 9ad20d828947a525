"""Interval disclosure of a file (Domingo-Ferrer and Torra 2004, section 2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from confide.data.codebook import Kind
from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import IntruderError, unknown
from confide.linking.distance.alike import source_of
from confide.linking.distance.encode import NOT_KEYS
from confide.linking.distance.ordinal import OrdinalDistance
from confide.linking.distance.part import both_columns, numbers_of
from confide.linking.distance.truth import KnownParent
from confide.release.released import Released
from confide.risk.interval.around import Around, Ends, RankWidth
from confide.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class IntervalDisclosure:
    """Which original values lie in the interval around their masked values."""

    name: ClassVar[str] = "interval_disclosure"
    title: ClassVar[str] = "Interval disclosure"
    larger_is_riskier: ClassVar[bool] = True

    variables: tuple[str, ...]
    """The variables."""
    inside: BoolArray
    """Whether the value lies inside, one row for each released record, one column for each variable."""
    known: BoolArray
    """Whether neither value is missing and the record has a parent."""
    around: Around
    """How the intervals were made."""
    ends: tuple[Ends, ...]
    """The intervals of each variable."""

    @property
    def per_variable(self) -> dict[str, float]:
        """The share of values inside, of those that are known; NaN where none is."""
        counts = self.known.sum(axis=0)
        shares = np.where(counts > 0, self.inside.sum(axis=0) / np.maximum(counts, 1), np.nan)
        return dict(zip(self.variables, shares.tolist(), strict=True))

    @property
    def mean(self) -> float:
        """The mean share over the variables, the average of the paper's comparisons."""
        return float(np.mean(list(self.per_variable.values())))

    @property
    def value(self) -> float:
        """The mean share over the variables."""
        return self.mean

    @property
    def per_record(self) -> FloatArray:
        """The share of each record's values that lie inside."""
        return np.asarray(self.inside.mean(axis=1))

    @property
    def all_inside(self) -> BoolArray:
        """Whether all values of a record lie inside."""
        return np.asarray(self.inside.all(axis=1), dtype=np.bool_)

    @property
    def joint(self) -> float:
        """The share of records with all values inside; one with a missing value does not count as inside."""
        return float(self.all_inside.mean())

    def intervals(self, variable: str) -> FloatArray:
        """Give the interval of each released record in one variable, as two columns; levels by their places."""
        if variable not in self.variables:
            raise IntruderError(unknown("variable", variable, self.variables))
        ends = self.ends[self.variables.index(variable)]
        return np.column_stack([ends.low, ends.high])

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each released record."""
        import polars as pl

        columns: dict[str, Any] = {v: self.inside[:, j] for j, v in enumerate(self.variables)}
        return pl.DataFrame({"record": np.arange(self.inside.shape[0])} | columns | {"all": self.all_inside})

    def __repr__(self) -> str:
        """Write the shares."""
        shares = ", ".join(f"{v} {s:.4g}" for v, s in self.per_variable.items())
        return f"IntervalDisclosure({self.around.describe()}: {shares}; all {self.joint:.4g})"


def interval_disclosure(
    released: Released,
    variables: Sequence[str] | str | None = None,
    around: Around = RankWidth(10),  # noqa: B008  frozen
) -> IntervalDisclosure:
    """Find how often the original value lies in an interval around the masked one.

    Args:
        released: the released file with its source and parents.
        variables: numeric or ordinal variables; None: all that both files have.
        around: the interval: `RankWidth`, `RankHalfWidth` or `SdWidth`. Ordinal variables are taken by the
            place of their levels.

    >>> import confide as cf
    >>> source = cf.Microdata.from_dict({"income": [10, 12, 15, 21, 30, 33, 40, 58, 70, 90]})
    >>> masked = cf.Microdata.from_dict({"income": [12, 11, 19, 18, 36, 28, 47, 52, 88, 71]})
    >>> released = cf.Released.from_files(source, masked, same_order=True)
    >>> interval_disclosure(released, "income", cf.RankHalfWidth(20)).per_variable
    {'income': 0.5}
    """
    source = source_of(released)
    names = _names(source, released, variables)
    pairs = KnownParent().pairs(released)
    n = released.data.n
    inside, known = (np.zeros((n, len(names)), dtype=np.bool_) for _ in range(2))
    ends: list[Ends] = []
    for j, name in enumerate(names):
        original, masked = _numbers(name, source, released.data)
        own = np.full(n, np.nan)
        own[pairs.record] = original[pairs.source]
        ends.append(around.ends(own, masked))
        inside[:, j] = ends[-1].hold(own)
        known[:, j] = ~(np.isnan(own) | np.isnan(masked))
    return IntervalDisclosure(names, inside, known, around, tuple(ends))


def _names(source: Microdata, released: Released, variables: Sequence[str] | str | None) -> tuple[str, ...]:
    """Give the variables asked for, or all for which an interval means something."""
    if isinstance(variables, str):
        return (variables,)
    if variables is not None:
        found = tuple(variables)
    else:
        kept = [v for v in source.variables.values() if v.role not in NOT_KEYS and v.name in released.data.columns]
        found = tuple(v.name for v in kept if v.kind.is_numeric or v.kind is Kind.ORDINAL)
    if not found or len(set(found)) < len(found):
        raise IntruderError("name every variable once, and at least one numeric or ordinal variable")
    return found


def _numbers(name: str, source: Microdata, released: Microdata) -> tuple[FloatArray, FloatArray]:
    """Give a variable as numbers in both files; levels by their places."""
    columns: tuple[Column, Column] = both_columns(name, source, released)
    if source.variables[name].kind is Kind.ORDINAL:
        part = OrdinalDistance(name).part(source, released)
        return part.source[:, 0], part.released[:, 0]
    return numbers_of(name, columns[0], "source"), numbers_of(name, columns[1], "released")
