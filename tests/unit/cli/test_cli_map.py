"""`confide map` and `confide choose`."""

from __future__ import annotations

import json

import pytest

import confide as cf
from confide.cli.main import main
from unit.rumap.general.people import people

PLAN = """
seed = 7
[data]
path = "people.csv"
[data.kinds]
age = "integer"
pay = "continuous"
[[release]]
name = "groups and noise"
methods = [
  { method = "Recode", variable = "age", width = 5 },
  { method = "Noise", variable = "pay", sd = 50 },
]
[[intruder]]
name = "near"
knows = ["sex", "age", "pay"]
[[utility]]
utility = "MeansKept"
variables = ["pay"]
[map]
store = "kept"
picture = "map.svg"
page = "map.html"
table = "map.csv"
verify = 2
[[map.vary]]
name = "width"
method = 1
argument = "width"
values = [5, 20]
[[map.vary]]
name = "noise"
method = 2
argument = "sd"
between = [10, 1000]
log = true
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    cf.write(people(80), tmp_path / "people.csv")
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def test_map_prints_the_frontier_and_writes_what_is_asked(folder, capsys):
    assert main(["map", "plan.toml"]) == 0
    out = capsys.readouterr().out
    assert "RUMap(10 settings, 1 intruders" in out
    assert "on the frontier:" in out
    assert {p.name for p in folder.iterdir()} == {
        "people.csv", "plan.toml", "kept", "map.svg", "map.html", "map.csv"
    }  # fmt: skip
    assert len((folder / "map.csv").read_text().splitlines()) == 11
    assert main(["map", "plan.toml", "--quiet", "--picture", "other.png"]) == 0
    assert capsys.readouterr().out == ""
    assert (folder / "other.png").exists()


def test_choose_writes_the_file_within_the_limit(folder, capsys):
    assert main(["choose", "plan.toml", "--max-risk", "0.9", "--out", "."]) == 0
    out = capsys.readouterr().out
    assert "Choice: width" in out
    assert "with 2 fresh seeds the limits hold" in out
    (held,) = (folder / "held").iterdir()
    assert cf.read(held / f"{held.name}.csv").n == 80
    manifest = json.loads((held / "manifest.json").read_text())
    assert manifest["kind"] == "chosen release"
    assert manifest["made_with"] == "reproducible: not for publication"
    assert set(manifest["settings"]) == {"width", "noise"}
    assert main(["choose", "plan.toml", "--max-risk", "0.9", "--out", "released.csv"]) == 2
    assert "give the folder of the study" in capsys.readouterr().err


def test_choose_without_a_release_within_the_limit(folder, capsys):
    (folder / "linked.toml").write_text(PLAN.replace("[map]\n", '[map]\nrisk = "expected_matches"\n'))
    assert main(["choose", "linked.toml", "--max-risk", "0"]) == 3
    assert "limit exceeded: none of 10 settings keeps to the limits" in capsys.readouterr().err
    assert main(["choose", "plan.toml"]) == 2
    assert "choose needs a limit: --max-risk" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["nan", "inf", "-1"])
def test_choose_took_a_limit_that_is_no_number(folder, capsys, limit):
    assert main(["choose", "plan.toml", "--max-risk", limit]) == 2
    assert "--max-risk must be a finite number, 0 or more" in capsys.readouterr().err
    (folder / "limited.toml").write_text(PLAN.replace("[map]\n", f"[map]\nmax_risk = {limit}\n"))
    assert main(["choose", "limited.toml"]) == 2
    assert "map: max_risk must be" in capsys.readouterr().err


def test_a_search_shows_the_frontier_as_it_grows(folder, capsys):
    pytest.importorskip("optuna")
    assert main(["map", "plan.toml", "--evaluations", "25"]) == 0
    shown = capsys.readouterr()
    assert "RUMap(25 settings" in shown.out
    assert "on the frontier, risk" in shown.err


@pytest.mark.parametrize("place", ["search", "choose"])
def test_control_c_before_the_first_evaluation_was_called_a_mistake(folder, capsys, monkeypatch, place):
    pytest.importorskip("optuna")
    monkeypatch.setattr(f"confide.rumap.general.{place}.evaluate_rows", lambda *_, **__: ([], False))
    assert main(["choose", "plan.toml", "--max-risk", "0.9", *(["--evaluations", "5"] if place == "search" else [])]) == 130
    assert "confide: interrupted; files are written whole" in capsys.readouterr().err


def test_a_plan_without_a_map(folder, capsys):
    (folder / "plan.toml").write_text(PLAN[: PLAN.index("[[utility]]")])
    assert main(["map", "plan.toml"]) == 2
    assert "the plan has no [map]" in capsys.readouterr().err
