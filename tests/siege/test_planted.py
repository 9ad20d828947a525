"""A planted person goes through every command and every kind of output; nothing tells of them but what says it may."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.cli.main import main
from siege.planted import AMOUNTS, PLANTED, TEXTS, is_marked, numbers_in, text_of, told, write_people

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
published = ["t.csv", "t.sdmx.csv", "t.json", "t.parquet", "t.tsv"]
internal = "out/t-internal.csv"
page = "t.html"
internal_page = "out/t-internal.html"
"""
KEYS = """[tables.method]
method = "CellKeys"
D = 5
V = 2
"""
MAPPED = DATA + RELEASES + INTRUDERS + HARMS + MAP
OF_ONE = "\n[[targets]]\nrows = [37]\n"
COMMANDS = {
    "init": (["init", "people.csv", "--out", "new.toml"], ""),
    "init of tables": (["init", "people.csv", "--out", "new.toml", "--tables"], ""),
    "assess": (["assess", "plan.toml"], DATA + RELEASES + INTRUDERS + HARMS + OUTPUTS),
    "assess one": (["assess", "plan.toml"], DATA + RELEASES + INTRUDERS + HARMS + OUTPUTS + OF_ONE),
    "calibrate": (
        [
            "calibrate",
            "plan.toml",
            "--times",
            "2",
            "--json",
            "out/c.json",
            "--picture",
            "out/c.svg",
            "--report",
            "out/c.html",
        ],
        DATA + RELEASES + INTRUDERS + HARMS,
    ),
    "map": (["map", "plan.toml"], MAPPED),
    "map of one": (["map", "plan.toml"], MAPPED + OF_ONE),
    "choose": (["choose", "plan.toml", "--max-risk", "1e12"], MAPPED),
    "choose within nothing": (["choose", "plan.toml", "--max-risk", "1"], MAPPED),
    "choose a file": (["choose", "plan.toml", "--max-risk", "1e12", "--out", "released"], MAPPED),
    "search": (
        ["map", "plan.toml", "--evaluations", "3", "--picture", "out/m.png"],
        MAPPED.replace("values = [0.1, 0.3]", "between = [0.1, 0.3]"),
    ),
    "table": (["table", "plan.toml"], DATA + TABLES),
    "table of counts": (["table", "plan.toml"], DATA + TABLES.replace('value = "income"\n', "")),
    "table with keys": (
        ["table", "plan.toml"],
        DATA + TABLES.replace("[[table]]", KEYS + "[[table]]").replace('value = "income"\n', ""),
    ),
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
        masked = path.stem == path.parent.name and path.parent.parent.name in {"held", "signed"}
        if not path.is_file() or path.name in {"people.csv", "plan.toml"} or masked:
            continue
        text = text_of(path)
        tells = told(text)
        if path.name.startswith("t.") and path.parent.parent.name == "held":
            # the codes of a published table are published, its values are what it protects
            tells = [t for t in tells if t != "ill"]
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
    (folder / "released").mkdir()
    if name == "search":
        pytest.importorskip("optuna")
    code = main(arguments)
    printed = capsys.readouterr()
    assert code in (0, 3), printed.err
    assert told(printed.out + "\n" + printed.err) == []
    assert found_in(folder) == {}
    assert any(folder.rglob("out/*")) or any(folder.rglob("held/*")) or name in {
        "init",
        "init of tables",
        "choose within nothing",
        "map of one",
        "choose",
        "choose a file",
    }


def test_signing_tells_nothing(folder, capsys):
    (folder / "plan.toml").write_text(COMMANDS["assess"][1])
    main(["assess", "plan.toml", "--quiet"])
    names = [p.name for p in folder.rglob("held/*")]
    assert names
    capsys.readouterr()
    for name in names:
        assert main(["sign", "plan.toml", name, "--by", "Ada"]) == 3
    printed = capsys.readouterr()
    assert told(printed.out + printed.err) == []
    assert found_in(folder) == {}


def test_files_of_single_records_are_marked_and_the_owners_own(folder):
    (folder / "plan.toml").write_text(COMMANDS["assess"][1])
    main(["assess", "plan.toml", "--quiet"])
    for name in ("per_record.csv", "per_released.csv"):
        path = folder / "out" / name
        assert path.read_text().startswith("confidential,release,intruder,")
        assert is_marked(path, path.read_text())
    assert "wealth" in " ".join(told((folder / "out" / "per_record.csv").read_text())), "the harm is the wealth itself"


def test_an_audit_tells_amounts_only_where_it_is_marked(folder, capsys):
    share = '[[tables.rule]]\nrule = "PPercentRule"\np = 20\n'
    assert share in TABLES
    (folder / "plan.toml").write_text(DATA + TABLES.replace(share, ""))
    main(["table", "plan.toml", "--quiet"])
    rows = [line.split(",") for line in (folder / "out" / "t-internal.csv").read_text().splitlines()]
    # somebody left out the sensitive cells alone, so that they can be computed
    shown = [["sex", "ill", "income", "status"]]
    shown += [[r[1], r[2], "" if r[5] == "primary" else r[3], "c" if r[5] == "primary" else ""] for r in rows[1:]]
    assert rows[0][1:6] == ["sex", "ill", "income", "published", "status"]
    (folder / "theirs.csv").write_text("\n".join(",".join(r) for r in shown) + "\n")
    capsys.readouterr()
    assert main(["audit", "plan.toml", "--pattern", "theirs.csv", "--out", "out/exposed.csv"]) == 3
    printed = capsys.readouterr()
    # it names the cells of a table that is published, and no value
    assert set(told(printed.out + printed.err)) <= {"ill"}
    path = folder / "out" / "exposed.csv"
    assert "income" in told(path.read_text()), "the exposed cell is the planted amount"
    assert is_marked(path, path.read_text())
    cells = ["audit", "theirs.csv", "--by", "sex,ill", "--value", "income", "--status", "status"]
    main(cells)
    printed = capsys.readouterr()
    assert set(told(printed.out + printed.err)) <= {"ill"}


MISTAKES = {
    "a level of a confided variable": DATA + RELEASES + INTRUDERS + '[[targets]]\nwhere = { ill = "zqxosi" }\n',
    "a rare level of a key": DATA + RELEASES + INTRUDERS + '[[targets]]\nwhere = { region = "zqxvill" }\n',
    "a cost of no level": DATA
    + RELEASES
    + INTRUDERS
    + '[[harm]]\nattribute = "ill"\ncosts = { cost = "ByTrueValue", costs = { zqxosi = { tt = 1 } } }\n',
    "an assigned level": DATA
    + RELEASES
    + INTRUDERS
    + '[[harm]]\nattribute = "ill"\ncosts = { cost = "AssignedTo", level = "zqxosi" }\n',
    "an order that leaves a level out": DATA + '[data.order]\nill = ["no", "flu", "cold"]\n' + RELEASES + INTRUDERS,
    "a kind that does not fit": DATA.replace('income = "continuous"', 'income = "integer"') + RELEASES + INTRUDERS,
    "text as a number": DATA.replace('income = "continuous"', 'ill = "continuous"') + RELEASES + INTRUDERS,
    "a swap within a level": DATA + '[[release]]\nmethods = [{ method = "Swap", variable = "region", rate = 0.1, '
    'matrix = { levels = ["north"], rows = [[1.0]] } }]\n' + INTRUDERS,
    "a mapping that leaves a level out": DATA + '[[release]]\nmethods = [{ method = "Recode", variable = "region", '
    'mapping = { north = "n", south = "s", east = "e" } }]\n' + INTRUDERS,
    "levels that may be": DATA
    + RELEASES
    + '[[intruder]]\nknows = ["sex", { variable = "region", one_of = ["north", "zqxvill"] }]\n',
    "a belief of a level": DATA
    + RELEASES.replace('variable = "debt", at = 8000', 'variable = "debt", at = 8000')
    + '[[intruder]]\nknows = ["sex"]\nunavailable = { region = { zqxvill = 0.5, north = 0.5 } }\n',
    "a limit of a harm": DATA + RELEASES + INTRUDERS + HARMS + '[limits]\nmax_harm = { "wealth lost" = 10 }\n',
    "a table of digits": DATA
    + TABLES.replace('value = "income"\n', "hierarchies = { region = { digits = [1, 2] } }\n").replace(
        '["sex", "ill"]', '["sex", "region"]'
    ),
    "a missing file": DATA.replace("people.csv", "peple.csv") + RELEASES + INTRUDERS,
}


@pytest.mark.parametrize("name", MISTAKES)
def test_no_message_names_a_rare_or_confided_level(folder, capsys, name):
    """A diagnosis that one person has was named to whoever mistyped it."""
    text = MISTAKES[name]
    (folder / "plan.toml").write_text(text)
    code = main(["table" if "[tables]" in text else "assess", "plan.toml"])
    printed = capsys.readouterr()
    assert code in (2, 3), printed.out
    # what the plan says itself is no news
    assert told(printed.out + printed.err) == []
    assert "internal error" not in printed.err
    assert found_in(folder) == {}


def test_what_prints_in_a_notebook_tells_nothing(folder):
    data = cf.read("people.csv", text=["pid", "note"]).declare(
        key=["sex", "region", "age"],
        sensitive=["ill", *AMOUNTS],
        identifier=["pid"],
        kinds=dict.fromkeys(AMOUNTS, "continuous"),
    )
    release = cf.Release(cf.Recode("age", width=5), cf.Noise("income", sd=0.2, relative_to="all"), name="masked")
    released = release.apply(data, seed=1)
    near = cf.Intruder(knows=["sex", "region", "age"])
    harms = [cf.Harm("income", cf.AmountCosts(cf.AbsoluteError()), acts=0.0)]
    for targets in (None, cf.Targets.of_rows([PLANTED])):
        found = cf.assess(released, near, targets, harms=harms)
        harmed = found.row(0).harm("income")
        shown = [data, release, released, near, found, harmed, harmed.bearers, harmed.told]
        shown += [found.over_intruders({near.title: 1.0}), found.to_frame().to_dicts(), found.row(0).by("region").to_dicts()]
        shown += [cf.compare(released, [cf.MeansKept("income"), cf.TotalsKept("debt")])]
        assert told(" ".join(map(repr, shown))) == []
        member = np.zeros(harmed.n, dtype=np.int64)
        assert told(repr(cf.HarmByGroup.of(harmed.per_target, member, ["all"]))) == []
