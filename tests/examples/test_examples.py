"""Every example runs and prints what docs/outputs holds."""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("CONFIDE_SHARED", ROOT.parent / "shared"))
DATA = {"cps5000": "cps2000_drechsler5000", "acs2012": "acs2012_hu"}
SLOW = {"reiter_2005", "partial_knowledge", "cps5000"}
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


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in NAMES])
def test_output_is_the_stored_one(name: str) -> None:
    if name in DATA and not (SHARED / "data" / DATA[name]).is_dir():
        pytest.skip(f"the data are not here: {SHARED / 'data' / DATA[name]}; set CONFIDE_SHARED")
    stored = (ROOT / "docs" / "outputs" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    difference = list(difflib.unified_diff(stored, run(name).splitlines(), "docs/outputs", "now", lineterm=""))
    assert not difference, "\n".join(difference)


@pytest.mark.parametrize("name", sorted(DATA))
def test_without_the_data_it_says_so(name: str, tmp_path: Path) -> None:
    assert run(name, tmp_path).startswith("The ")


def test_every_example_has_an_output_and_every_output_an_example() -> None:
    assert sorted(path.stem for path in (ROOT / "docs" / "outputs").glob("*.txt")) == NAMES
