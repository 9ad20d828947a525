"""No command and no option replaces what is read: exit code 2, and every file as it was."""

import os
import signal
import subprocess
import sys
import time

import pytest

import confide as cf
from confide.cli.main import main
from unit.rumap.general.people import people
from unit.tables.firms import firms

PLAN = """
seed = 7
[data]
path = "people.csv"
[data.kinds]
age = "integer"
pay = "continuous"
[[release]]
name = "people"
methods = [{ method = "Noise", variable = "pay", sd = 50 }]
[[intruder]]
name = "near"
knows = ["sex", "age"]
[[utility]]
utility = "MeansKept"
variables = ["pay"]
[map]
KEYS
[[map.vary]]
name = "noise"
method = 1
argument = "sd"
values = [10, 100]
"""
TABLES = """
[data]
path = "firms.csv"
[[tables.rule]]
rule = "MinimumFrequency"
n = 3
[[table]]
name = "firms"
by = ["area"]
value = "turnover"
published = "t.csv"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cf.write(people(60), tmp_path / "people.csv")
    cf.write(firms(60), tmp_path / "firms.csv")
    (tmp_path / "plan.toml").write_text(PLAN.replace("KEYS", ""))
    (tmp_path / "tables.toml").write_text(TABLES)
    (tmp_path / "cells.csv").write_text("area,value,status\nTotal,30,s\na,10,u\nb,20,x\n")
    (tmp_path / "area.hrc").write_text("a\nb\n")
    for ending in ("html", "json", "svg", "csv", "toml"):
        (tmp_path / f"soft.{ending}").symlink_to("people.csv")
        os.link(tmp_path / "people.csv", tmp_path / f"hard.{ending}")
    return tmp_path


def everything(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


T = "held/firms/t.csv"
CELLS = ["audit", "cells.csv", "--by", "area", "--value", "value", "--status", "status"]
COMMANDS = {
    "assess --report, linked": ["assess", "plan.toml", "--report", "soft.html"],
    "assess --report, hard link": ["assess", "plan.toml", "--report", "hard.html"],
    "assess --json": ["assess", "plan.toml", "--json", "soft.json"],
    "assess --json, over the plan": ["assess", "plan.toml", "--json", "plan.toml"],
    "calibrate --report": ["calibrate", "plan.toml", "--times", "2", "--report", "soft.html"],
    "calibrate --json": ["calibrate", "plan.toml", "--times", "2", "--json", "hard.json"],
    "calibrate --picture": ["calibrate", "plan.toml", "--times", "2", "--picture", "soft.svg"],
    "map --picture": ["map", "plan.toml", "--picture", "soft.svg"],
    "map --page": ["map", "plan.toml", "--page", "hard.html"],
    "audit PLAN --out": ["audit", "tables.toml", "--pattern", T, "--out", "firms.csv"],
    "audit PLAN --out, over the pattern": ["audit", "tables.toml", "--pattern", T, "--out", T],
    "audit FILE --out": [*CELLS, "--out", "cells.csv"],
    "audit FILE --out, other case": [*CELLS, "--out", "CELLS.csv"],
    "audit FILE --out, over a hierarchy": [*CELLS, "--hierarchy", "area=area.hrc", "--out", "area.hrc"],
    "init --out": ["init", "people.csv", "--out", "soft.toml", "--overwrite"],
    "init --out, hard link": ["init", "people.csv", "--out", "hard.toml", "--overwrite"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_option_replaces_what_is_read(folder, capsys, name):
    assert main(["table", "tables.toml", "--quiet"]) == 0
    before = everything(folder)
    assert main([*COMMANDS[name], *([] if name.startswith("init") else ["--quiet"])]) == 2
    said = capsys.readouterr().err
    assert "would replace" in said or "is the same file as" in said
    assert everything(folder) == before


@pytest.mark.parametrize(
    "keys",
    ['table = "people.csv"', 'table = "PEOPLE.csv"', 'table = "soft.csv"', 'table = "hard.csv"', 'picture = "soft.svg"'],
)
@pytest.mark.parametrize("command", [["map"], ["choose", "--max-risk", "1"]])
def test_no_key_of_a_map_replaces_what_is_read(folder, capsys, command, keys):
    (folder / "plan.toml").write_text(PLAN.replace("KEYS", keys))
    before = everything(folder)
    assert main([command[0], "plan.toml", *command[1:], "--quiet"]) == 2
    assert f"map.{keys.split()[0]}: " in capsys.readouterr().err
    assert everything(folder) == before


@pytest.mark.parametrize("command", ["assess", "calibrate"])
def test_released_files_beside_the_data_do_not_replace_them(folder, capsys, command):
    plan, held = folder / "plan.toml", folder / "held" / "people"
    released = '[output]\nreleased = "."\n'
    plan.write_text(plan.read_text() + released)
    before = everything(folder)
    assert main([command, "plan.toml", "--quiet"]) == 0
    assert {k: v for k, v in everything(folder).items() if not k.startswith("held") and k != "study.key"} == before
    held.mkdir(parents=True, exist_ok=True)
    (folder / "people.csv").rename(held / "people.csv")
    plan.write_text(plan.read_text().replace('"people.csv"', '"held/people/people.csv"'))
    before = everything(folder)
    assert main([command, "plan.toml", "--quiet"]) == 2
    assert "output.released (release 'people'): would replace 'people.csv'" in capsys.readouterr().err
    assert everything(folder) == before


def test_tables_in_a_folder_do_not_replace_the_data(folder, capsys):
    (folder / "tables.toml").write_text(TABLES.replace('published = "t.csv"\n', ""))
    before = everything(folder)
    assert main(["table", "tables.toml", "--out", ".", "--quiet"]) == 0
    held = {f"held/firms/{n}" for n in ("firms.csv", "firms.html", "manifest.json")}
    new = {"firms-internal.csv", "firms-internal.html", "study.key", *held}
    assert {k: v for k, v in everything(folder).items() if k not in new} == before
    (folder / "firms.csv").rename(folder / "firms-internal.csv")
    (folder / "tables.toml").write_text((folder / "tables.toml").read_text().replace("firms.csv", "firms-internal.csv"))
    before = everything(folder)
    assert main(["table", "tables.toml", "--out", ".", "--quiet"]) == 2
    assert "table[1].internal: would replace 'firms-internal.csv'" in capsys.readouterr().err
    assert everything(folder) == before


@pytest.mark.parametrize("out", ["people.csv", "People.CSV", "soft.csv", "hard.csv", "plan.toml"])
def test_choose_takes_a_folder_and_replaces_no_file(folder, capsys, out):
    before = everything(folder)
    assert main(["choose", "plan.toml", "--max-risk", "1", "--out", out]) == 2
    assert "is a file; give the folder of the study" in capsys.readouterr().err
    assert everything(folder) == before


def test_init_replaces_plans_and_nothing_else(folder, capsys):
    (folder / "pyproject.toml").write_text('[project]\nname = "mine"\n')
    (folder / "broken.toml").write_text("[data\n")
    for name in ("pyproject.toml", "broken.toml"):
        before = everything(folder)
        assert main(["init", "people.csv", "--out", name, "--overwrite"]) == 2
        assert "holds no plan of confide, and is not replaced" in capsys.readouterr().err
        assert everything(folder) == before
    assert main(["init", "people.csv", "--out", "plan.toml", "--overwrite"]) == 0


@pytest.mark.parametrize(
    "files", [["report.html"], ["cps.csv"], ["assessment.json"], ["plan.toml"], ["cps.csv", "report.html"]]
)
def test_demo_replaces_no_file_that_is_not_its_own(tmp_path, capsys, files):
    for name in files:
        (tmp_path / name).write_text("mine")
    assert main(["demo", "--out", str(tmp_path)]) == 2
    assert "holds files that are not the demo's" in capsys.readouterr().err
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == dict.fromkeys(files, "mine")


def test_a_pipe_as_data_is_refused_at_once(folder):
    os.mkfifo(folder / "pipe.csv")
    (folder / "plan.toml").write_text(PLAN.replace("KEYS", "").replace("people.csv", "pipe.csv"))
    for command in (["assess", "plan.toml"], ["init", "pipe.csv", "--out", "n.toml"], [*CELLS[:1], "pipe.csv", *CELLS[2:]]):
        start = time.monotonic()
        assert main(command) == 2
        assert time.monotonic() - start < 1


SLOW = """
import sys, time
import polars as pl
from confide.cli.main import main
from confide.kit import pieces
if sys.argv[1] == "named":
    pieces._unnamed = lambda *_: None
