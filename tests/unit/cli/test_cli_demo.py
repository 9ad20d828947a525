"""The demo leaves files that the other commands can use."""

import sys

import numpy as np

import confide as cf
from confide.cli import demo as demo_module
from confide.cli.main import main
from confide.data import examples


def test_demo_leaves_all_files_and_runs_again(tmp_path, monkeypatch, capsys, report):
    monkeypatch.chdir(tmp_path)
    small = examples.cps().take(np.arange(0, 51_016, 50))
    monkeypatch.setattr(examples, "cps", lambda: small)
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert main(["demo", "--open", "yes"]) == 0
    first = capsys.readouterr().out
    assert sorted(p.name for p in (tmp_path / "confide-demo").iterdir()) == [
        "assessment.json",
        "cps.csv",
        "plan.toml",
        "report.html",
    ]
    risk, _, harm = first.partition("harm (a loss)")
    assert risk.count("tax known") == harm.count("tax known") == 6
    assert harm.count("income known within 10 %") == 12
    assert opened[0].startswith("file://")
    assert main(["assess", "confide-demo/plan.toml"]) == 0
    assert capsys.readouterr().out.strip() == first.partition("\nNext:")[0].strip()
    demo_module._check_folder(tmp_path / "confide-demo")
    (tmp_path / "confide-demo" / "plan.toml").write_text("seed = 1")
    assert main(["demo"]) == 2


def test_demo_without_the_extra_still_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    small = examples.cps().take(np.arange(0, 51_016, 50))
    monkeypatch.setattr(examples, "cps", lambda: small)
    monkeypatch.setitem(sys.modules, "confide.report.html", None)
    plans = []
    monkeypatch.setattr(demo_module, "run_plan", lambda plan, **_: plans.append(plan) or 0)
    assert main(["demo", "--out", "d"]) == 0
    captured = capsys.readouterr()
    assert plans[0].outputs.report is None
    assert "report.html" not in captured.out
    assert "pip install 'confide[report]'" in captured.err


def test_the_demo_file_is_the_example(tmp_path):
    """Reading the written example gives the embedded one."""
    from confide.cli.demo import demo_plan
    from confide.plan.load import load_plan

    source = examples.cps()
    cf.write(source, tmp_path / "cps.csv")
    (tmp_path / "plan.toml").write_text(demo_plan())
    again = load_plan(tmp_path / "plan.toml").microdata
    assert again.names == source.names
    for name in source.names:
        a, b = again.columns[name], source.columns[name]
        assert a.labels == b.labels
        assert np.array_equal(a.codes, b.codes)
        assert np.array_equal(a.numbers, b.numbers, equal_nan=True)
        for field in ("kind", "role", "labels"):
            assert getattr(again.variables[name], field) == getattr(source.variables[name], field)


def test_without_matplotlib_the_demo_runs_and_says_what_to_install(tmp_path, monkeypatch, capsys):
    from confide.cli import assess as assess_module

    monkeypatch.chdir(tmp_path)
    small = examples.cps().take(np.arange(0, 51_016, 200))
    monkeypatch.setattr(examples, "cps", lambda: small)
    monkeypatch.setattr(assess_module, "find_spec", lambda name: None)
    assert main(["demo"]) == 0
    assert "pip install 'confide[report]'" in capsys.readouterr().err
    assert not (tmp_path / "confide-demo" / "report.html").exists()
