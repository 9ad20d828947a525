"""Files that tables are made with: hierarchies, code lists, patterns, cells in SDMX-CSV and JSON, statuses."""

from __future__ import annotations

import functools
import os
import random
import shutil
import tempfile
from pathlib import Path

from fuzzing.case import Case
from fuzzing.damage import damaged, damaged_text
from fuzzing.scene import OTHERS, scene
from fuzzing.toml import toml

RULE = {"rule": "MinimumFrequency", "n": 3}
DATA = {"seed": 7, "data": {"path": "people.csv"}}


def _plan(folder: Path, table: dict[str, object], **more: object) -> None:
    """Write a plan of one table."""
    made = {**DATA, **more, "tables": {"rule": [RULE]}, "table": [{"name": "t", **table}]}
    (folder / "plan.toml").write_text(toml(made), encoding="utf-8")


def _changed(rng: random.Random, data: bytes, *, texts: bool = True) -> bytes:
    """Damage the text of a file, or its bytes."""
    if texts and rng.random() < 0.7:
        return damaged_text(rng, data.decode("utf-8", "replace")).encode("utf-8", "replace")
    return damaged(rng, data) if rng.random() < 0.9 else data


def draw_hierarchy(rng: random.Random, folder: Path) -> Case:
    """Draw a hierarchy for tables, a code list, or levels for a coarser variable."""
    scene(random.Random(5), folder)
    name = rng.choice(["region.hrc", "region.hrc", "region.cdl", "levels.csv"])
    text = OTHERS[name] if rng.random() < 0.7 or name != "region.hrc" else rng.choice(
        [OTHERS[name].replace("@", mark) for mark in ("  ", "\t", "..", "@@")] + ["@" * 3000 + "N1\n", "N1\nN2\n", "\n".join(
            "@" * i + f"c{i}" for i in range(1500))]
    )  # fmt: skip
    (folder / name).write_bytes(_changed(rng, text.encode()))
    if name == "levels.csv":
        recode = {"method": "Recode", "variable": "region", "hierarchy": name, "level": rng.choice([1, 1, 2, 0])}
        made = {**DATA, "release": [{"methods": [recode]}], "intruder": [{"knows": ["sex", "region"]}]}
        (folder / "plan.toml").write_text(toml(made), encoding="utf-8")
        return Case((("assess", "plan.toml"),))
    nesting = {"file": "region.hrc"} | ({"codelist": "region.cdl"} if name == "region.cdl" else {})
    nesting |= {"leading": rng.choice(["@", ".", "  "])} if rng.random() < 0.2 else {}
    _plan(folder, {"by": ["area", "sex"], "hierarchies": {"area": nesting}})
    return Case((("table", "plan.toml", "--time-limit", "2"),))


@functools.cache
def _published() -> dict[str, bytes]:
    """Protect a table once and keep what is written of it."""
    from confide.cli.main import main

    folder, here = Path(tempfile.mkdtemp()), Path.cwd()
    scene(random.Random(5), folder)
    names = ["t.csv", "t.tsv", "t.parquet", "t.sdmx.csv", "t.json"]
    _plan(folder, {"by": ["area", "sex"], "value": "income", "published": names, "internal": "internal.csv"})
    os.chdir(folder)
    try:
        code = main(["table", "plan.toml", "--quiet"])
    finally:
        os.chdir(here)
    written = [*(folder / "held" / "t" / n for n in names), folder / "internal.csv"] if code in (0, 3) else []
    found = {p.name: p.read_bytes() for p in written}
    shutil.rmtree(folder, ignore_errors=True)
    found["argus.csv"] = b"area,sex,income,status\nN1,f,10,V\nN1,m,4,A\nN2,f,8,D\nN2,m,1,V\nTotal,Total,23,V\n"
    return found


def draw_pattern(rng: random.Random, folder: Path) -> Case:
    """Draw the published file of a table, by this program or another, for an audit or as last time's."""
    scene(random.Random(5), folder)
    name = rng.choice(list(_published()))
    data = _published()[name]
    (folder / name).write_bytes(_changed(rng, data, texts=not name.endswith(".parquet")))
    if rng.random() < 0.3:
        _plan(folder, {"by": ["area", "sex"], "value": "income", "previous": name})
        return Case((("table", "plan.toml", "--time-limit", "2"),))
    _plan(folder, {"by": ["area", "sex"], "value": "income"})
    more = rng.choice([(), (), ("--status", "status"), ("--value", "income"), ("--out", "exposed.csv")])
    return Case((("audit", "plan.toml", "--pattern", name, *more),))


def draw_cells(rng: random.Random, folder: Path) -> Case:
    """Draw a file of cells, for a plan or an audit, or the statuses of single cells."""
    scene(random.Random(5), folder)
    ending = rng.choice([".csv", ".csv", ".tsv", ".sdmx.csv", ".json"])
    text = OTHERS["cells.csv"]
    if ending == ".sdmx.csv":
        text = _published()["t.sdmx.csv"].decode()
    elif ending == ".json":
        text = _published()["t.json"].decode()
    elif rng.random() < 0.4:
        lines = text.splitlines()
        text = "\n".join([lines[0] + ",status", *(x + rng.choice([",s", ",u", ",x", ",z"]) for x in lines[1:])])
    undefined = rng.random() < 0.1
    if rng.random() < 0.9:
        text = damaged_text(rng, text.replace(",", "\t") if ending == ".tsv" else text, undefined=undefined)
    (folder / f"cells{ending}").write_text(text, encoding="utf-8", errors="replace")
    by, value = ("area,sex", "OBS_VALUE") if ending == ".sdmx.csv" else ("sex,area", "x")
    if rng.random() < 0.5:
        nested = ("--hierarchy", "area=region.hrc")
        more = rng.choice([(), ("--share", "0.1"), nested, ("--status", "status"), ("--total", "N")])
        return Case((("audit", f"cells{ending}", "--by", by, "--value", value, *more),), not undefined)
    if rng.random() < 0.3:
        said = rng.choice(
            ["f,N1,u\nm,S2,s\nf,S1,c,5\nm,N1,pl,1,2\n", "sex,area,status,cost,lower,upper\nf,N1,u,1,,\nm,S2,,2,1,1\n"]
        )
        kind = "a.hst" if said.startswith("f") else "a.csv"
        (folder / kind).write_text(damaged_text(rng, said, undefined=undefined), encoding="utf-8", errors="replace")
        _plan(folder, {"by": ["sex", "area"], "value": "tax", "a_priori": kind})
    else:
        more_keys = {"count": "count", "largest": ["big"]} if ending == ".csv" else {}
        _plan(folder, {"cells": f"cells{ending}", "by": by.split(","), "value": value, **more_keys})
    return Case((("table", "plan.toml", "--time-limit", "2"),), not undefined)
