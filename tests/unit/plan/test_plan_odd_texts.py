"""Plans that nobody would write: they are refused in words, at once, and take no memory."""

import pytest

from confide.cli.main import main
from confide.errors import PlanError
from confide.plan.holding import free_stems, stem_of
from confide.plan.load import parse_plan
from unit.plan.plans import DATA, INTRUDER

DEEP = {
    "lists": f"x = {'[' * 100_000}1{']' * 100_000}",
    "tables": f"x = {'{a=' * 5_000}1{'}' * 5_000}",
    "keys": f"{'a.' * 100_000}a = 1",
    "quoted keys": f"""{'"a" . ' * 50_000}a = 1""",
    "headings": f"[{'.'.join(['a'] * 100_000)}]",
}


@pytest.mark.parametrize("name", DEEP)
def test_a_plan_nested_without_end_is_refused(name):
    with pytest.raises(PlanError, match="is nested more deeply than any plan"):
        parse_plan(DEEP[name])


def test_ordinary_dots_are_no_nesting():
    numbers = ", ".join(["1.5"] * 200)
    text = DATA + INTRUDER + f'[[release]]\nmethods = [{{ method = "Recode", variable = "age", breaks = [{numbers}] }}]\n'
    assert len(parse_plan(text).release[0].methods[0].breaks) == 200


def test_a_number_of_thousands_of_digits_is_refused():
    with pytest.raises(PlanError, match="holds a whole number of thousands of digits"):
        parse_plan(f"seed = {'9' * 5_000}")


def test_init_replaces_no_file_that_is_nested_without_end(tmp_path, capsys):
    (tmp_path / "people.csv").write_text("sex,age\nf,3\nm,4\n")
    (tmp_path / "plan.toml").write_text(DEEP["lists"])
    out = str(tmp_path / "plan.toml")
    assert main(["init", str(tmp_path / "people.csv"), "--out", out, "--overwrite"]) == 2
    assert "holds no plan of confide, and is not replaced" in capsys.readouterr().err


@pytest.mark.parametrize("path", ["x" * 300 + ".csv", "a/" * 2_000 + "b.csv", "é" * 130])
def test_names_that_no_system_takes_are_refused(path):
    with pytest.raises(PlanError, match=r"data: path must be the path .* found a name longer than 255 bytes"):
        parse_plan(f'[data]\npath = "{path}"\n')


def test_a_long_name_of_a_release_gives_a_file_that_can_be_written(tmp_path):
    stems = free_stems(stem_of(name, 1, "release") for name in ("x" * 5_000, "x" * 5_001))
    assert [len(s) for s in stems] == [100, 102]
    for stem in stems:
        (tmp_path / f"{stem}.csv").write_text("")


@pytest.mark.parametrize("option", ["--report", "--json"])
def test_an_output_with_a_name_too_long_is_refused(tmp_path, option, capsys):
    (tmp_path / "people.csv").write_text("sex,age\nf,3\nm,4\nf,5\n")
    (tmp_path / "plan.toml").write_text(
        'seed = 1\n[data]\npath = "people.csv"\n[[release]]\n[[intruder]]\nknows = ["sex"]\n'
    )
    ending = ".html" if option == "--report" else ".json"
    assert main(["assess", str(tmp_path / "plan.toml"), option, str(tmp_path / ("x" * 300 + ending))]) == 2
    assert "longer than 255 bytes" in capsys.readouterr().err


def test_contributions_are_kept_up_to_a_number_that_fits():
    with pytest.raises(PlanError, match="must be at most 10000"):
        parse_plan(f'{DATA}[[table]]\nname = "t"\nby = ["sex"]\nlargest = {2**53}\n')


def test_targets_with_a_text_where_there_are_numbers_are_refused(load):
    text = DATA + INTRUDER + '[[release]]\n[[targets]]\nwhere = { income = "x" }\n'
    with pytest.raises(PlanError, match="variable 'income' holds numbers; found the text 'x'"):
        load(text)
