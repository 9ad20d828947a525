"""Estimates of numeric variables, over the whole file or by groups of records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import UtilityError, unknown
from confide.typing import FloatArray, IntArray
from confide.utility.estimates import Estimate
from confide.utility.files import Files, numbers
from confide.utility.lost import ratio, share_of, still_known

MOST_GROUPS = 1_000
Estimator = Callable[[FloatArray, FloatArray, int], dict[str, Estimate]]
"""From the known values of a group, their weights and the number of known values in the file: estimates by name."""


class Groups(NamedTuple):
    """Records in the order of their groups."""

    order: IntArray
    """The records that belong to a group, group by group."""
    starts: IntArray
    """Where each group starts in the order; the end of the last comes last."""


def estimated(
    files: Files, names: Sequence[str], by: str | None, measure: str, estimate: Estimator
) -> tuple[dict[str, Estimate], dict[str, Estimate], dict[str, float], tuple[str, ...]]:
    """Make estimates of both files; give those of the source, those of the release, what is still known, and notes.

    Args:
        files: both files.
        names: numeric variables.
        by: a variable whose levels in the source are the groups; None: the whole file.
        measure: what the measure is called in messages.
        estimate: what is estimated.
    """
    labels = _labels(files.source, by, measure)
    where = [_grouped(file, by, labels) for file in (files.source, files.released)]
    own: dict[str, Estimate] = {}
    other: dict[str, Estimate] = {}
    shares: tuple[dict[str, float], dict[str, float]] = ({}, {})
    notes = list(files.notes_on(names))
    if by is not None and by not in files.released.columns:
        notes.append(f"{by!r} is not in the release, so that there are no estimates by it")
    for name in names:
        values = numbers(files, name, measure)
        weights = files.source_weights, files.released_weights
        for x, w, at, found, known in zip(values, weights, where, (own, other), shares, strict=True):
            if x is None:
                notes.append(f"{name!r} is not in the release")
                continue
            _add(found, known, name, labels, at, x, w, estimate)
        missing = [0 if x is None else int(np.isnan(x).sum()) for x in values]
        if any(missing):
            notes.append(f"{name!r} is missing for {missing[0]:,} source and {missing[1]:,} released records, left out")
    grouped = 1.0 if by is None else still_known(files, [by])
    left = {name: grouped * ratio(share, shares[1].get(name, 0.0)) for name, share in shares[0].items()}
    return own, other, left, tuple(notes)


def _add(
    found: dict[str, Estimate],
    shares: dict[str, float],
    name: str,
    labels: Sequence[str],
    at: Groups,
    x: FloatArray,
    w: FloatArray,
    estimate: Estimator,
) -> None:
    """Add the estimates of one variable of one file, and the shares of records that they are made of."""
    known = ~np.isnan(x) & (w > 0)
    n = int(known.sum())
    for g, label in enumerate(labels):
        rows = at.order[at.starts[g] : at.starts[g + 1]]
        share = share_of(known[rows], w[rows])
        rows = rows[known[rows]]
        made = {" ".join(filter(None, (what, name, label))): e for what, e in estimate(x[rows], w[rows], n).items()}
        found |= made
        shares |= dict.fromkeys(made, share)


def _labels(source: Microdata, by: str | None, measure: str) -> list[str]:
    """Name the groups; one without a name where there is no variable."""
    if by is None:
        return [""]
    if by not in source.columns:
        raise UtilityError(f"{measure}, by: {unknown('variable', by, source.names)}")
    column = source.columns[by]
    if bool(column.is_number.any()):
        raise UtilityError(
            f"{measure}: {by!r} holds numbers, which make no groups; declare(kinds={{{by!r}: 'nominal'}}), or put a "
            "variable with groups into the file"
        )
    used = _used(column)
    if not used or len(used) > MOST_GROUPS:
        raise UtilityError(f"{measure}: {by!r} makes {len(used):,} groups; there must be 1 to {MOST_GROUPS:,}")
    return [f"[{by} {label}]" for label in used]


def _used(column: Column) -> list[str]:
    """List the levels that occur."""
    return [str(column.labels[c]) for c in np.unique(column.codes[column.codes >= 0])]


def _grouped(file: Microdata, by: str | None, labels: Sequence[str]) -> Groups:
    """Put the records of a file in the order of their groups."""
    if by is None:
        return Groups(np.arange(file.n, dtype=np.int64), np.array([0, file.n], dtype=np.int64))
    if by not in file.columns:
        return Groups(np.empty(0, dtype=np.int64), np.zeros(len(labels) + 1, dtype=np.int64))
    column = file.columns[by]
    place = {label: g for g, label in enumerate(labels)}
    table = np.array([*(place.get(f"[{by} {x}]", -1) for x in column.labels), -1, -1], dtype=np.int64)
    group = table[column.codes]
    order = np.argsort(group, kind="stable").astype(np.int64)
    order = order[int(np.sum(group < 0)) :]
    counts = np.bincount(group[order], minlength=len(labels))
    return Groups(order, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
