"""Names out of files and plans neither steer a terminal nor become formulas in a file for people."""

from __future__ import annotations

import polars as pl
import pytest

import confide as cf
from confide.cli.main import main
from confide.kit.shown import defused

PLAN = """seed = 7
[data]
path = "people.csv"
[[release]]
name = "=HYPERLINK(1)"
[[intruder]]
name = "@SUM(A1)"
knows = ["sex"]
[[harm]]
name = "+2"
attribute = "pay"
costs = { cost = "AbsoluteError" }
acts = 0
[output]
table = "table.csv"
per_record = "per_record.csv"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{'fm'[i % 2]},{100 + i % 40}" for i in range(60)]
    (tmp_path / "people.csv").write_text("\n".join(["sex,pay", *rows]) + "\n")
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def test_no_cell_of_a_file_for_people_is_a_formula(folder, capsys):
    """A release called =HYPERLINK(...) was a formula in the table."""
    assert main(["assess", "plan.toml"]) == 0
    printed = capsys.readouterr()
    assert "wrote per_record.csv, which is confidential" in printed.err.replace(str(folder) + "/", "")
    for name in ("table.csv", "per_record.csv"):
        cells = [c.strip('"') for line in (folder / name).read_text().splitlines() for c in line.split(",")]
        assert not [c for c in cells if c.startswith(("=", "+", "@"))], name
        assert "'=HYPERLINK(1)" in cells


def test_numbers_stay_numbers():
    assert defused(pl.DataFrame({"n": [-1.5]})).write_csv() == "n\n-1.5\n"


@pytest.mark.parametrize("command", ["init", "assess"])
def test_an_escape_in_a_name_does_not_reach_the_terminal(folder, capsys, command):
    text = (folder / "people.csv").read_text().replace("sex,pay", '"a\x1b[31m\x9bred",pay')
    (folder / "people.csv").write_text(text)
    plan = PLAN.replace('["sex"]', '["a\\u001b[31m\\u009bred"]').replace("@SUM(A1)", "two\\nlines\\u001b]0;own\\u0007")
    (folder / "plan.toml").write_text(plan)
    arguments = ["init", "people.csv", "--out", "new.toml"] if command == "init" else ["assess", "plan.toml"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    said = printed.out + printed.err
    assert not [c for c in said if not c.isprintable() and c != "\n"]
    assert ("a\\x1b[31m\\x9bred" if command == "init" else "two\\nlines\\x1b]0;own\\x07") in said


def test_a_name_cannot_steer_a_notebook():
    data = cf.Microdata.from_dict({"a\x1b[31m\nred": ["f", "m"]})
    assert "\x1b" not in repr(data)
    assert "a\\x1b[31m\\nred" in repr(data)


def test_the_secret_itself_in_the_environment_is_refused(folder, capsys, monkeypatch):
    """64 digits were taken for a path, and a file of that name was made."""
    digits = "0123456789abcdef" * 4
    monkeypatch.setenv("CONFIDE_SECRET", digits)
    (folder / "plan.toml").write_text(PLAN.replace("seed = 7\n", ""))
    assert main(["assess", "plan.toml"]) == 2
    printed = capsys.readouterr()
    assert "takes the path of the file" in printed.err
    assert digits not in printed.out + printed.err
    assert not (folder / digits).exists()
