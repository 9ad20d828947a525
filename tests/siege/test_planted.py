"""A planted person goes through every command and every kind of output; nothing tells of them but what says it may."""

from __future__ import annotations

import pytest
from siege.planted import AMOUNTS, PLANTED, TEXTS, is_marked, numbers_in, text_of, told, write_people

import confide as cf
from confide.cli.main import main

DATA = """seed = 7
[data]
path = "people.csv"
text = ["pid", "note"]
[data.roles]
identifier = ["pid"]
key = ["sex", "region", "age"]
sensitive = ["ill", "income", "wealth", "debt", "turnover"]
weight = "wt"
[data.kinds]
age = "integer"
income = "continuous"
wealth = "continuous"
debt = "continuous"
turnover = "continuous"
"""
RELEASES = """
[[release]]
name = "masked"
methods = [
  { method = "Recode", variable = "age", width = 5 },
  { method = "Noise", variable = "income", sd = 0.1, relative_to = "all" },
  { method = "Topcode", variable = "debt", at = 8000 },
  { method = "Drop", names = ["note"] },
]
"""
INTRUDERS = """
[[intruder]]
name = "neighbour"
knows = ["sex", "region", "age"]
likelihood = 0.5
[[intruder]]
name = "stranger"
knows = ["sex", "age"]
target_in_file = false
population = "weights"
likelihood = 0.2
"""
HARMS = """
[[harm]]
name = "wealth lost"
attribute = "ill"
costs = { cost = "Outcomes", tt = 1, ft = 1, tf = 1, ff = 1, tn = 1, fn = 1 }
weight = "wealth"
acts = 0
[[harm]]
name = "error"
attribute = "income"
costs = { cost = "AbsoluteError" }
acts = 0
[[harm]]
name = "too high"
attribute = "debt"
costs = { cost = "OverEstimate" }
reading = "Shrunk"
acts = 0
"""
OUTPUTS = """
[report]
by = ["region", "sex", "age"]
[output]
json = "out/assessment.json"
table = "out/table.csv"
per_record = "out/per_record.csv"
per_released_record = "out/per_released.csv"
released = "released"
[limits]
max_harm = { "wealth lost" = 1, "error" = 1, "too high" = 1 }
[[measure]]
measure = "k_anonymity"
"""
MAP = """
[[utility]]
utility = "MeansKept"
variables = ["income"]
[[utility]]
utility = "TotalsKept"
variables = ["debt"]
[map]
risk = "harm wealth lost"
store = "out/kept"
picture = "out/map.svg"
page = "out/map.html"
table = "out/map.csv"
verify = 2
[[map.vary]]
name = "noise"
method = 2
argument = "sd"
values = [0.1, 0.3]
"""
TABLES = """
[tables]
[[tables.rule]]
rule = "MinimumFrequency"
n = 3
[[tables.rule]]
rule = "PPercentRule"
p = 20
[[table]]
name = "income"
by = ["sex", "ill"]
value = "income"
published = ["out/t.csv", "out/t.sdmx.csv", "out/t.json", "out/t.parquet", "out/t.tsv"]
internal = "out/t-internal.csv"
page = "out/t.html"
internal_page = "out/t-internal.html"
"""
OF_ONE = '\n[[targets]]\nrows = [37]\n'
COMMANDS = {
    "init": (["init", "people.csv", "--out", "new.toml"], ""),
    "init of tables": (["init", "people.csv", "--out", "new.toml", "--tables"], ""),
    "assess": (["assess", "plan.toml"], DATA + RELEASES + INTRUDERS + HARMS + OUTPUTS),
    "assess one": (["assess", "plan.toml"], DATA + RELEASES + INTRUDERS + HARMS + OUTPUTS + OF_ONE),
    "calibrate": (
        ["calibrate", "plan.toml", "--times", "2", "--json", "out/c.json", "--picture", "out/c.svg", "--report", "out/c.html"],
        DATA + RELEASES + INTRUDERS + HARMS,
    ),
    "map": (["map", "plan.toml"], DATA + RELEASES + INTRUDERS + HARMS + MAP),
    "map of one": (["map", "plan.toml"], DATA + RELEASES + INTRUDERS + HARMS + MAP + OF_ONE),
    "choose": (["choose", "plan.toml", "--max-risk", "1e12"], DATA + RELEASES + INTRUDERS + HARMS + MAP),
    "choose within nothing": (["choose", "plan.toml", "--max-risk", "1"], DATA + RELEASES + INTRUDERS + HARMS + MAP),
    "table": (["table", "plan.toml"], DATA + TABLES),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    write_people(tmp_path / "people.csv")
    return tmp_path


def found_in(folder):
    """Say which files tell of the planted person and do not say that they may."""
    bad = {}
    for path in folder.rglob("*"):
        if not path.is_file() or path.name in {"people.csv", "plan.toml"} or path.parent.name == "released":
            continue
        text = text_of(path)
        tells = told(text)
        if path.name.startswith("t.") and path.parent.name == "out":
            # the codes of a published table are published, its values are what it protects
            tells = [t for t in tells if t not in {"ill"}]
        if tells and not is_marked(path, text):
            bad[str(path.relative_to(folder))] = tells
    return bad


def test_the_search_finds_what_is_planted(folder):
    text = (folder / "people.csv").read_text()
    assert set(told(text)) == {*TEXTS, *AMOUNTS}
    assert told("about 987,000,000 in all") == ["income"]
    assert told("987.65\N{NO-BREAK SPACE}\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}10⁶") == ["income"]
    assert told("12,345 of ZQXosis") == ["ill"]
    assert told("107,987654321.5,3") == told("987 654 321") == ["income"]
    assert told("1,000,000,000 and 900,000,000") == []
    assert numbers_in("[0.5, 1e-3]") == [0.5, 1e-3]


@pytest.mark.parametrize("name", COMMANDS)
def test_no_output_tells_of_the_planted_person(folder, capsys, name):
    arguments, plan = COMMANDS[name]
    (folder / "plan.toml").write_text(plan)
    code = main(arguments)
    printed = capsys.readouterr()
    assert code in (0, 3), printed.err
    assert told(printed.out + "\n" + printed.err) == []
    assert found_in(folder) == {}
    assert any(folder.rglob("out/*")) or name in {"init", "init of tables", "choose within nothing", "map of one", "choose"}


def test_files_of_single_records_are_marked_and_the_owners_own(folder):
    (folder / "plan.toml").write_text(COMMANDS["assess"][1])
    main(["assess", "plan.toml", "--quiet"])
    for name in ("per_record.csv", "per_released.csv"):
        path = folder / "out" / name
        assert path.read_text().startswith("confidential,release,intruder,")
        assert is_marked(path, path.read_text())
    assert "wealth" in " ".join(told((folder / "out" / "per_record.csv").read_text())), "the harm is the wealth itself"
