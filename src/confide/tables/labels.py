"""The values of a column as codes in text, or as numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.codebook import Kind, Variable
from confide.data.column import Column
from confide.data.convert import as_kind
from confide.data.microdata import Microdata
from confide.errors import TableError
from confide.typing import FloatArray, IntArray, Label


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Codes of records."""

    ids: IntArray
    """The place of each record's code in `labels`; -1 where it is missing."""
    labels: tuple[str, ...]
    """The codes that occur, in order: numbers by size, ordinal levels as declared, others by letters."""


def labelled(column: Column, variable: Variable) -> Labelled:
    """Give the codes of a column as text, in an order that does not depend on the order of the records.

    >>> held = labelled(Column.of_labels(["b", "a", None, "b"]), Variable("v", Kind.NOMINAL))
    >>> held.labels, held.ids.tolist()
    (('a', 'b'), [1, 0, -1, 1])
    """
    whole = column.as_labels()
    used = np.zeros(len(whole.labels), dtype=np.bool_)
    used[whole.codes[whole.codes >= 0]] = True
    texts = [_text(label) for label in whole.labels]
    found = dict.fromkeys(t for t, u in zip(texts, used.tolist(), strict=True) if u)
    ordered = tuple(found) if variable.kind is Kind.ORDINAL else tuple(sorted(found, key=_numbers_first))
    place = {t: i for i, t in enumerate(ordered)}
    table = np.array([place.get(t, -1) for t in texts] + [-1, -1], dtype=np.int64)
    return Labelled(table[whole.codes], ordered)


def numbers_of(file: Microdata, name: str, what: str = "records") -> FloatArray:
    """Give the numbers of a variable, also where few of them were taken for categories; raise where one is missing."""
    numbers = as_kind(file.columns[name], Kind.CONTINUOUS, name).numbers
    bad = int(np.sum(~np.isfinite(numbers)))
    if bad:
        raise TableError(f"{name!r} holds no finite number for {bad:,} of {file.n:,} {what}; leave them out or fill them in")
    return numbers.astype(np.float64)


def _text(label: Label) -> str:
    """Write a code as text, whole numbers without a point."""
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return str(label).strip()


def _numbers_first(text: str) -> tuple[bool, float, str]:
    """Order numbers by size, then texts by letters."""
    try:
        return (False, float(text), text)
    except ValueError:
        return (True, 0.0, text)
