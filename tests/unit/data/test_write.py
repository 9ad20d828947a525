"""Writing files."""

from __future__ import annotations

import stat
from pathlib import Path

import polars as pl
import pytest

from confide.data.frames import from_frame, to_polars
from confide.data.microdata import Microdata
from confide.data.readers import read, write
from confide.errors import DataError


@pytest.fixture
def data() -> Microdata:
    frame = pl.DataFrame({"email": ["a@b", "c@d"], "zip": ["01234", "99999"], "x": [1.5, None]})
    return from_frame(frame)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "arrow", "feather", "ipc"])
def test_round_trip_without_identifiers(data: Microdata, tmp_path: Path, suffix: str) -> None:
    path = write(data, tmp_path / f"out.{suffix}")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]
    assert to_polars(read(path)).equals(to_polars(data.without(["email"])))


def test_a_file_is_replaced_only_on_request(data: Microdata, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")
    with pytest.raises(DataError, match="is there already; pass overwrite=True"):
        write(data, path)
    assert path.read_text() == "old"
    write(data, path, overwrite=True)
    assert path.read_text() == "zip,x\n01234,1.5\n99999,\n"


def test_a_failure_leaves_nothing_behind(data: Microdata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)
    with pytest.raises(DataError, match="No space left on device"):
        write(data, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_mistakes(data: Microdata, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="suffix must be one of .csv, .tsv"):
        write(data, tmp_path / "out.xlsx")
    with pytest.raises(DataError, match="does not exist; make it first"):
        write(data, tmp_path / "no" / "out.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="is a folder"):
        write(data, tmp_path / "folder.csv")
    with pytest.raises(DataError, match="no variables to write but identifiers"):
        write(data.without(["zip", "x"]), tmp_path / "out.csv")
