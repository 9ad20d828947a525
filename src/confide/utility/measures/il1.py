"""Distances of values from their originals: IL1s and IL1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import UtilityError
from confide.release.released import Released
from confide.typing import FloatArray
from confide.utility.estimates import variance_of
from confide.utility.files import Names, chosen, files_of, numbers, paired
from confide.utility.measure import LOSS, Parts, Utility, UtilityMeasure
from confide.utility.of_variables import OfVariables


@dataclass(frozen=True, slots=True)
class IL1s(OfVariables):
    """The sum of abs(x - x') / (sqrt(2) sd) over records and variables (Mateo-Sanz, Sebé and Domingo-Ferrer 2004).

    x is a source value, x' its released one, sd the standard deviation of the variable in the source. The sum grows with the
    file; `per_value` divides it by the number of values compared. A value that is not released, in a variable or
    record that is dropped or in a blank cell, counts as far as any source value is from it. Values that the source lacks are
    left out.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"x": [1.5, 2.5, 4.5]})
    >>> masked = cf.Microdata.from_dict({"x": [1.5, 3.5, 4.5]})
    >>> round(cf.IL1s().of(cf.Released.from_files(data, masked, same_order=True)).value, 6), round(1 / (2 * 7 / 3) ** 0.5, 6)
    (0.46291, 0.46291)
    """

    name: ClassVar[str] = "il1s"
    larger_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = LOSS

    per_value: bool = False
    """Whether the sum is divided by the number of values compared."""

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return "IL1s per value" if self.per_value else "IL1s"

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        return _losses(self, self.variables, released, self._scaled, per_value=self.per_value, weights=self.weights)

    def _scaled(self, name: str, column: FloatArray, w: FloatArray, own: FloatArray) -> FloatArray:
        """Divide by the standard deviation, times the root of two."""
        known = ~np.isnan(column) & (w > 0)
        if int(known.sum()) < 2:
            raise UtilityError(
                f"{self.title}: {name!r} has fewer than two known values in the source, so no standard deviation"
            )
        sd = float(np.sqrt(variance_of(column[known], w[known])))
        if sd == 0:
            raise UtilityError(
                f"{self.title}: {name!r} is constant in the source, so that nothing is far or near; leave it out with "
                "variables=[...]"
            )
        return np.full(own.size, np.sqrt(2.0) * sd)


@dataclass(frozen=True, slots=True)
class IL1(OfVariables):
    """The sum of relative distances in per cent, 100 abs(x - x') / abs(x), over records and variables.

    A value that is not released counts as far as any source value is from it. Values of zero in the source have no relative
    distance and are left out, as are missing ones; where zeros are not released, the loss is undefined. `IL1s` has no such
    gaps.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"x": [0.0, 2.5, 4.0]})
    >>> masked = cf.Microdata.from_dict({"x": [1.5, 2.5, 5.0]})
    >>> cf.IL1().of(cf.Released.from_files(data, masked, same_order=True)).value
    25.0
    """

    name: ClassVar[str] = "il1"
    larger_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = LOSS

    per_value: bool = False
    """Whether the sum is divided by the number of values compared."""

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return "IL1 per value" if self.per_value else "IL1"

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        return _losses(self, self.variables, released, _relative, per_value=self.per_value, weights=self.weights)


def _relative(name: str, column: FloatArray, w: FloatArray, own: FloatArray) -> FloatArray:  # noqa: ARG001
    """Divide by a hundredth of the value itself; not where it is zero."""
    return np.where(own == 0, np.nan, np.abs(own) / 100)


def furthest(x: FloatArray, source: FloatArray) -> FloatArray:
    """Give how far any source value is from each value.

    >>> furthest(np.array([1.0, 4.0]), np.array([0.0, 4.0, np.nan])).tolist()
    [3.0, 4.0]
    """
    known = source[~np.isnan(source)]
    if not known.size:
        return np.full(x.size, np.nan)
    return np.asarray(np.maximum(x - known.min(), known.max() - x))


def _losses(
    measure: UtilityMeasure,
    variables: Names,
    released: Released,
    scale: Callable[[str, FloatArray, FloatArray, FloatArray], FloatArray],
    *,
    per_value: bool,
    weights: bool,
) -> Utility:
    """Add up distances of released values from their originals.

    Args:
        measure: what is measured.
        variables: numeric variables; None: all.
        released: the release.
        scale: what distances are divided by, from the name of the variable, its source values, their weights, and the
            source values of the released records; NaN where there is no distance.
        per_value: whether the sum is divided by the number of values.
        weights: whether records count by their weights.
    """
    files = files_of(released, measure.title, weights=weights)
    names = chosen(files, variables, measure.title, numeric=True)
    pairs = paired(files, measure.title)
    # records that are not released come last, as if all their cells were blank
    records = np.concatenate([pairs.parents, pairs.absent])
    w = files.source_weights[records]
    notes = [*files.notes_on(names), *pairs.notes]
    sums, counts = [], []
    for name in names:
        column, other = numbers(files, name, measure.title)
        own = column[records]
        given = np.full(own.size, np.nan)
        if other is not None:
            given[: pairs.rows.size] = other[pairs.rows]
        lost = np.isnan(given) & ~np.isnan(own) & (w > 0)
        distance = np.where(lost, furthest(own, column[files.source_weights > 0]), np.abs(own - given))
        distance = distance / scale(name, column, files.source_weights, own)
        known = ~np.isnan(distance)
        gone = int(lost.sum())
        if bool(np.any(lost & ~known)):
            raise UtilityError(
                f"{measure.title}: {int(np.sum(lost & ~known)):,} values of {name!r} that are zero in the source are not "
                f"released, and the relative distance of what is lost is undefined; use IL1s(), or leave {name!r} out with "
                "variables=[...]"
            )
        left = int(known.size - known.sum())
        notes += [f"{name!r}: {left:,} of {known.size:,} values have no distance and are left out"] if left else []
        notes += [f"{name!r}: {gone:,} of {own.size:,} values are not released and count as far as can be"] if gone else []
        sums.append(float(w[known] @ distance[known]))
        counts.append(float(w[known].sum()))
    total, size = sum(sums), sum(counts)
    if not size > 0:
        raise UtilityError(f"{measure.title}: there is no value to compare; name variables that are known in both files")
    parts: Parts = {"variable": list(names), "sum": sums, "values": counts}
    return Utility(measure, total / size if per_value else total, parts, None, tuple(notes))
