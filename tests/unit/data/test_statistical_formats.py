"""Files of SPSS, Stata and SAS, Parquet and Arrow."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.ipc
import pyreadstat
import pytest

from confide.data.codebook import Kind
from confide.data.readers import read
from confide.errors import DataError

LABELS: dict[str, dict[int | float, str]] = {"sex": {1: "male", 2: "female", 9: "refused"}}


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "sex": [1.0, 2.0, 9.0, None],
            "town": ["a", "", "b", "a"],
            "born": pd.to_datetime(["2020-01-01", None, "2020-02-29", "2020-01-03"]).date,
            "x": [1.5, 2.5, None, 4.5],
        }
    )


def test_spss(frame: pd.DataFrame, tmp_path: Path) -> None:
    for suffix in ("sav", "zsav"):
        path = tmp_path / f"a.{suffix}"
        pyreadstat.write_sav(
            frame,
            str(path),
            compress=suffix == "zsav",
            variable_value_labels=LABELS,
            missing_ranges={"sex": [9]},
        )
        data = read(path)
        assert data.columns["sex"].values() == [1, 2, None, None]
        assert data.variables["sex"].labels == ((1, "male"), (2, "female"), (9, "refused"))
        assert data.variables["sex"].kind is Kind.NOMINAL
        assert data.variables["sex"].inferred == ("role",)
        assert data.columns["town"].values() == ["a", None, "b", "a"]
        assert data.columns["born"].values() == ["2020-01-01", None, "2020-02-29", "2020-01-03"]
        assert data.columns["x"].values() == [1.5, 2.5, None, 4.5]
        assert data.name == path.name


def test_spss_measure_and_labelled_exceptions(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    frame = pd.DataFrame({"grade": [3.0, 1.0] * 10, "pay": [float(i) for i in range(20)]})
    pyreadstat.write_sav(
        frame,
        str(path),
        variable_value_labels={"grade": {1: "low", 3: "high"}, "pay": {19: "refused"}},
        variable_measure={"grade": "ordinal"},
    )
    data = read(path)
    assert data.variables["grade"].kind is Kind.ORDINAL
    assert data.columns["grade"].labels == (1, 3)
    assert data.variables["pay"].kind is Kind.INTEGER
    assert data.variables["pay"].label_of(19) == "refused"


def test_stata(frame: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "a.dta"
    pyreadstat.write_dta(frame, str(path), variable_value_labels=LABELS)
    data = read(path)
    assert data.columns["sex"].values() == [1, 2, 9, None]
    assert data.variables["sex"].label_of(2) == "female"


def test_sas_transport_and_spss_portable(frame: pd.DataFrame, tmp_path: Path) -> None:
    pyreadstat.write_xport(frame, str(tmp_path / "a.xpt"))
    pyreadstat.write_por(frame.rename(columns=str.upper), str(tmp_path / "a.por"))
    data = read(tmp_path / "a.xpt")
    assert data.columns["x"].values() == [1.5, 2.5, None, 4.5]
    assert data.columns["town"].values() == ["a", None, "b", "a"]
    assert read(tmp_path / "a.por").columns["X"].values() == [1.5, 2.5, None, 4.5]


def test_parquet_and_arrow(tmp_path: Path) -> None:
    frame = pl.DataFrame({"sex": ["f", None], "x": [1.5, 2.5]})
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_ipc(tmp_path / "a.arrow")
    frame.write_ipc(tmp_path / "a.feather")
    table = pa.table({"sex": ["f", None], "x": [1.5, 2.5]})
    with pyarrow.ipc.new_stream(tmp_path / "stream.ipc", table.schema) as stream:
        stream.write_table(table)
    for name in ("a.parquet", "a.arrow", "a.feather", "stream.ipc"):
        data = read(tmp_path / name)
        assert data.columns["sex"].values() == ["f", None]
        assert data.columns["x"].values() == [1.5, 2.5]


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "feather", "ipc", "sav", "zsav", "por", "dta", "sas7bdat", "xpt"])
def test_damaged_files(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"bad.{suffix}"
    path.write_bytes(b"this is no such file, only text " * 20)
    with pytest.raises(DataError, match=r"'bad\..*is damaged") as caught:
        read(path)
    assert caught.value.__suppress_context__


def test_truncated_files(frame: pd.DataFrame, tmp_path: Path) -> None:
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"))
    pl.DataFrame({"x": list(range(1000))}).write_parquet(tmp_path / "a.parquet")
    pl.DataFrame({"x": list(range(1000))}).write_ipc(tmp_path / "a.arrow")
    for name in ("a.sav", "a.parquet", "a.arrow"):
        path = tmp_path / name
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        with pytest.raises(DataError, match="is damaged"):
            read(path)


def test_files_without_records(tmp_path: Path) -> None:
    pyreadstat.write_sav(pd.DataFrame({"x": pd.Series([], dtype=float)}), str(tmp_path / "a.sav"))
    with pytest.raises(DataError, match="1 variables and 0 records"):
        read(tmp_path / "a.sav")
    pl.DataFrame({"x": []}).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(DataError, match="no records"):
        read(tmp_path / "a.parquet")


def test_without_pyreadstat(frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"))
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> object:
        if name == "pyreadstat":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(DataError, match=r"pip install 'confide\[files\]'"):
        read(tmp_path / "a.sav")


def test_options_for_text_files_only(tmp_path: Path) -> None:
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(DataError, match="delimiter, missing and text are for text files"):
        read(tmp_path / "a.parquet", missing=["-9"])
