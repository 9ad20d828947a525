"""`confide table` and `confide audit`."""

import stat

import polars as pl
import pytest

import confide as cf
from confide.cli.main import main
from unit.tables.firms import firms

PLAN = """
[data]
path = "firms.csv"
[[tables.rule]]
rule = "MinimumFrequency"
n = 3
[[tables.rule]]
rule = "PPercentRule"
p = 10
[[table]]
name = "turnover"
by = ["area", "trade"]
value = "turnover"
published = ["t.csv", "t.sdmx.csv", "t.json", "t.parquet"]
internal = "t-internal.csv"
page = "t.html"
internal_page = "t-internal.html"
[table.hierarchies]
area = { digits = [1, 1] }
"""
HELD = "held/turnover/"
INSIDE = ["t-internal.csv", "t-internal.html"]
FILES = [*(HELD + n for n in ("t.csv", "t.sdmx.csv", "t.json", "t.parquet", "t.html", "manifest.json")), *INSIDE]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cf.write(firms(120), tmp_path / "firms.csv")
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def test_tables_are_protected_and_written(folder, capsys):
    assert main(["table", "plan.toml"]) == 0
    printed = capsys.readouterr()
    assert "turnover: turnover by area, trade" in printed.out
    assert "audit: all protected (everybody)" in printed.out
    assert "wrote" in printed.err
    for name in FILES:
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    first = {name: (folder / name).read_bytes() for name in FILES}
    assert main(["table", "plan.toml", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert {name: (folder / name).read_bytes() for name in FILES} == first


def test_files_go_into_a_folder(folder):
    assert main(["table", "plan.toml", "--out", "new", "--quiet"]) == 0
    found = [str(p.relative_to(folder / "new")) for p in (folder / "new").rglob("*") if p.is_file()]
    assert sorted(found) == sorted([*FILES, "study.key"])
    assert not (folder / "held").exists()


def test_linked_tables_are_protected_together(folder, capsys):
    more = '[[table]]\nname = "trades"\nby = ["trade"]\nvalue = "turnover"\npublished = "u.csv"\n'
    (folder / "plan.toml").write_text(PLAN + more)
    assert main(["table", "plan.toml"]) == 0
    assert "protected together with 1 other(s)" in capsys.readouterr().out
    first, second = (pl.read_csv(folder / n, infer_schema_length=None) for n in (HELD + "t.csv", "held/trades/u.csv"))
    shared = first.filter(pl.col("area") == "Total")
    assert shared["turnover"].to_list() == second["turnover"].to_list()


def test_sensitive_cells_left_alone_are_exposed(folder, capsys):
    (folder / "plan.toml").write_text(PLAN + '[tables.method]\nmethod = "PrimaryOnly"\n')
    assert main(["table", "plan.toml"]) == 3
    printed = capsys.readouterr()
    assert "limit exceeded: 'turnover' leaves" in printed.err
    assert "exposed" in printed.out


def test_a_table_that_cannot_be_protected(folder, capsys):
    frozen = "".join(f"{a};{t};p\n" for a in ("", "N", "S", "N1", "N2", "S1", "S2") for t in ("", *"abcdef"))
    done = cf.protect_table(
        cf.tabulate(firms(120), ["area", "trade"], "turnover", hierarchies={"area": cf.Digits(1, 1)}),
        cf.MinimumFrequency(3) | cf.PPercentRule(10),
    )
    codes = done.internal().filter(pl.col("status") == "primary").select("area", "trade").rows()
    keep = {f"{'' if a == 'Total' else a};{'' if t == 'Total' else t};p" for a, t in codes}
    lines = [line for line in frozen.splitlines() if line not in keep]
    (folder / "a.hst").write_text("\n".join(lines) + "\n")
    text = PLAN.replace('page = "t.html"', 'page = "t.html"\na_priori = "a.hst"', 1)
    (folder / "plan.toml").write_text(text)
    assert main(["table", "plan.toml"]) == 3
    assert "not protected: 'turnover':" in capsys.readouterr().err
    assert not (folder / HELD / "t.csv").exists()


def test_mistakes_of_a_plan(folder, capsys):
    (folder / "plan.toml").write_text(PLAN.replace('"trade"', '"trad"'))
    assert main(["table", "plan.toml"]) == 2
    assert "did you mean 'trade'?" in capsys.readouterr().err
    assert main(["table", "no.toml"]) == 2
    assert main(["assess", "plan.toml"]) == 2
    assert "confide table" in capsys.readouterr().err


def test_a_time_limit_is_kept(folder):
    assert main(["table", "plan.toml", "--time-limit", "30", "--quiet"]) == 0
    assert main(["table", "plan.toml", "--time-limit", "-1"]) == 2


def test_our_own_pattern_passes_the_audit(folder, capsys):
    main(["table", "plan.toml", "--quiet"])
    for name in (HELD + "t.csv", HELD + "t.sdmx.csv", HELD + "t.parquet", "t-internal.csv"):
        assert main(["audit", "plan.toml", "--pattern", name]) == 0
    assert "all protected" in capsys.readouterr().out


def test_the_pattern_of_another_program_is_audited(folder, capsys):
    main(["table", "plan.toml", "--quiet"])
    frame = pl.read_csv(folder / "t-internal.csv", infer_schema_length=None)
    theirs = frame.select("area", "trade", pl.col("status").replace_strict({"primary": "u"}, default="s").alias("sdcStatus"))
    theirs.write_csv(folder / "theirs.csv")
    assert main(["audit", "plan.toml", "--pattern", "theirs.csv", "--out", "exposed.csv"]) == 3
    printed = capsys.readouterr()
    assert "limit exceeded:" in printed.err
    assert "is computed by external" in printed.out
    assert stat.S_IMODE((folder / "exposed.csv").stat().st_mode) == 0o600
    found = pl.read_csv(folder / "exposed.csv")
    assert {"area", "trade", "turnover", "attacker", "low", "high"} <= set(found.columns)
    assert found.height == found.filter(pl.col("low") <= pl.col("turnover") + 1e-6).height > 0


def test_cells_of_a_file_are_audited(folder, capsys):
    rows = ["a,b,v,s"]
    values = {("x", "p"): 3, ("x", "q"): 5, ("y", "p"): 6, ("y", "q"): 6}
    sums = {(a, b): sum(v for k, v in values.items() if a in ("Total", k[0]) and b in ("Total", k[1]))
            for a in ("Total", "x", "y") for b in ("Total", "p", "q")}  # fmt: skip
    hidden = {("x", "p"): "u", ("x", "q"): "x", ("y", "p"): "x", ("y", "q"): "x"}
    rows += [f"{a},{b},{v},{hidden.get((a, b), 's')}" for (a, b), v in sums.items()]
    (folder / "cells.csv").write_text("\n".join(rows) + "\n")
    plain = ["audit", "cells.csv", "--by", "a,b", "--value", "v", "--status", "s"]
    assert main(plain) == 0
    assert "1 sensitive, 3 more left out" in capsys.readouterr().out
    assert main([*plain, "--share", "2.5"]) == 3
    assert "is known too closely by external" in capsys.readouterr().out
    (folder / "cells.csv").write_text("\n".join(rows).replace("y,q,6,x", "y,q,6,s").replace("x,p,3,u", "x,p,3,x") + "\n")
    assert main([*plain, "--quiet"]) == 3
    assert main(plain) == 3
    assert "count as sensitive" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["plan.toml"], "give the published file"),
        (["plan.toml", "--pattern", "no.csv"], "there is no file"),
        (["plan.toml", "--pattern", "firms.csv"], "stand more than once"),
        (["plan.toml", "--pattern", "firms.csv", "--by", "a"], "--by is for a file of cells"),
        (["plan.toml", "--pattern", "firms.csv", "--table", "turnovr"], "did you mean 'turnover'?"),
        (["cells.csv"], "needs --by and --value"),
        (["cells.csv", "--by", "a", "--value", "v", "--pattern", "x"], "are for a plan"),
        (["no.csv", "--by", "a", "--value", "v"], "no.csv"),
        (["cells.csv", "--by", "a", "--value", "w"], "there is no variable 'w'"),
        (["cells.csv", "--by", "a", "--value", "v", "--hierarchy", "b=x"], "--hierarchy is DIMENSION=FILE"),
        (["cells.csv", "--by", "a", "--value", "v", "--status", "z"], "there is no column 'z'"),
        (["cells.csv", "--by", "a", "--value", "v", "--status", "s", "--out", "x.html"], "--out: must end in .csv"),
        (["cells.csv", "--by", "a", "--value", "v", "--status", "s", "--out", "no/x.csv"], "--out: the folder"),
    ],
)
def test_mistakes_of_an_audit(folder, capsys, arguments, message):
    (folder / "cells.csv").write_text("a,v,s\nTotal,9,s\nx,4,u\ny,5,x\n")
    assert main(["audit", *arguments]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert "Traceback" not in printed


def test_one_of_several_tables_must_be_named(folder, capsys):
    more = '[[table]]\nname = "trades"\nby = ["trade"]\nvalue = "turnover"\npublished = "u.csv"\n'
    (folder / "plan.toml").write_text(PLAN + more)
    main(["table", "plan.toml", "--quiet"])
    assert main(["audit", "plan.toml", "--pattern", "held/trades/u.csv"]) == 2
    assert "name one of the tables: turnover, trades" in capsys.readouterr().err
    assert main(["audit", "plan.toml", "--pattern", "held/trades/u.csv", "--table", "trades"]) == 0


def test_an_interrupted_search_gives_what_it_has(folder, capsys, monkeypatch):
    from confide.tables.protect import methods

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(methods, "prune", interrupted)
    assert main(["table", "plan.toml"]) == 0
    assert "the search was stopped" in capsys.readouterr().out
    assert (folder / HELD / "t.csv").exists()


def test_linked_patterns_are_audited_as_one(folder, capsys):
    more = '[[table]]\nname = "trades"\nby = ["trade"]\nvalue = "turnover"\npublished = "u.csv"\n'
    (folder / "plan.toml").write_text(PLAN + more)
    main(["table", "plan.toml", "--quiet"])
    other = ["--table", "trades", "--pattern", "held/trades/u.csv"]
    both = ["audit", "plan.toml", "--table", "turnover", "--pattern", HELD + "t.csv", *other]
    assert main([*both, "--out", "none.csv"]) == 0
    assert pl.read_csv(folder / "none.csv").height == 0
    assert main(both[:-2]) == 2
    assert main(["audit", "plan.toml", "--pattern", HELD + "t.csv", "--pattern", "held/trades/u.csv"]) == 2
    assert "give --table NAME for each --pattern" in capsys.readouterr().err
    frame = pl.read_csv(folder / HELD / "t.csv", infer_schema=False)
    hidden = frame.with_columns(
        pl.when(pl.col("area") == "Total").then(None).otherwise("turnover").alias("turnover"),
        pl.when(pl.col("area") == "Total").then(pl.lit("c")).otherwise("flag").alias("flag"),
    )
    hidden.write_csv(folder / HELD / "t.csv")
    capsys.readouterr()
    assert main(both) == 0  # what one table hides and the other shows is known, and that was so before


def test_changed_values_are_written_and_judged(folder, capsys):
    for method, code, words in (
        ("ControlledRounding'\nbase = 2000", 0, "controlled rounding to multiples of 2000"),
        ("ControlledRounding'\nbase = 5", 3, "exposed"),
        ("ControlledRounding'\nbase = 5\njudge = false", 0, "audit: not judged"),
        ("TabularAdjustment'", 0, "adjusted (by"),
    ):
        (folder / "plan.toml").write_text(PLAN + f"[table.method]\nmethod = '{method}\n")
        assert main(["table", "plan.toml"]) == code
        printed = capsys.readouterr().out
        assert words in printed
        assert "left out" not in printed
        assert pl.read_csv(folder / HELD / "t.csv")["turnover"].null_count() == 0


def test_the_seed_gives_the_noise(folder, capsys):
    (folder / "plan.toml").write_text(PLAN + "[table.method]\nmethod = 'CellKeys'\nshare = 0.3\nspread = 0.6\n")
    tables = []
    for seed in ("1", "2", "1"):
        main(["table", "plan.toml", "--seed", seed, "--quiet"])
        tables.append((folder / HELD / "t.csv").read_bytes())
    assert tables[0] == tables[2] != tables[1]


def test_tables_that_were_not_judged_are_no_success(folder, capsys, monkeypatch):
    monkeypatch.setattr("confide.tables.changing.JUDGED", 5)
    (folder / "plan.toml").write_text(PLAN + "[table.method]\nmethod = 'ControlledRounding'\nbase = 2000\n")
    assert main(["table", "plan.toml"]) == 3
    assert "not judged" in capsys.readouterr().err
