"""A file that would not fit into memory is refused before it is loaded; one that fits is read."""

from __future__ import annotations

import gzip
import itertools
import random
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyreadstat
import pytest

from confide.cli.main import main
from confide.data.readers import read
from confide.data.readers.size.arrow import arrow_needs
from confide.data.readers.size.parquet import parquet_needs
from confide.data.readers.size.statistical import few, statistical_needs
from confide.data.readers.size.text import text_needs
from confide.errors import DataError
from confide.kit import memory

ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peaks are measured on Linux")
MEASURED = """
import sys, time
from confide.data.readers import read
from confide.errors import DataError
from confide.kit import memory
path, small, free = sys.argv[1:]
def status(key):
    with open("/proc/self/status") as file:
        return next(int(x.split()[1]) * 1024 for x in file if x.startswith(key))
read(small)
if free != "all":
    memory.available = lambda: int(free)
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")
before, start, said = status("VmRSS"), time.perf_counter(), ""
try:
    read(path)
except DataError as error:
    said = str(error)
print(status("VmHWM") - before, time.perf_counter() - start, said, sep="\\n")
"""


def measured(path: Path, small: Path, free: int | str = "all") -> tuple[int, float, str]:
    """Read a file in a process of its own: the peak over what the process took before, the seconds, and what was said."""
    call = [sys.executable, "-c", MEASURED, str(path), str(small), str(free)]
    found = subprocess.run(call, capture_output=True, text=True, check=True)
    peak, seconds, said = found.stdout.split("\n", 2)
    return int(peak), float(seconds), said.strip()


def free_is(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(memory, "available", lambda: size)


@ON_LINUX
def test_a_small_gzip_of_many_rows_is_refused_at_once(tmp_path: Path) -> None:
    rng = random.Random(1)
    part = b"".join(b"%d\n" % (rng.randrange(10) if i % 40 == 0 else 1) for i in range(1_000_000))
    path, small = tmp_path / "many.csv.gz", tmp_path / "small.csv"
    path.write_bytes(gzip.compress(b"x\n") + 120 * gzip.compress(part))
    small.write_text("x\n1\n2\n")
    assert 2_000_000 < path.stat().st_size < 5_000_000
    peak, seconds, said = measured(path, small, 500_000_000)
    assert "reading 'many.csv.gz', about " in said
    assert "records of 1 variable, would take " in said
    assert "GB, 0.5 GB are free; keep the variables" in said
    assert "scan_csv('many.csv.gz'" in said
    assert seconds < 2
    assert peak < 200_000_000


@ON_LINUX
def test_a_small_zsav_of_many_records_is_refused_at_once(tmp_path: Path) -> None:
    path, small = tmp_path / "many.zsav", tmp_path / "small.sav"
    pyreadstat.write_sav(pd.DataFrame({"x": np.ones(3_000_000)}), str(path), compress=True)
    pyreadstat.write_sav(pd.DataFrame({"x": np.ones(3)}), str(small))
    assert path.stat().st_size < 100_000
    peak, seconds, said = measured(path, small, 100_000_000)
    assert "about 3,000,000 records of 1 variable, would take 0.3 GB, 0.1 GB are free" in said
    assert "usecols=[...]" in said
    assert seconds < 2
    assert peak < 50_000_000


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    n = 400_000
    towns = np.array(["Aldorf", "Beheim", "Cestadt am See", "Dorf"])
    return pl.DataFrame({
        "sex": rng.integers(1, 3, n),
        "town": towns[rng.integers(0, 4, n)],
        "born": rng.integers(1920, 2020, n),
        "income": np.round(rng.lognormal(10, 1, n), 2),
        "key": [f"person {i:09d}" for i in range(n)],
        "weight": rng.uniform(1, 9, n),
    })  # fmt: skip


@ON_LINUX
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".arrow", ".sav"])
def test_an_honest_file_is_read_and_its_peak_was_foreseen(people: pl.DataFrame, suffix: str, tmp_path: Path) -> None:
    path, small = tmp_path / f"people{suffix}", tmp_path / f"small{suffix}"
    for frame, place in ((people, path), (people.head(100), small)):
        put(frame, place)
    peak, _, said = measured(path, small)
    assert not said
    foreseen = needed(path)
    assert foreseen is not None
    assert foreseen.records == pytest.approx(people.height, rel=0.01)
    assert foreseen.variables == people.width
    assert peak / 3 < foreseen.size < 3 * peak


