"""Take a frame of pandas, polars or pyarrow in, give a polars frame out.

===============================================  ====================================================
type of the frame's column                       becomes
===============================================  ====================================================
whole numbers, fractions, decimals               numbers; None and NaN are missing
truth values                                     the levels False and True
text, polars Categorical                         levels in alphabetical order
pandas Categorical, polars Enum                  levels in their order, unused ones included
pandas Categorical that is ordered               the same, of kind ordinal
dates and times                                  text in ISO form, such as ``2024-02-29``
lists, structs, bytes, durations, mixed objects  refused: no statistical method here can use them
===============================================  ====================================================

Codes are then read as categories where :mod:`confide.data.inference` says so. The row index of a
pandas frame is left behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from confide.data.codebook import Kind
from confide.data.column import MISSING, NUMBER, Column
from confide.data.convert import as_kind
from confide.data.inference import facts_of, infer_variables
from confide.data.microdata import Microdata
from confide.data.native import read_column
from confide.errors import DataError, raise_all
from confide.typing import IntArray, Label

_EXACT = 2**53
LARGEST = 1e100
"""Of larger numbers neither weighted squares nor sums of them can be computed."""


def from_frame(frame: Any, *, name: str = "data") -> Microdata:
    """Make a file from a frame of pandas, polars (lazy ones are collected) or pyarrow.

    Args:
        frame: one row per respondent, one column per variable.
        name: what the file is called in prints and reports.

    >>> data = from_frame(pl.DataFrame({"sex": ["f", "m", None], "height": [1.7, 1.8, 1.6]}))
    >>> data.columns["sex"].labels, data.variables["height"].kind.value
    (('f', 'm'), 'continuous')
    """
    wrapped = _wrap(frame, name)
    _check_names(wrapped.columns, name)
    if len(wrapped) == 0:
        raise DataError(f"{name!r} has columns but no records; pass a frame with at least one row")
    columns: dict[str, Column] = {}
    kinds: dict[str, Kind] = {}
    has_levels: dict[str, bool] = {}
    faults: list[str] = []
    for c in wrapped.columns:
        try:
            columns[c], kind, has_levels[c] = read_column(wrapped[c], c)
            _check_size(columns[c], c)
        except DataError as error:
            faults.append(str(error))
        else:
            if kind is not None:
                kinds[c] = kind
    raise_all(faults, DataError)
    facts = {c: facts_of(column, has_levels=has_levels[c]) for c, column in columns.items()}
    variables = infer_variables(facts, kinds)
    columns = {c: as_kind(column, variables[c].kind, c) for c, column in columns.items()}
    return Microdata(variables, columns, name)


def to_polars(microdata: Microdata) -> pl.DataFrame:
    """Give the values as a polars frame.

    Numbers become Int64 where the kind is integer, else Float64; categories take the type of their
    labels; a column with numbers and categories becomes text, in which whole numbers have no point.

    >>> import numpy as np
    >>> mixed = Column.of_numbers([5.0, 7.0]).with_codes(np.array([False, True]), "6 or more")
    >>> data = from_frame(pl.DataFrame({"x": [5, 7]})).with_columns({"x": mixed})
    >>> to_polars(data)["x"].to_list()
    ['5', '6 or more']
    """
    kinds = {name: variable.kind for name, variable in microdata.variables.items()}
    return pl.DataFrame([_write_column(c, kinds[name], name) for name, c in microdata.columns.items()])


def _wrap(frame: Any, name: str) -> nw.DataFrame[Any]:
    """Open a frame of any of the supported libraries."""
    try:
        wrapped = nw.from_native(frame)
        return wrapped.collect() if isinstance(wrapped, nw.LazyFrame) else wrapped
    except TypeError:
        raise DataError(
            f"cannot read {name!r} from an object of type {type(frame).__name__}; pass a frame of pandas, "
            "polars or pyarrow, lists with Microdata.from_dict, or a path with read"
        ) from None
    except nw.exceptions.DuplicateError:
        raise DataError(f"{name!r} has columns of the same name: {_repeated(frame)}; rename them") from None
    except (nw.exceptions.NarwhalsError, pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"the lazy frame {name!r} cannot be collected ({type(error).__name__}); collect it first") from None


def _repeated(frame: Any) -> str:
    """List names that occur more than once."""
    names = [str(c) for c in (frame.column_names if hasattr(frame, "column_names") else frame.columns)]
    return ", ".join(repr(c) for c in dict.fromkeys(names) if names.count(c) > 1)


def _check_names(names: Sequence[object], frame: str) -> None:
    """Refuse a frame without columns and names that are not text."""
    if not names:
        raise DataError(f"{frame!r} has no columns; pass a frame with at least one variable")
    faults = [
        f"{frame!r}, column {i}: its name is {'blank' if isinstance(c, str) else type(c).__name__}, not text; rename it"
        for i, c in enumerate(names, 1)
        if not isinstance(c, str) or not c.strip()
    ]
    raise_all(faults, DataError)


def _check_size(column: Column, name: str) -> None:
    """Refuse numbers whose squares and sums cannot be computed with."""
    if float(np.fmax.reduce(np.abs(column.numbers), initial=0.0)) > LARGEST:
        raise DataError(
            f"column {name!r} holds a number beyond {LARGEST:g}, whose square no computer holds; if it stands for a missing "
            "value, leave the cell empty; else turn the column into text, as text=[...] of read does"
        )


def _write_column(column: Column, kind: Kind, name: str) -> pl.Series:
    """Give one column as a polars series."""
    number = column.is_number
    coded = column.codes >= 0
    if number.any() and coded.any():
        return _gather(_texts(column), column.profile()[0], name)
    if number.any() or (kind.is_numeric and not coded.any()):
        values = pl.Series(name, column.numbers).fill_nan(None)
        return values.cast(pl.Int64) if kind is Kind.INTEGER and column.is_whole() else values
    return _gather(_label_series(column.labels), column.codes, name)


def _gather(labels: pl.Series, positions: IntArray, name: str) -> pl.Series:
    """Look positions up in a list of labels; negative ones are missing."""
    if labels.is_empty():
        return pl.Series(name, [None] * positions.size, dtype=labels.dtype)
    where = pl.Series(positions)
    return labels.gather(where.set(where < 0, None)).alias(name)


def _texts(column: Column) -> pl.Series:
    """Write the distinct values of a column as text."""
    _, distinct = column.profile()
    texts = [
        None if c == MISSING else _text(x) if c == NUMBER else _text(distinct.labels[c])
        for x, c in zip(distinct.numbers.tolist(), distinct.codes.tolist(), strict=True)
    ]
    return pl.Series(texts, dtype=pl.String)


def _label_series(labels: Sequence[Label]) -> pl.Series:
    """Give labels the narrowest type that holds them all."""
    types = {type(x) for x in labels}
    for allowed, dtype in (({bool}, pl.Boolean), ({int}, pl.Int64), ({int, float}, pl.Float64)):
        if types and types <= allowed:
            return pl.Series(labels, dtype=dtype, strict=False)
    return pl.Series([_text(x) for x in labels], dtype=pl.String)


def _text(value: Label) -> str:
    """Write a number without a needless point, anything else as it is."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return str(value)
