"""Every command does its job, with exit codes a script can use."""

import json
import os
import stat
import sys

import polars as pl
import pytest
from typer.testing import CliRunner

import confide as cf
from confide.cli import assess as assess_module
from confide.cli.main import app, main

PEOPLE = "id,sex,race,age,income,wt\n" + "".join(
    f"p{i},{'mf'[i % 2]},{'wba'[i % 3]},{20 + i % 40},{7919 * (i + 1) % 90001},{1 + i % 3}.5\n" for i in range(120)
)
PLAN = """
seed = 3
[data]
path = "people.csv"
[data.roles]
identifier = ["id"]
key = ["sex", "race", "age"]
sensitive = ["income"]
weight = "wt"
[[release]]
name = "as it is"
[[release]]
name = "Some / masking!"
methods = [{ method = "Recode", variable = "age", width = 10 }, { method = "Swap", variable = "race", rate = 0.2 }]
[[intruder]]
name = "neighbour"
knows = ["sex", "race", "age"]
[[intruder]]
name = "stranger"
knows = ["sex", "race", "age"]
target_in_file = false
population = "weights"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "plan.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def leftovers(folder):
    return [p.name for p in folder.rglob(".confide-*")]


def test_init_writes_a_plan_that_assess_runs_unchanged(folder, capsys):
    assert main(["init", "people.csv", "--out", "new.toml"]) == 0
    out = capsys.readouterr().out
    assert "people.csv: 120 records, 6 variables" in out
    assert "identifier*" in out
    assert "confide assess new.toml" in out
    assert mode(folder / "new.toml") == 0o600
    assert main(["assess", "new.toml"]) == 0
    assert "neighbour" in capsys.readouterr().out


def test_init_refuses_to_overwrite(folder, capsys):
    assert main(["init", "people.csv"]) == 2
    assert "is there already; pass --overwrite" in capsys.readouterr().err
    assert (folder / "plan.toml").read_text() == PLAN
    assert main(["init", "people.csv", "--overwrite"]) == 0
    assert (folder / "plan.toml").read_text() != PLAN


def test_init_in_another_folder_keeps_the_path(folder):
    (folder / "plans").mkdir()
    assert main(["init", "people.csv", "--out", "plans/p.toml"]) == 0
    assert 'path = "../people.csv"' in (folder / "plans" / "p.toml").read_text()
    assert main(["assess", "plans/p.toml", "--quiet"]) == 0


def test_init_takes_encoding_and_delimiter(folder):
    (folder / "old.csv").write_bytes("name;größe\nä;1\nö;2\nä;3\n".encode("latin-1"))
    assert main(["init", "old.csv", "--encoding", "latin-1", "--delimiter", ";", "--out", "o.toml"]) == 0
    assert main(["assess", "o.toml", "--quiet"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["init", "nobody.csv", "--out", "x.toml"], "there is no file 'nobody.csv'"),
        (["init", "people.csv", "--out", "x.csv"], "ends in .toml"),
        (["init", "people.csv", "--out", "no/x.toml"], "the folder 'no' does not exist"),
        (["init", "people.csv", "--out", "x.toml", "--encoding", "utf-99"], "encoding 'utf-99'"),
        (["init"], "Missing argument"),
        (["asess", "plan.toml"], "No such command 'asess'"),
        (["assess"], "Missing argument"),
        (["assess", "none.toml"], "there is no plan 'none.toml'"),
        (["assess", "people.csv"], "not valid TOML"),
        (["assess", "plan.toml", "--seed", "x"], "--seed"),
        (["assess", "plan.toml", "--threshold", "1.5"], "threshold must be below 1.0, found 1.5"),
        (["assess", "plan.toml", "--report", "r.pdf"], "report.path: must end in .html"),
        (["assess", "plan.toml", "--json", "no/x.json"], "output.json: the folder"),
        (["assess", "plan.toml", "--loud"], "--loud"),
        (["demo", "--open", "maybe"], "--open"),
        (["demo", "--out", "."], "holds files that are not the demo's"),
        (["demo", "--out", "plan.toml"], "is a file; choose a folder"),
        (["--unknown"], "--unknown"),
    ],
)
def test_mistakes_of_the_user_exit_with_2(folder, capsys, arguments, message):
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert err.startswith("confide: ")
    assert message in err
    assert "Traceback" not in err
    assert leftovers(folder) == []


def test_assess_prints_the_table(folder, capsys):
    assert main(["assess", "plan.toml"]) == 0
    captured = capsys.readouterr()
    data = cf.read("people.csv").declare(identifier=["id"], key=["sex", "race", "age"], sensitive=["income"], weight="wt")
    releases = [
        cf.Release(name="as it is"),
        cf.Release(cf.Recode("age", width=10), cf.Swap("race", rate=0.2), name="Some / masking!"),
    ]
    neighbour = cf.Intruder(knows=["sex", "race", "age"], name="neighbour")
    stranger = neighbour.but(target_in_file=False, population=cf.FromWeights(), name="stranger")
    expected = cf.assess([r.apply(data, seed=3) for r in releases], [neighbour, stranger])
    assert captured.out == repr(expected) + "\n"
    assert captured.err == "for a report: confide assess plan.toml --report report.html\n"


def test_quiet_prints_nothing(folder, capsys):
    assert main(["assess", "plan.toml", "--quiet"]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_threshold_and_seed_can_be_changed(folder, capsys):
    assert main(["assess", "plan.toml", "--threshold", "0.6", "--seed", "12", "--json", "a.json"]) == 0
    assert "Prob. > 0.6" in capsys.readouterr().out
    assert {row["seed"] for row in json.loads((folder / "a.json").read_text())["scenarios"]} == {12}


def test_all_outputs_are_private_and_hold_no_values(folder, report, capsys):
    outputs = '[output]\njson = "a.json"\ntable = "t.csv"\nper_record = "p.csv"\nreleased = "out"\n'
    (folder / "plan.toml").write_text(PLAN + outputs + '[report]\nby = ["race"]\ntitle = "T"\n')
    for _ in range(2):
        assert main(["assess", "plan.toml"]) == 0
    assert report[-1] == ("T", ("race",), True)
    held = [f"out/held/{n}/{f}" for n in ("as-it-is", "some-masking") for f in (f"{n}.csv", "manifest.json")]
    written = ["a.json", "t.csv", "p.csv", *held]
    assert all(mode(folder / name) == 0o600 for name in written)
    assert {mode(p) for p in [folder / "out", *(folder / "out").rglob("*")] if p.is_dir()} == {0o700}
    assert [json.loads((folder / n).read_text())["made_with"] for n in held[1::2]] == [
        "reproducible: not for publication"
    ] * 2
    assert leftovers(folder) == []
    per_record = pl.read_csv(folder / "p.csv")
    assert per_record.height == 4 * 120
    assert not {"id", "sex", "race", "age", "income", "wt"} & set(per_record.columns)
    incomes = set(PEOPLE.splitlines()[5].split(",")[4:5])
    assert not any(x in (folder / n).read_text() for x in incomes for n in ("a.json", "t.csv", "p.csv"))
    assert pl.read_csv(folder / "t.csv").height == 4
    assert "id" not in pl.read_csv(folder / held[0]).columns
    assert "wrote a.json\n" in capsys.readouterr().err


def test_a_real_report_is_written(folder):
    pytest.importorskip("confide.report.html")
    assert main(["assess", "plan.toml", "--report", "r.html"]) == 0
    assert "<html" in (folder / "r.html").read_text()


def test_without_the_extra_the_report_says_what_to_install(folder, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "confide.report.html", None)
    assert main(["assess", "plan.toml", "--report", "r.html", "--json", "a.json"]) == 2
    captured = capsys.readouterr()
    assert "pip install 'confide[report]'" in captured.err
    assert captured.out == ""
    assert not (folder / "a.json").exists()


def test_a_limit_exits_with_3_and_says_which(folder, capsys):
    limits = '[limits]\nmax_expected_matches = 1\nreleases = ["as it is"]\nintruders = ["neighbour"]\n'
    (folder / "plan.toml").write_text(PLAN + limits + '[output]\njson = "a.json"\n')
    assert main(["assess", "plan.toml", "--quiet"]) == 3
    captured = capsys.readouterr()
    assert captured.err.startswith("confide: limit exceeded: expected matches is ")
    assert captured.err.count("\n") == 1
    assert "at most 1 is allowed (release 'as it is', intruder 'neighbour')" in captured.err
    assert (folder / "a.json").exists()


@pytest.mark.parametrize("limit", ["max_perceived", "max_unique_matches", "max_true_match_rate", "max_probability"])
def test_every_limit_can_be_exceeded_and_kept(folder, limit):
    (folder / "plan.toml").write_text(PLAN + f"[limits]\n{limit} = 0\n")
    assert main(["assess", "plan.toml", "--quiet"]) == 3
    most = 1000 if limit in ("max_perceived", "max_unique_matches") else 1
    (folder / "plan.toml").write_text(PLAN + f"[limits]\n{limit} = {most}\n")
    assert main(["assess", "plan.toml", "--quiet"]) == 0


def test_faults_that_show_only_when_assessed_are_mistakes_too(folder, capsys):
    text = PLAN.replace(
        '[[intruder]]\nname = "neighbour"',
        '[[release]]\nname = "d"\nmethods = [{ method = "Drop", names = ["sex", "race", "age"] }]\n'
        '[[intruder]]\nname = "neighbour"',
    )
    (folder / "plan.toml").write_text(text)
    assert main(["assess", "plan.toml"]) == 2
    assert "none of the variables the intruder knows is in the released file" in capsys.readouterr().err


def test_a_bug_exits_with_1_and_shows_no_values(folder, monkeypatch, capsys):
    def broken(*_, **__):
        raise ValueError("income of p7 is 12345")

    monkeypatch.setattr(assess_module, "assess", broken)
    assert main(["assess", "plan.toml"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("confide: internal error: ValueError")
    assert "12345" not in err
    assert "Traceback" not in err
    monkeypatch.setenv("CONFIDE_TRACEBACK", "1")
    assert main(["assess", "plan.toml"]) == 1
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (MemoryError(), 2), (BrokenPipeError(), 0)])
def test_interruptions(folder, monkeypatch, capsys, error, code):
    def stopped(*_, **__):
        raise error

    monkeypatch.setattr(assess_module, "assess", stopped)
    assert main(["assess", "plan.toml", "--json", "a.json"]) == code
    assert ("confide: interrupted" in capsys.readouterr().err) == (code == 130)
    assert not (folder / "a.json").exists()
    assert leftovers(folder) == []


def test_an_interruption_while_writing_leaves_nothing(folder, monkeypatch):
    def stopped(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stopped)
    assert main(["assess", "plan.toml", "--json", "a.json"]) == 130
    assert not (folder / "a.json").exists()
    assert leftovers(folder) == []


@pytest.mark.parametrize("command", [[], ["init"], ["assess"], ["sign"], ["demo"]])
def test_every_command_has_help(command):
    result = CliRunner().invoke(app, [*command, "--help"])
    assert result.exit_code == 0
    assert "Usage:" in result.output


def test_no_command_shows_help_and_version_prints(capsys):
    assert main([]) == 0
    assert "Exit codes" in capsys.readouterr().out
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"confide {cf.__version__}\n"


def test_a_plan_without_replacement_runs(folder, capsys):
    joint = 'name = "all at once"\nknows = ["sex", "race", "age"]\nmatching = "without replacement"\n'
    (folder / "plan.toml").write_text(PLAN + f"[[intruder]]\n{joint}")
    assert main(["assess", "plan.toml", "--json", "out.json"]) == 0
    assert "2 scenario(s) matched without replacement: exact." in capsys.readouterr().out
    rows = json.loads((folder / "out.json").read_text())["scenarios"]
    assert [r["matching"] for r in rows] == ["with replacement", "with replacement", "without replacement"] * 2
    assert rows[2]["matched"][0].startswith("without replacement: ")
    # without masking, equal records share their targets either way
    assert rows[2]["expected_matches"] == pytest.approx(rows[0]["expected_matches"])


def test_likelihoods_of_a_plan_reach_the_report(folder, capsys):
    text = PLAN.replace('name = "neighbour"', 'name = "neighbour"\nlikelihood = 0.5')
    text = text.replace('name = "stranger"', 'name = "stranger"\nlikelihood = 0.25')
    text += '[[harm]]\nattribute = "income"\ncosts = { cost = "Close", within = 0.1, loss = 2 }\n'
    (folder / "plan.toml").write_text(text)
    assert main(["assess", "plan.toml", "--report", "r.html"]) == 0
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert "neighbour (likelihood 0.5)" in page
    assert "With likelihood 0.25 nobody tries." in page
    assert "over intruders" in capsys.readouterr().out
