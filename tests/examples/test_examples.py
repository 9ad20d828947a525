"""Every example runs and prints what docs/outputs holds."""

from __future__ import annotations

import difflib
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from confide.cli.main import main
from outside import SHARED, needs

ROOT = Path(__file__).parents[2]
DATA = {"cps5000": "cps2000_drechsler5000", "acs2012": "acs2012_hu", "casc": "casc", "table_cases": "ssbtools"}
SLOW = {"reiter_2005", "partial_knowledge", "cps5000", "without_replacement", "casc", "table_cases"}
NAMES = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))


def run(name: str, shared: Path = SHARED) -> str:
    """Run an example in a process of its own; warnings are errors there, too."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]),
        "CONFIDE_SHARED": str(shared),
        "OPENBLAS_NUM_THREADS": "1",
    }
    command = [sys.executable, "-W", "error", str(ROOT / "examples" / f"{name}.py")]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def marked(name: str) -> object:
    """Mark the slow ones, and those that read files of others."""
    marks = [pytest.mark.slow] if name in SLOW else []
    return pytest.param(name, marks=[*marks, needs(DATA[name])] if name in DATA else marks)


@pytest.mark.parametrize("name", [marked(n) for n in NAMES])
def test_output_is_the_stored_one(name: str) -> None:
    stored = (ROOT / "docs" / "outputs" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    difference = list(difflib.unified_diff(stored, run(name).splitlines(), "docs/outputs", "now", lineterm=""))
    assert not difference, "\n".join(difference)


@pytest.mark.parametrize("name", sorted(DATA))
def test_without_the_data_it_says_so(name: str, tmp_path: Path) -> None:
    assert run(name, tmp_path).startswith("The ")


def test_every_example_has_an_output_and_every_output_an_example() -> None:
    assert sorted(path.stem for path in (ROOT / "docs" / "outputs").glob("*.txt")) == NAMES


def test_the_plan_of_the_docs_runs(tmp_path: Path) -> None:
    draw = random.Random(1)
    people, masked = ["name,sex,age,region,income,education,debt,weight"], ["sex,age,region,income,debt,weight,source_row"]
    for i in range(300):
        sex, age, region = draw.choice("fm"), draw.randint(18, 90), draw.choice(["north", "south", "islands"])
        income, debt = draw.choice([0, round(draw.lognormvariate(10, 0.6))]), round(draw.lognormvariate(9, 1))
        weight, education = draw.choice([80, 100, 120]), draw.choice(["none", "school", "college"])
        people.append(f"respondent {i},{sex},{age},{region},{income},{education},{debt},{weight}")
        masked.append(f"{sex},{age},{region},{income},{debt},{weight},{i}")
    (tmp_path / "people.csv").write_text("\n".join(people) + "\n", encoding="utf-8")
    (tmp_path / "masked.csv").write_text("\n".join(masked) + "\n", encoding="utf-8")
    plan = shutil.copy(ROOT / "docs" / "plan-example.toml", tmp_path / "plan.toml")
    assert main(["assess", str(plan), "--quiet"]) == 3
    written = {"report.html", "assessment.json", "table.csv", "per_record.csv", "study"}
    assert written <= {path.name for path in tmp_path.iterdir()}
