"""Ctrl-C and a plain kill in the middle of a search: words, exit code, and the store kept."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from siege.trials import STORE, lay_out, spawned

pytest.importorskip("optuna")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals differ on Windows")
SEARCH = ["map", "plan.toml", "--evaluations", "300", "--quiet"]
SAID = {
    signal.SIGINT: "settings were evaluated; kept, run it again to go on\nconfide: interrupted; files are written whole",
    signal.SIGTERM: "confide: told to end; files are written whole or not at all",
}


def lines(folder):
    file = folder / STORE
    return file.read_bytes().count(b"\n") if file.exists() else 0


def stopped(folder, by) -> tuple[int, str]:
    process = spawned(SEARCH, folder)
    end = time.monotonic() + 200
    while lines(folder) < 60 and time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    process.send_signal(by)
    try:
        _, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return process.returncode, err


@pytest.mark.slow
@pytest.mark.parametrize("by", SAID, ids=lambda s: s.name)
def test_a_search_that_is_told_to_end_said_nothing_of_what_is_kept(tmp_path, by):
    lay_out(tmp_path / "w")
    before = {p.name for p in (tmp_path / "w").iterdir()}
    code, err = stopped(tmp_path / "w", by)
    assert (code, "Traceback" in err) == (128 + by, False)
    assert SAID[by] in err
    assert {p.name for p in (tmp_path / "w").iterdir()} == before | {"kept"}
    kept = (tmp_path / "w" / STORE).read_bytes()
    assert 60 <= kept.count(b"\n") < 900
    assert kept.endswith(b"}}\n")