whole = pl.DataFrame.write_csv
def half(frame, file=None, **more):
    if file is None:
        return whole(frame, **more)
    file.write(whole(frame).encode()[:100])
    file.flush()
    print("half", flush=True)
    time.sleep(60)
pl.DataFrame.write_csv = half
main(["assess", "plan.toml", "--quiet"])
"""


@pytest.mark.parametrize("system", ["unnamed", "named"])
def test_a_kill_while_the_masked_file_is_written_leaves_no_piece_of_it(folder, system):
    with (folder / "plan.toml").open("a") as plan:
        plan.write('[output]\nreleased = "out"\n')
    process = subprocess.Popen([sys.executable, "-c", SLOW, system], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline().strip() == b"half", process.communicate()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    (left,) = (folder / "out" / "held").iterdir()
    assert left.name.startswith(".confide-")
    pieces = [p.name for p in left.iterdir()]
    if system == "named" or not hasattr(os, "O_TMPFILE"):
        assert len(pieces) == 1
        assert pieces[0].startswith(".confide-")
    else:
        assert pieces == []
    assert main(["assess", "plan.toml", "--quiet"]) == 0
    found = sorted(str(p.relative_to(folder / "out")) for p in (folder / "out").rglob("*") if p.is_file())
    assert found == ["held/people/manifest.json", "held/people/people.csv", "study.key"]
