"""The command line as a process: start-up, exit codes, interruption."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import confide

ENTRY = "from confide.cli.main import run; run()"
HEAVY = ("numpy", "polars", "numba", "scipy", "rich", "confide.api", "confide.plan", "confide.data")


def process(*arguments, cwd=None):
    source = str(Path(confide.__file__).parents[1])
    path = os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", ENTRY, *arguments],
        cwd=cwd, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_answers_in_half_a_second(argument):
    times = []
    for _ in range(3):
        start = time.perf_counter()
        assert process(argument).returncode == 0
        times.append(time.perf_counter() - start)
    assert min(times) < 0.5


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["assess", "--help"], ["asess"]])
def test_help_imports_nothing_heavy(arguments):
    # The command line library itself reads arguments of commands with pydantic in some versions.
    heavy = (*HEAVY, "pydantic") if arguments[0].startswith("--") else HEAVY
    shown = f"print([m for m in {heavy!r} if m in sys.modules])"
    code = f"import sys; from confide.cli.main import main; main({arguments!r}); {shown}"
    source = str(Path(confide.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": source}, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_init_and_assess_as_processes(tmp_path):
    (tmp_path / "people.csv").write_text("sex,age\n" + "".join(f"{'mf'[i % 2]},{20 + i}\n" for i in range(40)))
    first = process("init", "people.csv", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    plan = tmp_path / "plan.toml"
    plan.write_text(plan.read_text() + "\n[limits]\nmax_probability = 0\n")
    done = process("assess", "plan.toml", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert done.stdout.startswith("release")
    secret = tmp_path / "plan.secret"
    assert secret.stat().st_mode & 0o777 == 0o600
    kept = secret.read_bytes()
    assert kept.split()[-1].decode() not in done.stdout + done.stderr
    assert process("assess", "plan.toml", cwd=tmp_path).stdout == done.stdout
    assert secret.read_bytes() == kept
    plan.write_text('seed = "7"\n' + plan.read_text())
    wrong = process("assess", "plan.toml", cwd=tmp_path)
    assert wrong.returncode == 2
    assert wrong.stderr == "confide: seed must be a whole number, found '7'\n"


@pytest.mark.skipif(os.name == "nt", reason="signals differ on Windows")
def test_control_c_exits_with_130_and_leaves_nothing_half_written(tmp_path):
    source = str(Path(confide.__file__).parents[1])
    running = subprocess.Popen(
        [sys.executable, "-c", ENTRY, "demo", "--out", "d"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": source}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while not (tmp_path / "d" / "plan.toml").exists() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(1.0)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "confide: interrupted" in err
    assert "Traceback" not in err
    assert sorted(p.name for p in (tmp_path / "d").iterdir()) == ["cps.csv", "plan.toml"]
