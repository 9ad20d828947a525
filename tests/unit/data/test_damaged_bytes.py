"""Damaged files: what a library prints of its own panic stays off the screen, and odd values are refused in words."""

import io
import os

import polars as pl
import pyreadstat
import pytest

import confide as cf
from confide.kit.panics import unprinted_panics

FRAME = pl.DataFrame({"sex": ["f", "m"] * 5, "x": [1.5, 2.5] * 5})


def arrow_that_panics():
    """One byte is changed in the description of a column."""
    file = io.BytesIO()
    FRAME.write_ipc(file)
    data = bytearray(file.getvalue())
    for at in range(150, len(data)):
        one = bytearray(data)
        one[at] = 255
        try:
            with unprinted_panics():
                pl.read_ipc(io.BytesIO(bytes(one)))
        except pl.exceptions.PanicException:
            return bytes(one)
        except Exception:
            continue
    return None


def test_a_panic_below_python_is_not_printed(tmp_path, capfd):
    data = arrow_that_panics()
    if data is None:
        pytest.skip("this version of polars panics at no single byte of the file")
    capfd.readouterr()
    for name in ("a.arrow", "a.feather"):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(cf.DataError, match="is neither an Arrow file nor an Arrow stream, or is damaged"):
            cf.read(tmp_path / name)
    assert capfd.readouterr().err == ""


def test_other_words_of_a_library_are_printed(capfd):
    with unprinted_panics():
        os.write(2, b"a warning of a library\n")
    assert capfd.readouterr().err == "a warning of a library\n"
    with unprinted_panics():
        os.write(2, b"thread 'x' panicked at y\n")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([2**31 - 1, 0], dtype=pl.Int32).cast(pl.Date),
        pl.Series([-(2**31), 0], dtype=pl.Int32).cast(pl.Date),
        pl.Series([2**63 - 1, 0]).cast(pl.Datetime("ms")),
        pl.Series([2**63 - 1, None]).cast(pl.Datetime("us", "UTC")),
    ],
)
def test_dates_that_no_calendar_has_are_refused(tmp_path, column):
    column.rename("day").to_frame().write_parquet(tmp_path / "a.parquet")
    with pytest.raises(cf.DataError, match="column 'day' holds dates or times that no calendar has; is the file damaged"):
        cf.read(tmp_path / "a.parquet")


def test_far_dates_of_the_calendar_are_read(tmp_path):
    days = pl.Series("day", [-719_162, 2_932_896, None], dtype=pl.Int32).cast(pl.Date)
    days.to_frame().with_columns(x=pl.lit(1)).write_parquet(tmp_path / "a.parquet")
    assert cf.read(tmp_path / "a.parquet").column("day").values() == ["0001-01-01", "9999-12-31", None]


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_numbers_whose_squares_overflow_are_refused(tmp_path, name):
    frame = pl.DataFrame({"tax": [1.0, -1e308], "pay": [1e200, 2.0], "ok": [1e99, 1.0]})
    (frame.write_csv if name.endswith("csv") else frame.write_parquet)(tmp_path / name)
    with pytest.raises(cf.DataError) as error:
        cf.read(tmp_path / name)
    text = str(error.value)
    assert "column 'tax' holds a number beyond 1e+100" in text
    assert "column 'pay' holds a number beyond 1e+100" in text
    assert "'ok'" not in text


def test_numbers_whose_squares_overflow_are_refused_wherever_columns_are_made():
    values = {"tax": [1.0, -1e101], "ok": [1e100, 1.0]}
    for make in (cf.Microdata.from_dict, lambda v: cf.from_frame(pl.DataFrame(v))):
        with pytest.raises(cf.DataError, match="column 'tax' holds a number beyond 1e.100") as error:
            make(values)
        assert "'ok'" not in str(error.value)


def test_a_name_that_no_system_takes_is_refused(tmp_path):
    with pytest.raises(cf.DataError, match="there is no file"):
        cf.read(tmp_path / ("x" * 5_000 + ".csv"))


def test_two_variables_of_one_name_are_refused(tmp_path):
    import pandas as pd

    pyreadstat.write_sav(pd.DataFrame({"AGEXXXX1": [1.0, 2.0], "AGEXXXX2": [3.0, 4.0]}), str(tmp_path / "a.sav"))
    data = (tmp_path / "a.sav").read_bytes()
    (tmp_path / "a.sav").write_bytes(data.replace(b"AGEXXXX2", b"AGEXXXX1"))
    with pytest.raises(cf.DataError, match="has two variables of the same name"):
        cf.read(tmp_path / "a.sav")


def test_a_damaged_pattern_is_refused_in_words(tmp_path, capfd):
    cells = pl.DataFrame({"sex": ["f", "m", "Total"], "x": [3, 4, 7]})
    cells.write_parquet(tmp_path / "t.parquet")
    data = bytearray((tmp_path / "t.parquet").read_bytes())
    (tmp_path / "t.parquet").write_bytes(bytes(data[: len(data) // 2]))
    table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3, 4]}), ["sex"], "x")
    with pytest.raises(cf.TableError, match="is not a Parquet file or is damaged"):
        cf.read_pattern(tmp_path / "t.parquet", table)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("encoding", ["idna", "utf-16", "hex", "punycode"])
def test_an_encoding_that_cannot_leave_out_what_is_wrong_is_refused_in_words(tmp_path, monkeypatch, encoding):
    from confide.kit import memory

    monkeypatch.setattr(memory, "available", lambda: 10**5)
    (tmp_path / "a.csv").write_bytes("sex,äge\nf,3\n".encode() * 50 + b"\xff" * 7)
    with pytest.raises(cf.DataError):
        cf.read(tmp_path / "a.csv", encoding=encoding)
