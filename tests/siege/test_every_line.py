"""What writes files is killed at every single line: whole or not at all, and nothing stays once the next run began."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KILLER = Path(__file__).with_name("every_line.py")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are split by fork")


def kills(what: str, system: str, folder: Path) -> int:
    source = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        [sys.executable, str(KILLER), what, system, str(folder / "w")],
        env=os.environ | {"PYTHONPATH": source}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.parametrize("system", ["unnamed", "named", "no links"])
@pytest.mark.parametrize("what", ["new", "replaced"])
def test_a_file_that_is_written_survives_a_kill_at_every_line(tmp_path, what, system):
    assert kills(what, system, tmp_path) > 50


@pytest.mark.parametrize("system", ["unnamed", "no links"])
def test_a_secret_was_left_half_written_by_a_kill_and_never_used_again(tmp_path, system):
    assert kills("secret", system, tmp_path) > 50


@pytest.mark.parametrize("what", ["store", "damaged"])
def test_a_store_survives_a_kill_at_every_line(tmp_path, what):
    assert kills(what, "unnamed", tmp_path) > 50
