"""The benchmark's table: every row in a cell of its own, kept on the way, measured again in doubt, written whole."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pytest

import confide as cf
from calibration.combinations import combinations
from calibration.detectable import detectable
from calibration.harness import Row

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))
import calibration_rows as rows_of


@pytest.fixture
def benchmark():
    """The benchmark, whose module is called like the package of this proof."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("calibration_benchmark", ROOT / "benchmarks" / "calibration.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def asked(tmp_path, **other):
    how = {"keep": str(tmp_path / "rows.jsonl"), "size": 30, "times": 2, "seed": 1, "part": "1/400", "only": ""}
    return argparse.Namespace(**(how | {"processes": 1} | other))


def test_no_row_hides_behind_another(benchmark):
    """Rows of blanks and of areas not known were written over others: 1,325 combinations had 1,169 cells."""
    every = combinations()
    cells = sum(len(places) for places in benchmark.lines(every).values())
    assert cells == len(every)
    words = [known for _, known in benchmark.lines(every)]
    assert sum("blanks" in w for w in words) > 50
    assert sum("area not known" in w for w in words) >= 6


def test_two_rows_in_one_cell_end_the_table(benchmark):
    first = combinations()[0]
    with pytest.raises(SystemExit, match="two combinations have one cell"):
        benchmark.lines([first, first])


def test_every_cell_is_printed(benchmark, tmp_path, capsys):
    benchmark.print_table(asked(tmp_path, part="1/150"))
    printed = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    full = sum(bool(c.strip()) for line in printed[1:] for c in line[2:6])
    assert full == len(combinations()[::150])


def test_a_run_that_was_ended_goes_on(tmp_path, monkeypatch):
    args = asked(tmp_path)
    whole = rows_of.measured(args)
    file = Path(args.keep)
    lines = file.read_text().splitlines()
    assert len(lines) == len(whole) == len(combinations()[::400])
    file.write_text("\n".join(lines[:2]) + "\n" + lines[2][:40])
    made = []
    monkeypatch.setattr(rows_of, "one_row", lambda a, real=rows_of.one_row: made.append(a[0]) or real(a))
    again = rows_of.measured(args)
    assert made == [*whole][2:]
    assert {t: r["z"] for t, r in again.items()} == {t: r["z"] for t, r in whole.items()}


@pytest.mark.parametrize("other", [{"times": 3}, {"size": 31}, {"seed": 2}])
def test_rows_of_other_sizes_or_seeds_are_not_taken(tmp_path, other):
    rows_of.keep(asked(tmp_path), {"title": "a row"})
    assert [*rows_of.kept(asked(tmp_path))] == ["a row"]
    assert rows_of.kept(asked(tmp_path, **other)) == {}


def test_rows_of_other_code_are_not_taken(tmp_path, monkeypatch):
    """The table of the docs held reasons that the code no longer had."""
    rows_of.keep(asked(tmp_path), {"title": "a row"})
    monkeypatch.setattr(rows_of, "version", lambda: "other")
    assert rows_of.kept(asked(tmp_path)) == {}


@pytest.mark.slow
def test_several_processes_find_the_same(tmp_path):
    one = rows_of.measured(asked(tmp_path, part="1/700"))
    two = rows_of.measured(asked(tmp_path, part="1/700", keep=None, processes=2))
    assert [(t, r["z"], r["tests"]) for t, r in one.items()] == [(t, r["z"], r["tests"]) for t, r in two.items()]


def off(z, times=100):
    """A row whose only bin is off by about so many standard errors."""
    rng = np.random.default_rng(1)
    true = rng.poisson(50, (times, 1)).astype(float)
    true += 50 + z * np.sqrt(50 / times) - true.mean()
    return cf.Reliability(("p 0.4 to 0.6",), np.full((times, 1), 500.0), np.full((times, 1), 50.0), true)


def test_a_deviate_beyond_three_is_measured_again_with_ten_times_the_replicates(monkeypatch):
    """Errors of some rows were hidden in 100 replicates, and seen in 500."""
    title, called = combinations()[0].title, []

    def measure(c, *, size, times, seed):
        called.append((times, seed))
        return Row(c, off(4.0 if len(called) == 1 else 9.0, times))

    monkeypatch.setattr(rows_of, "measure", measure)
    found = rows_of.one_row((title, 100, 100, 1))
    assert called == [(100, 1), (1000, 2)]
    assert found["again"]
    assert found["z"] > 7


def test_a_small_deviate_is_not_measured_again(monkeypatch):
    monkeypatch.setattr(rows_of, "measure", lambda c, *, size, times, seed: Row(c, off(2.0, times)))
    assert not rows_of.one_row((combinations()[0].title, 100, 100, 1))["again"]


def test_an_error_that_a_row_is_said_to_show_is_found_nine_times_in_ten():
    times, stated, count = 100, np.array([0.5, 3.0, 40.0]), np.full((100, 3), 400.0)
    given = np.tile(stated, (times, 1))
    rng = np.random.default_rng(4)
    right = cf.Reliability(("a", "b", "c"), count, given, rng.poisson(stated, (times, 3)).astype(float))
    ratio = detectable(right, 3.0)
    assert np.all((ratio > 1) & (ratio < 2))
    found = np.zeros(3)
    for _ in range(400):
        found += cf.Reliability(right.names, count, given, rng.poisson(stated * ratio, (times, 3)).astype(float)).z > 3
    assert np.all(found / 400 > 0.84)
    assert np.all(found / 400 < 0.98)


def test_what_no_count_can_show_is_not_said_to_be_found():
    sure = cf.Reliability(("a",), np.full((100, 1), 3.0), np.full((100, 1), 2.9), np.full((100, 1), 3.0))
    assert np.isinf(detectable(sure, 3.0)).all()


def test_the_docs_are_written_between_two_lines_and_whole(benchmark, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{benchmark.BEGIN}\nold words\n{benchmark.END}\n\nafter\n")
    wanted = ["a", "b"]
    benchmark.print_rule = lambda args: print("the rule") or 0
    benchmark.print_table = lambda args: print("the table") or len(wanted)
    assert benchmark.write_docs(asked(tmp_path, part="1/1", docs=str(page))) == 2
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old words" not in text
    for words in ("the rule", "the table", "Each reason says how far off"):
        assert words in text


def test_part_of_a_table_is_not_written_to_the_docs(benchmark, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"{benchmark.BEGIN}\n{benchmark.END}\n")
    with pytest.raises(SystemExit, match="leave out --part"):
        benchmark.write_docs(asked(tmp_path, docs=str(page)))
    page.write_text("no lines")
    with pytest.raises(SystemExit, match="must hold the line"):
        benchmark.write_docs(asked(tmp_path, docs=str(page), part="1/1"))


def test_the_docs_hold_the_lines_between_which_the_table_is_written(benchmark):
    text = (ROOT / "docs" / "calibration.md").read_text(encoding="utf-8")
    assert text.count(benchmark.BEGIN) == text.count(benchmark.END) == 1


def test_dependence_is_among_what_is_asked():
    """All variables were independent given the area: no row could see what is left out of dependence."""
    rows = [c for c in combinations() if c.exactly]
    ways = {c.kind.__name__ for c in rows}
    assert {"OneOf", "Between", "Within", "Bracket", "Roughly", "Distributed", "Regression"} <= ways
    kinds = {c.kind for c in combinations() if c.blanks is not None}
    assert {cf.Exactly, cf.OneOf, cf.Within, cf.Between, cf.Bracket, cf.Distributed, cf.Roughly} <= kinds
