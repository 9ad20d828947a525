"""Read a released file as its users will: an interval stands for the number in its middle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from confide.data.codebook import Kind
from confide.data.column import Column
from confide.release.channel import Deterministic
from confide.release.coding import deterministic, read_back
from confide.release.released import Released


def as_read(released: Released) -> tuple[Released, tuple[str, ...]]:
    """Give the release with numbers in place of the intervals it was recoded into, and say which were read so.

    A category that stands for an interval of numbers is read as the middle of it; of whole numbers as the middle of the
    whole numbers in it. A category beyond a cut is read as its finite end. Categories of which the release does not
    tell the interval stay categories.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"age": [43, 39, 98]}).declare(kinds={"age": "integer"})
    >>> masked = cf.Release(cf.Topcode("age", at=90), cf.Recode("age", width=5)).apply(data, seed=1)
    >>> masked.data.columns["age"].values()
    ['40-44', '35-39', 'more than 90']
    >>> read, notes = as_read(masked)
    >>> read.data.columns["age"].values()
    [42, 37, 91]
    """
    source, data = released.source, released.data
    assert source is not None
    columns: dict[str, Column] = {}
    kinds: dict[str, Kind] = {}
    notes: list[str] = []
    for name, column in data.columns.items():
        if name not in source.columns or not source.variables[name].kind.is_numeric:
            continue
        if not bool(np.any(column.codes >= 0)):
            continue
        before = int(np.sum(column.codes >= 0))
        whole = source.variables[name].kind is Kind.INTEGER
        read = column.as_numbers()
        channels = deterministic(released.steps, name)
        if channels and bool(np.any(read.codes >= 0)):
            read = _numbers_of_labels(read, channels, whole=whole)
        left = int(np.sum(read.codes >= 0))
        if left < before:
            columns[name], kinds[name] = read, source.variables[name].kind
            which = "they" if not left else f"{before - left:,} of them"
            notes.append(
                f"{name!r} is released in categories for {before:,} of {data.n:,} records; {which} are read as the middle "
                "of their interval, or as its finite end"
            )
    if not columns:
        return released, ()
    return replace(released, data=data.with_columns(columns, kinds)), tuple(notes)


def _numbers_of_labels(column: Column, channels: list[Deterministic], *, whole: bool) -> Column:
    """Read the labels once, and give each record what its label was read as."""
    labels = Column.of_codes(np.arange(len(column.labels), dtype=np.int64), column.labels)
    for channel in reversed(channels):
        labels = read_back(labels, channel, whole=whole)
    coded = column.codes >= 0
    codes = np.where(coded, labels.codes[np.where(coded, column.codes, 0)], column.codes)
    numbers = np.where(coded, labels.numbers[np.where(coded, column.codes, 0)], column.numbers)
    return Column(numbers, codes, labels.labels)

