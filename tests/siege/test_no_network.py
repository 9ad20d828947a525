"""Nothing opens a socket: all commands run where there is no network, and under a guard that refuses every socket."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from siege.trials import SOURCE, lay_out

pytest.importorskip("matplotlib")
pytest.importorskip("optuna")
GUARD = """
import os, sys
asked = []
def guard(event, arguments):
    if event.startswith("socket.") and event != "socket.gethostname":  # which asks nobody but this machine
        asked.append(event)
        raise RuntimeError(event)
sys.addaudithook(guard)
"""
COMMANDS = [
    ["init", "people.csv", "--out", "new.toml"],
    ["assess", "new.toml"],
    ["assess", "plan.toml"],
    ["calibrate", "plan.toml", "--times", "2", "--picture", "reliability.svg", "--json", "calibration.json"],
    ["map", "plan.toml"],
    ["map", "plan.toml", "--evaluations", "12"],
    ["choose", "plan.toml", "--max-risk", "0.9", "--out", "study"],
    ["table", "tables.toml"],
    ["audit", "tables.toml", "--pattern", "held/turnover/t.csv"],
    ["demo", "--out", "d"],
]
ALL = f"""
import numpy as np
from confide.cli.main import main
from confide.data import examples
small = examples.cps().take(np.arange(0, 51_016, 50))
examples.cps = lambda: small
failed = [c for c in {COMMANDS!r} if main([*c, *(["--quiet"] if c[0] not in ("init", "demo") else [])]) != 0]
devices, open_now = [], []
if os.path.isdir("/proc/self/fd"):
    devices = [line.split(":")[0].strip() for line in open("/proc/self/net/dev") if ":" in line]
    links = [f"/proc/self/fd/{{n}}" for n in os.listdir("/proc/self/fd")]
    open_now = [n for n in links if os.path.islink(n) and os.readlink(n).startswith("socket:")]
print("failed", failed, "asked", asked, "open", open_now)
print("devices", devices)
"""


def alone() -> list[str] | None:
    """Give the start of a command that runs it in an empty network, where this system lets us."""
    for command in (["unshare", "-n"], ["unshare", "-r", "-n"]):
        if shutil.which("unshare") and subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    return None


def ran(folder: Path, script: str, before: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*before, sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=500, check=False,
        env=os.environ | {"PYTHONPATH": SOURCE, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip


@pytest.mark.slow
def test_every_command_runs_without_a_network_and_asks_for_no_socket(tmp_path):
    lay_out(tmp_path / "w")
    network = alone()
    done = ran(tmp_path / "w", GUARD + ALL, network or [])
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()[-2:]
    assert first == "failed [] asked [] open []", done.stderr
    if network is not None:
        assert second == "devices ['lo']"
    assert (tmp_path / "w" / "d" / "report.html").stat().st_size > 10_000


def test_the_empty_network_is_empty(tmp_path):
    network = alone()
    if network is None:
        pytest.skip("this system lets us make no empty network (unshare -n): the guard alone looked for sockets")
    script = "import socket; socket.create_connection(('127.0.0.1', 9), 2)"
    assert "Network is unreachable" in ran(tmp_path, script, network).stderr


@pytest.mark.parametrize("line", ["import socket; socket.socket()", "import socket; socket.getaddrinfo('localhost', 80)"])
def test_the_guard_sees_sockets(tmp_path, line):
    assert "RuntimeError: socket." in ran(tmp_path, GUARD + line, []).stderr
