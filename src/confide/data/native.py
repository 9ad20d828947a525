"""Turn one column of a foreign frame into a column of ours.

What each type becomes stands in :mod:`confide.data.frames`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, cast

import narwhals as nw
import numpy as np
import polars as pl

from confide.data.codebook import Kind
from confide.data.column import MISSING, Column
from confide.errors import DataError
from confide.typing import IntArray

_EXACT = 2**53
_DAYS = 95_000_000
"""The library that writes dates knows so many days before and after 1970."""
_TICKS = {"ms": 10**3, "us": 10**6, "ns": 10**9}
"""How many units make a second."""
_LEVELS = (pl.Boolean, pl.Enum, pl.Categorical)
_INTEGERS: tuple[type[Any], ...] = (Integral, np.integer)


def read_column(series: nw.Series[Any], name: str) -> tuple[Column, Kind | None, bool]:
    """Give the values, the kind where the type says it, and whether the type lists the levels."""
    if not nw.dependencies.is_pandas_like_series(native := series.to_native()):
        values = _to_polars(series, name)
    elif hasattr(native.dtype, "categories"):
        column = _from_categorical(native)
        return column, Kind.ORDINAL if native.cat.ordered else None, True
    elif getattr(native.dtype, "kind", "O") in "iufb" and isinstance(native.dtype, np.dtype):
        plain = native.to_numpy()
        values = pl.Series(name, plain.astype(np.float64) if plain.dtype.kind == "f" else plain)
    else:
        values = _from_objects(native, name)
    return _from_polars(values, name), None, values.dtype in _LEVELS


def _to_polars(series: nw.Series[Any], name: str) -> pl.Series:
    """Give a column of polars or pyarrow to polars."""
    try:
        return series.to_polars()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        raise DataError(_unusable(name, getattr(series.to_native(), "type", series.dtype))) from None


def _from_categorical(native: Any) -> Column:
    """Keep the levels of a pandas Categorical; those that are neither text nor numbers become text."""
    plain = native.cat.categories.tolist()
    labels = [x if isinstance(x, (str, int, float, bool)) else str(x) for x in plain]
    codes = native.cat.codes.to_numpy().astype(np.int64)
    return Column.of_codes(np.where(codes < 0, MISSING, codes), labels)


def _from_objects(native: Any, name: str) -> pl.Series:
    """Take Python objects that are all of one sort."""
    absent = native.isna().to_numpy()
    values = [None if gone else x for x, gone in zip(native.tolist(), absent, strict=True)]
    types = {type(x) for x in values if x is not None}
    if all(issubclass(t, str) for t in types):
        return _from_texts(values, name)
    if all(issubclass(t, (bool, np.bool_)) for t in types):
        return pl.Series(name, [None if x is None else bool(x) for x in values], dtype=pl.Boolean)
    if any(issubclass(t, (bool, np.bool_)) for t in types):
        raise DataError(_mixed(name, types))
    if all(issubclass(t, _INTEGERS) for t in types):
        return pl.Series(name, [None if x is None else int(x) for x in values], dtype=pl.Int128)
    if all(issubclass(t, (Real, np.floating, Decimal)) for t in types):
        return pl.Series(name, [None if x is None else float(x) for x in values], dtype=pl.Float64)
    if all(issubclass(t, dt.date) for t in types) and len({issubclass(t, dt.datetime) for t in types}) == 1:
        return pl.Series(name, _iso(cast("list[dt.date | None]", values)), dtype=pl.String)
    raise DataError(_mixed(name, types))


def _from_texts(values: list[str | None], name: str) -> pl.Series:
    """Take text, or nothing at all."""
    try:
        return pl.Series(name, values, dtype=pl.Null if all(x is None for x in values) else pl.String)
    except UnicodeEncodeError:
        raise DataError(
            f"column {name!r} holds characters that are not valid text; read the file again with its right encoding"
        ) from None


def _mixed(name: str, types: set[type[Any]]) -> str:
    """Say which Python types a column mixes."""
    found = " and ".join(sorted(t.__name__ for t in types))
    if len(types) > 1:
        return f"column {name!r} mixes values of type {found}; make them one type, e.g. .astype('string')"
    return f"column {name!r} holds values of type {found}; turn them into numbers or text, or drop it"


def _iso(moments: Sequence[dt.date | None]) -> list[str | None]:
    """Write dates and moments in ISO form, moments as dates when all are midnight."""
    midnight = all(x.time() == dt.time(0) for x in moments if isinstance(x, dt.datetime))
    whole = [x.date() if midnight and isinstance(x, dt.datetime) else x for x in moments]
    return [None if x is None else x.isoformat() for x in whole]


def _from_polars(values: pl.Series, name: str) -> Column:
    """Read a polars series of any type that can be used."""
    dtype = values.dtype
    if dtype == pl.Null:
        return Column.of_codes(np.full(values.len(), MISSING), ())
    if dtype == pl.Boolean:
        return Column.of_codes(_codes(values.cast(pl.Int64)), (False, True))
    if isinstance(dtype, pl.Enum):
        return Column.of_codes(_codes(values.to_physical()), dtype.categories.to_list())
    if dtype.is_numeric():
        return _from_numbers(values, name)
    if dtype == pl.Categorical:
        return _from_strings(values.cast(pl.String))
    if isinstance(dtype, pl.Datetime) or dtype in (pl.Date, pl.Time):
        _check_calendar(values, name)
    if dtype in (pl.Date, pl.Time):
        return _from_strings(values.cast(pl.String))
    if isinstance(dtype, pl.Datetime):
        return _from_strings(_iso_text(values))
    if dtype == pl.String:
        return _from_strings(values)
    raise DataError(_unusable(name, dtype))


def _check_calendar(values: pl.Series, name: str) -> None:
    """Refuse moments that no calendar has, as damaged files hold them."""
    ticks, dtype = values.to_physical(), values.dtype
    low, high = -_DAYS, _DAYS
    if isinstance(dtype, pl.Datetime):
        a_day = 86_400 * _TICKS[cast("Any", dtype).time_unit]
        low, high = low * a_day, high * a_day
    elif dtype == pl.Time:
        low, high = 0, 86_400 * _TICKS["ns"] - 1
    first, last = cast("int | None", ticks.min()), cast("int | None", ticks.max())
    if first is not None and last is not None and (first < low or last > high):
        raise DataError(f"column {name!r} holds dates or times that no calendar has; is the file damaged?")


def _unusable(name: str, dtype: object) -> str:
    """Say that a type holds neither numbers nor categories."""
    return (
        f"column {name!r} is of type {dtype}, which holds no single number or category per record; "
        "turn it into numbers or text, or drop the column"
    )


def _from_numbers(values: pl.Series, name: str) -> Column:
    """Read numbers that a float keeps exactly."""
    if values.dtype.is_integer():
        wide = values.cast(pl.Int128)
        beyond = int(((wide > _EXACT) | (wide < -_EXACT)).sum())
        if beyond:
            raise DataError(
                f"column {name!r} holds {beyond} whole number(s) beyond 2**53, which cannot be kept exactly; "
                "turn it into text if it is an identifier, or into fractions if it is an amount"
            )
    numbers = values.cast(pl.Float64).fill_null(float("nan")).to_numpy().astype(np.float64)
    infinite = int(np.isinf(numbers).sum())
    if infinite:
        raise DataError(f"column {name!r} holds {infinite} infinite number(s); replace them by numbers or missing values")
    return Column.of_numbers(numbers)


def _from_strings(values: pl.Series) -> Column:
    """Read text as categories in alphabetical order."""
    labels = values.drop_nulls().unique().sort()
    return Column.of_codes(_codes(values.cast(pl.Enum(labels)).to_physical()), labels.to_list())


def _iso_text(values: pl.Series) -> pl.Series:
    """Write moments in ISO form, as dates when all are midnight."""
    if bool((values.dt.time() == dt.time(0)).all()):
        return values.dt.date().cast(pl.String)
    zone = "%:z" if cast("pl.Datetime", values.dtype).time_zone else ""
    return values.dt.strftime("%Y-%m-%dT%H:%M:%S%.f" + zone)


def _codes(values: pl.Series) -> IntArray:
    """Give positions in the list of labels."""
    return values.cast(pl.Int64).fill_null(MISSING).to_numpy().astype(np.int64)
