"""Read a column as another kind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.codebook import Kind
from confide.data.column import MISSING, NUMBER, Column
from confide.errors import DeclarationError
from confide.typing import Label


def as_kind(column: Column, kind: Kind, name: str, coded: Sequence[Label] = ()) -> Column:
    """Give the same values as numbers or as categories; categories in `coded` may stand among numbers.

    >>> as_kind(Column.of_labels(["1", "2"]), Kind.INTEGER, "x").numbers.tolist()
    [1.0, 2.0]
    """
    if kind.is_numeric:
        column = _to_numbers(column, name, coded)
        if kind is Kind.INTEGER and not column.is_whole():
            raise DeclarationError(f"variable {name!r} holds fractions and cannot be an integer; declare it 'continuous'")
        return column
    return _to_categories(column)


def in_order(column: Column, order: Sequence[Label], name: str) -> Column:
    """Put the levels of a categorical column in the given order."""
    repeated = [x for i, x in enumerate(order) if x in order[:i]]
    if repeated:
        raise DeclarationError(f"the order of {name!r} names {repeated[0]!r} twice")
    used = {column.labels[c] for c in np.unique(column.codes) if c >= 0}
    absent = [x for x in column.labels if x in used and x not in order]
    if absent:
        raise DeclarationError(
            f"the order of {name!r} leaves out {len(absent)} of its levels; list all {len(used)} from lowest to "
            f"highest: they are data.columns[{name!r}].labels"
        )
    table = np.array([order.index(x) if x in order else MISSING for x in column.labels] + [MISSING, NUMBER])
    return Column(column.numbers, table[column.codes].astype(np.int64), tuple(order))


def _to_numbers(column: Column, name: str, keep: Sequence[Label]) -> Column:
    """Read labels as numbers, except those to keep."""
    if not column.labels:
        return column
    table = np.full(len(column.labels), np.nan)
    kept = np.array([label in keep for label in column.labels], dtype=np.bool_)
    for i, label in enumerate(column.labels):
        try:
            table[i] = float(label)
        except ValueError:
            continue
    coded = (column.codes >= 0) & ~kept[np.maximum(column.codes, 0)]
    texts = int(np.sum(~np.isfinite(table[column.codes[coded]])))
    if texts:
        raise DeclarationError(
            f"variable {name!r} cannot be numeric: {texts} record(s) hold text; declare it 'nominal', "
            f"or name categories that stand among its numbers: coded={{{name!r}: [...]}}"
        )
    numbers = column.numbers.copy()
    numbers[coded] = table[column.codes[coded]]
    read = Column.of_numbers(numbers)
    for place in np.flatnonzero(kept):
        read = read.with_codes(column.codes == place, column.labels[place])
    return read


def _to_categories(column: Column) -> Column:
    """Read numbers as categories, in increasing order."""
    number = column.is_number
    if not number.any():
        return column
    positions, distinct = column.profile()
    whole = column.is_whole()
    labels: list[Label] = []
    table = np.empty(distinct.size, dtype=np.int64)
    for i, (x, c) in enumerate(zip(distinct.numbers.tolist(), distinct.codes.tolist(), strict=True)):
        if c == MISSING:
            table[i] = MISSING
        else:
            table[i] = len(labels)
            labels.append((int(x) if whole else x) if c == NUMBER else column.labels[c])
    return Column.of_codes(table[positions], labels)
