"""Take the values that beliefs are placed around, and the records they are asked about, from files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.intruder.appearance.check import as_table
from confide.typing import FloatArray


def records_of(file: Microdata, variables: str | Sequence[str], like: Microdata | None = None) -> FloatArray:
    """Give variables of a file as a table of numbers: amounts as they are, categories as codes.

    Codes count the labels of `like` from 0, or of the file itself. Give the source file as `like`
    when the records come from a released file, so that equal labels have equal codes.

    Args:
        file: the source or the released file.
        variables: the columns of the table.
        like: the file whose order of labels is used.

    >>> source = Microdata.from_dict({"sex": ["m", "f"], "income": [10.5, 20.5]})
    >>> released = Microdata.from_dict({"sex": ["f", "m"], "income": [21.5, 9.5]})
    >>> records_of(released, ["income", "sex"], like=source).tolist()
    [[21.5, 0.0], [9.5, 1.0]]
    """
    names = (variables,) if isinstance(variables, str) else tuple(variables)
    if not names:
        raise IntruderError("variables is empty; name at least one")
    columns = []
    for name in names:
        column = file.column(name)
        if bool(np.any(column.is_missing)):
            raise IntruderError(
                f"variable {name!r} is missing for {int(column.is_missing.sum())} of {column.size} records; "
                "leave the records or the variable out"
            )
        number = column.is_number
        if bool(number.all()):
            columns.append(column.numbers)
            continue
        if bool(number.any()):
            raise IntruderError(f"variable {name!r} holds both numbers and categories; recode it to one of them")
        labels = (like or file).column(name).labels
        unknown = {column.labels[c] for c in np.unique(column.codes)} - set(labels)
        if unknown:
            raise IntruderError(
                f"variable {name!r} has {len(unknown)} levels that the other file has not; recode one of them"
            )
        place = {label: i for i, label in enumerate(labels)}
        table = np.array([place.get(label, -1) for label in column.labels], dtype=np.float64)
        columns.append(table[column.codes])
    return np.column_stack(columns)


def source_values(source: Microdata | npt.ArrayLike, variables: str | Sequence[str] | None) -> FloatArray:
    """Give the values that centres are placed at, respondents by variables."""
    if isinstance(source, Microdata):
        if variables is None:
            raise IntruderError("name the variables of the file: around(file, ['income', ...], ...)")
        names = (variables,) if isinstance(variables, str) else tuple(variables)
        text = [v for v in names if v in source.columns and not bool(np.all(source.columns[v].is_number))]
        if text:
            raise IntruderError(
                f"variable {text[0]!r} is held as categories; use MisreportedAppearance, "
                f"or declare(kinds={{{text[0]!r}: 'continuous'}}) if it is an amount"
            )
        return as_table(records_of(source, names), "source")
    if variables is not None:
        raise IntruderError("variables names columns of a file; leave it out where source is a table of numbers")
    return as_table(source, "source")
