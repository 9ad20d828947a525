"""Kills at random moments of whole runs, by several signals and on several kinds of disk."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from siege.ready import Waiting
from siege.test_every_line import kills
from siege.trials import COMMANDS, SOURCE, besieged

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are split by fork")


@pytest.mark.parametrize("command", COMMANDS)
def test_ten_kills_of_a_process_from_its_first_moment_on(tmp_path, command):
    assert besieged(command, tmp_path / "w", 10, seed=1) >= 5, "most of them came too late"


@pytest.mark.parametrize("command", COMMANDS)
def test_twenty_kills_while_it_works(tmp_path, command):
    with Waiting(tmp_path / "said", SOURCE) as waiting:
        assert besieged(command, tmp_path / "w", 20, seed=2, start=waiting.start) >= 10, "most of them came too late"


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT], ids=lambda s: s.name)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_that_is_told_to_end_says_so_and_leaves_all_or_nothing(tmp_path, command, by):
    with Waiting(tmp_path / "said", SOURCE) as waiting:
        assert besieged(command, tmp_path / "w", 6, seed=3, start=waiting.start, by=by) >= 1


@pytest.fixture(params=["tmpfs", "overlay", "as it is"])
def disk(tmp_path, request):
    """A folder on a disk of some kind."""
    at, lower = tmp_path / "disk", tmp_path / "under"
    parts = [lower / name for name in ("lower", "upper", "work")]
    for folder in (at, lower):
        folder.mkdir()
    if request.param == "as it is":
        yield at
        return
    if os.geteuid() != 0:
        pytest.skip(f"only root can make a {request.param}")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(lower)], capture_output=True, text=True, check=False)
    for folder in parts:
        folder.mkdir()
    options = f"lowerdir={parts[0]},upperdir={parts[1]},workdir={parts[2]}"
    overlay = ["mount", "-t", "overlay", "overlay", "-o", options, str(at)]
    tmpfs = ["mount", "--bind", str(parts[0]), str(at)]
    second = subprocess.run(overlay if request.param == "overlay" else tmpfs, capture_output=True, text=True, check=False)
    try:
        if mounted.returncode or second.returncode:
            pytest.skip(f"this system makes no {request.param}: {mounted.stderr}{second.stderr}")
        yield at
    finally:
        for folder in (at, lower):
            subprocess.run(["umount", str(folder)], capture_output=True, check=False)


@pytest.mark.parametrize("what", ["new", "replaced", "secret", "store", "damaged"])
def test_a_kill_at_every_line_on_every_kind_of_disk(disk: Path, what: str):
    assert kills(what, "unnamed", disk) > 50
