"""How far released values are from their originals, on a scale from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from confide.data.codebook import Kind
from confide.data.column import Column
from confide.errors import UtilityError
from confide.linking.distance.part import joint_codes
from confide.release.released import Released
from confide.typing import FloatArray, IntArray
from confide.utility.files import paired
from confide.utility.leaves import Leaves, compared, leaves_of
from confide.utility.measure import SHARE, Parts, Utility
from confide.utility.of_variables import OfVariables
from confide.utility.spread import Spread, SpreadEvenly


@dataclass(frozen=True, slots=True)
class ValueLoss(OfVariables):
    """The mean distance of released values from their originals, each between 0 and 1 (Młodak 2020).

    Of numbers it is 2/pi atan abs(x - x'), which depends on the unit; of ordinal variables the difference of places, divided
    by the largest there can be; of other variables 0 where equal, else 1. A value that is missing in one file counts as far
    as can be: for numbers the largest difference of a source from a released value. It is `IL_variables` of sdcMicro. A
    category that stands for several values counts the mean distance of these from the original, see `SpreadEvenly`. Values
    of records or variables that are not released count 1.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "x": [1.5, 2.5, 4.5]})
    >>> masked = cf.Microdata.from_dict({"sex": ["m", "m", "f"], "x": [1.5, 3.5, 4.5]})
    >>> found = cf.ValueLoss().of(cf.Released.from_files(data, masked, same_order=True))
    >>> round(found.value, 6), found.to_frame().rows()
    (0.25, [('sex', 0.3333333333333333), ('x', 0.16666666666666666)])
    """

    name: ClassVar[str] = "value_loss"
    title: ClassVar[str] = "Distance of values"
    larger_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = SHARE
    numeric: ClassVar[bool] = False

    spread: Spread = field(default=SpreadEvenly(), kw_only=True)
    """What is made of released categories that stand for several values."""

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = self.files(released)
        names = self.names(files)
        rows, parents, absent, alone = paired(files, self.title)
        w, left = files.source_weights[parents], files.source_weights[absent]
        total = float(w.sum() + left.sum())
        if not float(w.sum()) > 0:
            raise UtilityError(
                f"{self.title}: the released records have source records of weight zero only; give weights=False"
            )
        losses: list[float] = []
        notes: list[str] = []
        for name in names:
            if name not in files.released.columns:
                losses.append(1.0)
                continue
            kind = files.source.variables[name].kind
            leaves = None if kind.is_numeric else leaves_of(files, name, self.spread)
            notes += files.notes_on([name]) if kind.is_numeric else compared(files, name, leaves, self.spread)
            own, other = files.source.columns[name].take(parents), files.released.columns[name].take(rows)
            if leaves is None:
                found = _distance(own, other, kind)
            else:
                ordered = files.source.columns[name] if kind is Kind.ORDINAL and len(own.labels) > 1 else None
                found = from_leaves(leaves, leaves.leaf[parents], leaves.codes[rows], ordered)
            lost = ~files.source.columns[name].is_missing[absent]
            losses.append(float(w @ found + left @ lost) / total)
        gone = tuple(f"{n!r} is not in the release and counts 1" for n in names if n not in files.released.columns)
        parts: Parts = {"variable": list(names), "loss": losses}
        return Utility(self, float(np.mean(losses)), parts, None, (*notes, *alone, *gone))


def _distance(own: Column, other: Column, kind: Kind) -> FloatArray:
    """Give the distance of each released value from its original."""
    if kind.is_numeric:
        x, y = own.as_numbers(), other.as_numbers()
        if not bool(np.any(x.codes >= 0) or np.any(y.codes >= 0)):
            return _of_numbers(x.numbers, y.numbers)
    if kind is Kind.ORDINAL and len(own.labels) > 1 and set(other.labels) <= set(own.labels):
        return _of_places(own, other.relabelled(own.labels))
    a, b, _ = joint_codes(own, other)
    return np.where(np.isnan(a) & np.isnan(b), 0.0, np.where(a == b, 0.0, 1.0))


def _of_numbers(x: FloatArray, y: FloatArray) -> FloatArray:
    """Give 2/pi atan of the difference."""
    gap = np.abs(x - y)
    holes = np.isnan(gap)
    if bool(holes.any()):
        known = [v[~np.isnan(v)] for v in (x, y)]
        ends = [(v.min(), v.max()) if v.size else (np.nan, np.nan) for v in known]
        widest = max(abs(ends[1][0] - ends[0][1]), abs(ends[1][1] - ends[0][0]))
        gap = np.where(holes, np.inf if np.isnan(widest) else widest, gap)
        gap = np.where(np.isnan(x) & np.isnan(y), 0.0, gap)
    return np.asarray(2 / np.pi * np.arctan(gap), dtype=np.float64)


def _of_places(own: Column, other: Column) -> FloatArray:
    """Give the difference of places, divided by the largest there can be."""
    gap = np.abs(own.codes - other.codes) / (len(own.labels) - 1)
    holes = own.is_missing | other.is_missing
    return np.where(own.is_missing & other.is_missing, 0.0, np.where(holes, 1.0, gap))


def from_leaves(leaves: Leaves, own: IntArray, shown: IntArray, ordered: Column | None) -> FloatArray:
    """Give the mean distance of what released values stand for from the originals.

    Args:
        leaves: what released values stand for.
        own: the leaf of each record.
        shown: what each record is released as; -1 for values that no leaf leads to.
        ordered: the variable in the source, where its levels have an order.
    """
    if ordered is None:
        return np.where(leaves.group[own] == shown, 1.0 - leaves.share[own], 1.0)
    place = ordered.codes[leaves.first]
    p, known = np.zeros((leaves.groups + 1, len(ordered.labels))), place >= 0
    np.add.at(p, (leaves.group[known], place[known]), leaves.share[known])
    # the mean of abs(m - i) over places m: the shares of places below each step before i and above each one after it
    below = np.cumsum(p, axis=1)
    up = np.cumsum(below, axis=1) - below
    down = np.cumsum((1.0 - below)[:, ::-1], axis=1)[:, ::-1]
    found = (up + down)[shown, np.maximum(place[own], 0)] / (p.shape[1] - 1)
    holes = (place[own] < 0) | (p.sum(axis=1) == 0)[shown]
    return np.where(holes, np.where(leaves.group[own] == shown, 0.0, 1.0), found)
