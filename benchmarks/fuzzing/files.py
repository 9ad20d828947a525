"""Data files of every format, damaged."""

from __future__ import annotations

import functools
import gzip
import random
import tempfile
from pathlib import Path

import polars as pl

from fuzzing.case import Case
from fuzzing.damage import damaged, damaged_text
from fuzzing.scene import as_csv, scene

TEXT = (".csv", ".tsv", ".txt", ".csv.gz")
BINARY = (".parquet", ".arrow", ".feather", ".ipc", ".sav", ".zsav", ".por", ".dta", ".xpt", ".sas7bdat")
ENCODINGS = ("utf-8", "latin-1", "utf-16", "utf-32", "utf-8-sig", "cp1252", "utf-7", "no such", "idna", "rot13", "hex", "")


def draw_text(rng: random.Random, folder: Path) -> Case:
    """Draw a text file that is damaged as text, as bytes, or not at all, in some encoding."""
    ending = rng.choice(TEXT)
    text = _text(rng, folder)
    undefined = rng.random() < 0.2
    delimiter = "\t" if ending == ".tsv" else rng.choice([",", ",", ",", ";", "|", "\t"])
    text = text.replace(",", delimiter)
    for _ in range(rng.choice([0, 1, 1, 2])):
        text = damaged_text(rng, text, undefined=undefined)
    written = rng.choice(["utf-8"] * 5 + ["latin-1", "utf-16", "utf-32", "utf-8-sig", "cp1252"])
    data = text.encode(written, "replace")
    if rng.random() < 0.3:
        data = damaged(rng, data)
    if ending.endswith(".gz"):
        data = gzip.compress(data, mtime=0)
        data = damaged(rng, data, 2) if rng.random() < 0.4 else data
    path = folder / f"data{ending}"
    path.write_bytes(data)
    options: tuple[str, ...] = ()
    if delimiter not in ",\t" or rng.random() < 0.1:
        options += ("--delimiter", rng.choice([delimiter] * 6 + ["", "::", "é", '"', "\n", "x"]))
    if written != "utf-8" or rng.random() < 0.1:
        options += ("--encoding", rng.choice([written] * 6 + list(ENCODINGS)))
    tables = ("--tables",) if rng.random() < 0.2 else ()
    commands = [("init", path.name, *options, *tables)]
    if rng.random() < 0.2:
        commands.append(("table" if tables else "assess", "plan.toml"))
    return Case(tuple(commands), not undefined)


def _text(rng: random.Random, folder: Path) -> str:
    """Give the text of an ordinary file."""
    return as_csv(scene(rng, folder).rows) if rng.random() < 0.6 else rng.choice(
        ["a,b\n1,2\n3,4\n", "a\n1\n2\n", 'a,"b c"\n"x,y",2\n"""",3\n', "a,b,c\n1.5,x,2020-01-01\n,,\n3,y,2021-02-03\n"]
    )  # fmt: skip


def draw_binary(rng: random.Random, folder: Path) -> Case:
    """Draw a file of a program, damaged most of the time."""
    ending = rng.choice(BINARY)
    data = rng.choice(_samples()[ending])
    for _ in range(rng.choice([0, 1, 1, 1, 3])):
        data = damaged(rng, data, rng.choice([1, 1, 2, 6]))
    if rng.random() < 0.03:
        data = rng.choice(_samples()[rng.choice(BINARY)])
    path = folder / f"data{ending}"
    path.write_bytes(data)
    return Case((("init", path.name, *(("--encoding", "latin-1") if rng.random() < 0.05 else ())),))


@functools.cache
def _samples() -> dict[str, tuple[bytes, ...]]:
    """Write small files of every format once."""
    import pandas as pd
    import pyreadstat

    frame = pl.DataFrame(
        {
            "sex": ["f", "m", None, "f"] * 5, "age": list(range(20)), "income": [0.5, None, 1e9, 3.0] * 5,
            "day": pl.Series(["2020-01-01", "2021-05-06"] * 10).str.to_date(), "ok": [True, False] * 10,
        }
    )  # fmt: skip
    more = frame.with_columns(
        pl.col("sex").cast(pl.Categorical), when=pl.col("day").cast(pl.Datetime("us")), wide=pl.lit("x" * 50)
    )
    plain = frame.drop("day").with_columns(pl.col("ok").cast(pl.Float64), pl.col("age").cast(pl.Float64)).to_pandas()
    found: dict[str, tuple[bytes, ...]] = {}
    with tempfile.TemporaryDirectory() as name:
        at = Path(name) / "x"
        parquet = []
        for one in (frame, more):
            for packing in ("zstd", "snappy", "uncompressed"):
                one.write_parquet(at, compression=packing)
                parquet.append(at.read_bytes())
        arrow = []
        for one in (frame, more):
            for packed in ("uncompressed", "lz4", "zstd"):
                one.write_ipc(at, compression=packed)
                arrow.append(at.read_bytes())
            one.write_ipc_stream(at)
            arrow.append(at.read_bytes())
        found |= {".parquet": tuple(parquet)} | dict.fromkeys((".arrow", ".feather", ".ipc"), tuple(arrow))
        labels = {"age": {1: "one", 2: "two"}}
        pyreadstat.write_sav(plain, str(at), variable_value_labels=labels, column_labels=["a", "b", "c", "d"])
        sav = at.read_bytes()
        pyreadstat.write_sav(plain, str(at), compress=True)
        zsav = at.read_bytes()
        pyreadstat.write_por(plain, str(at))
        por = at.read_bytes()
        stata = []
        for version in (8, 10, 12, 13, 14, 15):
            pyreadstat.write_dta(plain.assign(sex=plain["sex"].fillna("")), str(at), version=version)
            stata.append(at.read_bytes())
        pyreadstat.write_xport(plain, str(at), file_format_version=8)
        new = at.read_bytes()
        pyreadstat.write_xport(plain, str(at), file_format_version=5)
        found |= {".sav": (sav, zsav), ".zsav": (zsav, sav), ".por": (por,), ".dta": tuple(stata)}
        found[".xpt"] = (new, at.read_bytes())
    assert isinstance(plain, pd.DataFrame)
    magic = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
    found[".sas7bdat"] = (magic + bytes(1000), magic + b"\x33\x22\x00\x32\x01\x01" * 100, magic + bytes(range(256)) * 8)
    return found