def put(frame: pl.DataFrame, path: Path) -> None:
    match path.suffix:
        case ".csv":
            frame.write_csv(path)
        case ".gz":
            path.write_bytes(gzip.compress(frame.write_csv().encode(), 1))
        case ".parquet":
            frame.write_parquet(path)
        case ".arrow":
            frame.write_ipc(path, compression="zstd")
        case ".sav":
            pyreadstat.write_sav(frame.to_pandas(), str(path))


def needed(path: Path):
    """What reading takes; the text is counted to its end by leaving just too little."""
    match path.suffix:
        case ".parquet":
            return parquet_needs(path)
        case ".arrow":
            return arrow_needs(path)
        case ".sav":
            return head_needs(path, pyreadstat.read_sav)
    low, high = 1, 2**40
    while high > 1.01 * low:
        middle = int((low * high) ** 0.5)
        low, high = (middle, high) if text_needs(path, "utf-8", ",", middle) else (low, middle)
    return text_needs(path, "utf-8", ",", low)


def head_needs(path: Path, reader):
    meta = reader(str(path), metadataonly=True)[1]
    return statistical_needs(path, path.suffix, meta, reader(str(path), row_limit=few(meta), output_format="polars")[0])


def test_heads_tell_how_many_records_there_are(tmp_path: Path) -> None:
    n = 3_000
    frame = pl.DataFrame({"x": [float(i) for i in range(n)], "t": ["ab", None, "c/d"] * (n // 3)})
    frame = frame.with_columns(day=pl.date(2020, 1, 1) + pl.duration(days=pl.col("x").cast(pl.Int64)))
    frame.write_parquet(tmp_path / "a.parquet", row_group_size=700)
    frame.write_ipc(tmp_path / "a.arrow", compression="lz4")
    frame.write_ipc(tmp_path / "plain.arrow", compression="uncompressed")
    frame.write_ipc_stream(tmp_path / "stream.arrow", compression="zstd")
    assert parquet_needs(tmp_path / "a.parquet").records == n
    for name in ("a", "plain", "stream"):
        found = arrow_needs(tmp_path / f"{name}.arrow")
        assert (found.records, found.variables) == (n, 3), name
    pandas = frame.drop("day").to_pandas()
    pyreadstat.write_dta(pandas, str(tmp_path / "a.dta"))
    pyreadstat.write_xport(pandas, str(tmp_path / "a.xpt"))
    pyreadstat.write_por(pandas.fillna({"t": ""}), str(tmp_path / "a.por"))
    assert head_needs(tmp_path / "a.dta", pyreadstat.read_dta).records == n
    assert head_needs(tmp_path / "a.xpt", pyreadstat.read_xport).records == pytest.approx(n, rel=0.05)
    assert n <= head_needs(tmp_path / "a.por", pyreadstat.read_por).records < 1.5 * n


def test_files_of_pyarrow_are_understood(tmp_path: Path) -> None:
    feather = pytest.importorskip("pyarrow.feather")
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow as pa

    n = 5_000
    moments = pa.array(range(n), pa.timestamp("s"))
    texts = pa.array([f"text number {i}" for i in range(n)]).dictionary_encode()
    table = pa.table({"moment": moments, "text": texts, "nothing": pa.nulls(n)})
    for packing in ("zstd", "lz4", "uncompressed"):
        feather.write_feather(table, tmp_path / "a.feather", compression=packing, chunksize=900)
        found = arrow_needs(tmp_path / "a.feather")
        assert (found.records, found.variables) == (n, 3)
    parquet.write_table(table, tmp_path / "a.parquet", compression="zstd", row_group_size=900, version="1.0")
    found = parquet_needs(tmp_path / "a.parquet")
    assert (found.records, found.variables) == (n, 3)
    assert found.size > n * (3 * 32 + 130 + 60)


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".arrow", ".sav"])
def test_every_kind_of_file_is_refused_where_it_does_not_fit_and_read_where_it_does(
    people: pl.DataFrame, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"a{suffix}"
    put(people.head(20_000), path)
    free_is(monkeypatch, 4_000_000)
    with pytest.raises(DataError, match=r"about 20,[0-9]00 records of 6 variables, would take 0\.0 GB|keep the|usecols"):
        read(path)
    free_is(monkeypatch, 40_000_000)
    assert read(path).n == 20_000


def test_packed_buffers_and_nothing_but_nulls_count_as_what_they_become(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pl.DataFrame({"a": [None] * 2_000_000}, schema={"a": pl.Null}).write_ipc(tmp_path / "nulls.arrow")
    pl.DataFrame({"a": [7] * 2_000_000}).write_ipc(tmp_path / "same.arrow", compression="zstd")
    pl.DataFrame({"a": [7] * 2_000_000}).write_parquet(tmp_path / "same.parquet")
    free_is(monkeypatch, 100_000_000)
    for name in ("nulls.arrow", "same.arrow", "same.parquet"):
        assert (tmp_path / name).stat().st_size < 100_000
        with pytest.raises(DataError, match=r"about 2,000,000 records of 1 variable, would take 0\.2 GB, 0\.1 GB are free"):
            read(tmp_path / name)


def test_lines_that_need_the_slow_parser_are_counted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x,y,z\n" + "".join(f"{i},text,b{i % 7}\n" for i in range(50_000)) + "\n1,2,3\n")
    free_is(monkeypatch, 16_000_000)
    with pytest.raises(DataError, match="mend lines of unequal length and stray quotation marks, or keep the variables"):
        read(path)


def test_wide_characters_count_as_python_keeps_them(tmp_path: Path) -> None:
    n, free = 50_000, 9_500_000
    for text, encoding, fits in (("abcdefg", "utf-8", True), ("abcdef😀", "utf-8", False), ("abcdefé", "latin-1", True)):
        path = tmp_path / "a.csv"
        path.write_bytes("".join(itertools.chain("x\n", itertools.repeat(f"{text}\n", n))).encode(encoding))
        assert (text_needs(path, encoding, ",", free) is None) is fits, (text, encoding)


def test_a_head_that_promises_more_than_the_file_holds_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(pd.DataFrame({"x": np.arange(1_000.0)}), str(path))
    content = bytearray(path.read_bytes())
    assert struct.unpack_from("<i", content, 80) == (1_000,)
    struct.pack_into("<i", content, 80, 10**8)
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"'a.sav' is damaged: its head tells of 100,000,000 records of 1 variable"):
        read(path)


@pytest.mark.parametrize("suffix", [".csv.gz", ".parquet", ".arrow", ".sav", ".zsav", ".dta"])
def test_nonsense_is_left_to_the_reader(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free_is(monkeypatch, 1_000)
    rng = random.Random(5)
    good = tmp_path / f"good{suffix}"
    heads = {".csv.gz": b"\x1f\x8b\x08\0", ".parquet": b"PAR1", ".arrow": b"ARROW1\0\0", ".sav": b"$FL2", ".zsav": b"$FL3"}
    for _ in range(50):
        good.write_bytes(heads.get(suffix, b"") + rng.randbytes(300) + (b"\x20\0\0\0" + heads.get(suffix, b""))[:10])
        with pytest.raises(DataError):
            read(good)


def test_the_command_line_refuses_with_exit_code_2(tmp_path: Path, monkeypatch, capsys) -> None:
    path = tmp_path / "a.csv"
    path.write_text("age,sex\n" + "43,f\n" * 100_000)
    free_is(monkeypatch, 2_000_000)
    monkeypatch.chdir(tmp_path)
    assert main(["init", str(path)]) == 2
    said = capsys.readouterr().err
    assert "about 100,000 records of 2 variables, would take" in said or "keep the variables" in said
    assert "targets" not in said
