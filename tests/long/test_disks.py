"""A disk that is full, or cannot be written: words and exit code 2, nothing half-written, and the store kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import confide as cf
from siege.trials import COMMANDS, SECRET, SOURCE, lay_out

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="disks are made as on Linux")
pytest.importorskip("matplotlib")
RUN = """
import resource, sys
limit = int(sys.argv.pop(1))
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
from confide.cli.main import run
run()
"""
ALLOWED = ["assess", "map", "choose", "table"]


def tried(folder: Path, command: str, limit: int = 0) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(limit), *COMMANDS[command]], cwd=folder, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": SOURCE, "OPENBLAS_NUM_THREADS": "1"}, timeout=300, check=False,
    )  # fmt: skip
    return done.returncode, done.stderr


def told(folder: Path, command: str, words: str, limit: int = 0) -> None:
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    code, err = tried(folder, command, limit)
    assert code == 2, err
    assert words in err
    assert "internal error" not in err
    assert "Traceback" not in err
    for path in folder.rglob("*"):
        assert not path.name.startswith(".confide-")
        if path.is_file() and path.name == "evaluations.jsonl":
            assert path.read_bytes() == b"" or path.read_bytes().endswith(b"}}\n")
        elif path.is_file() and path not in before:
            assert path.stat().st_size > 0
    assert {p: p.read_bytes() for p in before if p.name != "evaluations.jsonl"} == {
        p: c for p, c in before.items() if p.name != "evaluations.jsonl"
    }


@pytest.mark.parametrize("command", ALLOWED)
def test_a_disk_that_takes_no_more(tmp_path, command):
    lay_out(tmp_path / "w")
    told(tmp_path / "w", command, "the disk or your account allows no file of this size", limit=700)


@pytest.fixture
def mounted(tmp_path):
    """A disk of 128 KiB of its own."""
    at = tmp_path / "disk"
    at.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can make a disk; the limit of file sizes was tried instead")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(at)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"this system makes no tmpfs: {done.stderr.decode()}")
    yield at
    subprocess.run(["umount", str(at)], check=True)


def test_a_full_disk_and_one_that_is_only_read(mounted, tmp_path):
    lay_out(tmp_path / "w")
    shutil.copytree(tmp_path / "w", mounted, dirs_exist_ok=True)
    assert (mounted / "plan.secret").read_text() == SECRET
    cf.FolderStore(mounted / "kept")  # a folder takes a page, the file none
    with (mounted / "filler").open("wb", buffering=0) as filler:
        while True:
            try:
                if filler.write(b"x" * 4096) < 4096:
                    break
            except OSError:
                break
    for command in ALLOWED:
        told(mounted, command, "No space left on device; free some space, or write elsewhere")
    (mounted / "filler").unlink()
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    for command in ALLOWED:
        told(mounted, command, "nothing can be written into")
