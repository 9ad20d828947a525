"""Bytes on which libraries below Python end the process: such files are refused in words, and good ones are read."""

import io
import subprocess
import sys

import pandas as pd
import polars as pl
import pyreadstat
import pytest

import confide as cf
from confide.cli.main import main
from confide.data.readers import trial

ROWS = 20
ENDS = "is damaged: the program that reads it ends without a word"
FRAME = pl.DataFrame({"x": [float(i) for i in range(ROWS)], "s": ["f", "m"] * (ROWS // 2)})


def parquet_that_ends_a_process(folder):
    """Say of the run of values that are there that it is packed: its length then asks for more than any memory."""
    file = io.BytesIO()
    FRAME.write_parquet(file, compression="uncompressed")
    data = file.getvalue()
    for at in [i for i, byte in enumerate(data) if byte == 2 * ROWS]:
        path = folder / "odd.parquet"
        path.write_bytes(data[:at] + bytes([data[at] + 1]) + data[at + 1 :])
        if trial.fault_of_pages(path):
            return path
    return None


def sav_that_ends_a_process(folder):
    """Let labels belong to a variable that is not there."""
    path = folder / "odd.sav"
    pyreadstat.write_sav(pd.DataFrame({"x": [1.0, 2.0]}), str(path), variable_value_labels={"x": {1: "one"}})
    data = path.read_bytes()
    labels = b"\x04\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00"
    assert data.count(labels) == 1
    path.write_bytes(data.replace(labels, labels[:8] + b"\x00\x00\x00\x80"))
    return path


def test_a_damaged_parquet_file_does_not_end_the_process(tmp_path):
    path = parquet_that_ends_a_process(tmp_path)
    if path is None:
        pytest.skip("this version of polars ends at no such byte")
    with pytest.raises(cf.DataError, match=ENDS):
        cf.read(path)
    table = cf.tabulate(cf.Microdata.from_dict({"s": ["f", "m"], "x": [3, 4]}), ["s"], "x")
    with pytest.raises(cf.ConfideError, match=ENDS):
        cf.read_pattern(path, table)


def test_a_damaged_head_of_spss_does_not_end_the_process(tmp_path, capsys):
    path = sav_that_ends_a_process(tmp_path)
    alone = "import pyreadstat, sys; pyreadstat.read_sav(sys.argv[1], metadataonly=True)"
    assert subprocess.run([sys.executable, "-c", alone, str(path)], capture_output=True, check=False).returncode != 1
    assert main(["init", str(path), "--out", str(tmp_path / "plan.toml")]) == 2
    assert ENDS in capsys.readouterr().err


def test_what_is_raised_is_no_end(tmp_path):
    (tmp_path / "text.parquet").write_text("no Parquet")
    (tmp_path / "text.sav").write_text("no SPSS")
    assert trial.fault_of_pages(tmp_path / "text.parquet") is None
    assert trial.fault_of_head(tmp_path / "text.sav", "read_sav", None) is None
    with pytest.raises(cf.DataError, match="is not a Parquet file or is damaged"):
        cf.read(tmp_path / "text.parquet")


def test_files_are_read_where_no_process_can_be_started(tmp_path, monkeypatch):
    FRAME.write_parquet(tmp_path / "a.parquet")
    for name in ("", str(tmp_path / "no python")):
        monkeypatch.setattr(sys, "executable", name)
        assert cf.read(tmp_path / "a.parquet").n == ROWS


def test_no_module_of_the_folder_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("json.py", "polars.py"):
        (tmp_path / name).write_text("import os; os.abort()")
    FRAME.write_parquet(tmp_path / "a.parquet")
    assert trial.fault_of_pages(tmp_path / "a.parquet") is None


def test_an_encoding_reaches_the_trial(tmp_path):
    path = tmp_path / "a.dta"
    pyreadstat.write_dta(pd.DataFrame({"s": ["f", "m"]}), str(path))
    assert cf.read(path, encoding="LATIN1").n == 2


def test_who_ends_for_lack_of_memory_is_told_so(tmp_path, monkeypatch):
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    monkeypatch.setattr(trial, "_PAGES", "import os; os.kill(os.getpid(), 9)")
    assert "takes more memory than the system gives" in trial.fault_of_pages(tmp_path / "a.parquet")
    monkeypatch.setattr(trial, "_HEAD", "import time; time.sleep(30)")
    monkeypatch.setattr(trial, "SECONDS", 0.2)
    assert "its head is not read in" in trial.fault_of_head(tmp_path / "a.parquet", "read_sav", None)
