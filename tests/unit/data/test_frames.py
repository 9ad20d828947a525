"""Frames in and out."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from confide.data.codebook import Kind
from confide.data.column import Column
from confide.data.frames import from_frame, to_polars
from confide.errors import DataError

VALUES = {"sex": ["f", "m", None], "height": [1.7, None, 1.6], "n": [2, 1, 2], "ok": [True, False, None]}


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame(VALUES), pl.DataFrame(VALUES), pl.LazyFrame(VALUES), pa.table(VALUES)],
    ids=["pandas", "polars", "lazy", "pyarrow"],
)
def test_all_libraries_give_the_same_columns(frame: object) -> None:
    data = from_frame(frame)
    assert data.names == ("sex", "height", "n", "ok")
    assert data.n == 3
    assert data.columns["sex"].labels == ("f", "m")
    assert data.columns["sex"].codes.tolist() == [0, 1, -2]
    assert data.columns["height"].values() == [1.7, None, 1.6]
    assert data.columns["n"].values() == [2, 1, 2]
    assert data.columns["ok"].values() == [True, False, None]
    assert [data.variables[k].kind for k in data.names] == [
        Kind.NOMINAL,
        Kind.CONTINUOUS,
        Kind.NOMINAL,
        Kind.NOMINAL,
    ]
    assert data.variables["sex"].inferred == ("kind", "role")


def test_levels_keep_their_order_and_only_an_ordered_categorical_is_ordinal() -> None:
    data = from_frame(
        pd.DataFrame(
            {
                "low": pd.Categorical(["b", None], categories=["c", "b"], ordered=True),
                "any": pd.Categorical([7, 3], categories=[9, 7, 3]),
                "cut": pd.cut(pd.Series([1, 5]), [0, 2, 8]),
            }
        )
    )
    assert data.variables["low"].kind is Kind.ORDINAL
    assert data.variables["low"].inferred == ("role",)
    assert data.columns["low"].labels == ("c", "b")
    assert data.columns["low"].values() == ["b", None]
    assert data.variables["any"].kind is Kind.NOMINAL
    assert data.columns["any"].labels == (9, 7, 3)
    assert data.columns["cut"].labels == ("(0, 2]", "(2, 8]")
    enum = from_frame(pl.DataFrame({"x": pl.Series(["b"], dtype=pl.Enum(["c", "b", "a"]))}))
    assert enum.columns["x"].labels == ("c", "b", "a")
    assert enum.variables["x"].kind is Kind.NOMINAL


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt8, pl.UInt64, pl.Int128, pl.Float32, pl.Decimal(10, 1)])
def test_numbers_of_any_width(dtype: pl.DataType) -> None:
    assert from_frame(pl.DataFrame({"a": pl.Series([1, None], dtype=dtype)})).columns["a"].values() == [
        1,
        None,
    ]


def test_pandas_types_backed_by_arrow() -> None:
    data = from_frame(
        pd.DataFrame(
            {
                "i": pd.array([1, None], dtype="int64[pyarrow]"),
                "s": pd.array(["b", None], dtype="string[pyarrow]"),
                "d": pd.array(["b", "a"], dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
                "l": np.array([1.5, np.nan], dtype=np.longdouble),
            }
        )
    )
    assert [c.values() for c in data.columns.values()] == [[1, None], ["b", None], ["b", "a"], [1.5, None]]


def test_polars_categoricals_do_not_see_each_other() -> None:
    frame = pl.DataFrame({"a": ["z", "y"], "b": ["x", "z"]}, schema={"a": pl.Categorical, "b": pl.Categorical})
    data = from_frame(frame)
    assert data.columns["a"].labels == ("y", "z")
    assert data.columns["b"].values() == ["x", "z"]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_dates_become_iso_text(library: type) -> None:
    day, moment = dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 13, 5, 0)  # noqa: DTZ001
    data = from_frame(
        library(
            {"day": [day, None], "moment": [moment, None], "midnight": [dt.datetime(2024, 2, 29), None]}  # noqa: DTZ001
        )
    )
    assert data.columns["day"].values() == ["2024-02-29", None]
    assert data.columns["moment"].values() == ["2024-02-29T13:05:00", None]
    assert data.columns["midnight"].values() == ["2024-02-29", None]


def test_decimals_nullable_integers_and_nothing() -> None:
    data = from_frame(
        pd.DataFrame(
            {
                "d": [Decimal("1.25"), None],
                "i": pd.array([3, None], dtype="Int64"),
                "b": pd.array([True, None], dtype="boolean"),
                "none": [None, None],
            }
        )
    )
    assert data.columns["d"].values() == [1.25, None]
    assert data.columns["i"].values() == [3, None]
    assert data.columns["b"].values() == [True, None]
    assert data.columns["none"].labels == ()
    assert data.variables["none"].kind is Kind.NOMINAL
    assert from_frame(pl.DataFrame({"d": [Decimal("1.25"), None]})).columns["d"].values() == [1.25, None]
    assert from_frame(pl.DataFrame({"none": [None, None]})).columns["none"].values() == [None, None]


MISTAKES = {
    "twice the same name": (
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        "columns of the same name: 'a'; rename them",
    ),
    "no columns": (pl.DataFrame(), "has no columns"),
    "no records": (pl.DataFrame({"a": []}), "columns but no records"),
    "lists": (pl.DataFrame({"a": [[1], [2]]}), r"column 'a' is of type List\(Int64\).*drop the column"),
    "structs": (pl.DataFrame({"a": [{"b": 1}]}), "column 'a' is of type Struct"),
    "bytes": (pl.DataFrame({"a": [b"x"]}), "column 'a' is of type Binary"),
    "durations": (pl.DataFrame({"a": [dt.timedelta(1)]}), "column 'a' is of type Duration"),
    "objects": (pl.DataFrame({"a": pl.Series([object()], dtype=pl.Object)}), "column 'a' is of type Object"),
    "infinite": (pl.DataFrame({"a": [1.0, float("inf"), -float("inf")]}), "'a' holds 2 infinite number"),
    "mixed": (
        pd.DataFrame({"a": [1, "x"]}),
        r"column 'a' mixes values of type int and str; .*astype\('string'\)",
    ),
    "mixed truth": (pd.DataFrame({"a": pd.Series([1, True], dtype=object)}), "type bool and int"),
    "pandas lists": (pd.DataFrame({"a": [[1], [2]]}), "column 'a' holds values of type list; turn them"),
    "complex": (pd.DataFrame({"a": [1j]}), "column 'a' holds values of type complex"),
    "no text": (
        pd.DataFrame({"a": pd.Series(["\udc80"], dtype=object)}),
        "'a' holds characters that are not",
    ),
    "an odd arrow type": (
        pa.table({"a": pa.array([(1, 2, 3)], pa.month_day_nano_interval())}),
        "column 'a' is of type month_day_nano_interval",
    ),
    "too large": (pl.DataFrame({"a": [2**53 + 1, 5]}), r"'a' holds 1 whole number\(s\) beyond 2\*\*53"),
    "too large objects": (pd.DataFrame({"a": pd.Series([10**30], dtype=object)}), r"beyond 2\*\*53"),
    "name is a number": (pd.DataFrame([[1, 2]], columns=["a", 3]), "column 2: its name is int, not text"),
    "name is blank": (pl.DataFrame({" ": [1]}), "column 1: its name is blank"),
    "a dict": ({"a": [1]}, "an object of type dict; pass a frame .* Microdata.from_dict"),
    "a path": ("people.csv", "type str; .* a path with read"),
    "a series": (pl.Series([1]), "type Series"),
    "a broken lazy frame": (pl.LazyFrame({"a": [1]}).select("b"), "cannot be collected"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake: str) -> None:
    frame, message = MISTAKES[mistake]
    with pytest.raises(DataError, match=message):
        from_frame(frame)


def test_all_faults_come_at_once() -> None:
    with pytest.raises(DataError, match=r"(?s)2 faults:.*'a'.*'b'"):
        from_frame(pl.DataFrame({"a": [float("inf")], "b": [b"x"]}))


def test_to_polars_gives_each_column_the_type_of_its_values() -> None:
    n = 20
    frame = pl.DataFrame(
        {
            "whole": list(range(n)),
            "share": [0.5 * i for i in range(n)],
            "code": [1, 2] * (n // 2),
            "half": pl.Series(["a", None] * (n // 2)),
            "ok": [True, False] * (n // 2),
        }
    )
    data = from_frame(frame)
    assert to_polars(data).equals(frame)
    assert to_polars(data).schema == frame.schema
    nothing = from_frame(pl.DataFrame({"x": [None, None]}))
    assert to_polars(nothing)["x"].to_list() == [None, None]


def test_to_polars_writes_mixed_columns_as_text() -> None:
    data = from_frame(pl.DataFrame({"x": [1.0, 2.5, 9.0, None]}))
    mixed = data.columns["x"].with_codes(np.array([False, False, True, False]), "3 or more")
    assert to_polars(data.with_columns({"x": mixed}))["x"].to_list() == ["1", "2.5", "3 or more", None]
    labels = Column.of_labels([1, "x", 2.0, None])
    assert to_polars(data.with_columns({"x": labels}, {"x": Kind.NOMINAL}))["x"].to_list() == [
        "1",
        "x",
        "2",
        None,
    ]
