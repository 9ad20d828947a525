"""A study with two releases: one that keeps to its limit and one that does not."""

import pytest

from confide.cli.main import main

PEOPLE = "sex,race,age,income\n" + "".join(
    f"{'mf'[i % 2]},{'wba'[i % 3]},{20 + i % 40},{7919 * (i + 1) % 90001}\n" for i in range(120)
)
PLAN = """
[data]
path = "people.csv"
[[release]]
name = "as it is"
[[release]]
name = "Coarse"
methods = [{ method = "Recode", variable = "age", width = 20 }, { method = "Swap", variable = "race", rate = 0.5 }]
[[intruder]]
name = "neighbour"
knows = ["sex", "race", "age"]
[output]
released = "."
unique = ["income"]
[limits]
max_expected_matches = 10
"""
RELEASE = '[[release]]\nname = "theirs"\nreleased = "masked.csv"\nsame_order = true\n[[intruder]]'
THEIRS = PLAN.replace("[[intruder]]", RELEASE).replace(
    'name = "neighbour"', 'name = "neighbour"\nunderstands_masking = false'
)
"""The same with a file of someone else."""


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.delenv("CONFIDE_SECRET", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


@pytest.fixture
def held(study):
    """The study after an assessment: exit code 3, since one release exceeds its limit, and both are held."""
    assert main(["assess", "plan.toml", "--quiet"]) == 3
    return study


@pytest.fixture
def refused(capsys):
    """Sign, and give the reasons against it; nothing moves."""

    def run(*more, release="coarse", by="Ada", plan="plan.toml", code=3):
        capsys.readouterr()
        assert main(["sign", plan, release, "--by", by, *more]) == code
        printed = capsys.readouterr()
        assert printed.out == ""
        return [x.removeprefix("confide: not signed: ") for x in printed.err.splitlines()]

    return run


def everything(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
