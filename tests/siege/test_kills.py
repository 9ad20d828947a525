"""Ten kills at random moments; `scripts/test-long` has more of them."""

from __future__ import annotations

import os

import pytest

from siege.ready import Waiting
from siege.trials import COMMANDS, SOURCE, besieged

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are split by fork")
pytest.importorskip("matplotlib")
pytest.importorskip("optuna")


@pytest.mark.slow
def test_a_killed_command_leaves_all_or_nothing_and_the_next_run_gives_the_same_bytes(tmp_path):
    with Waiting(tmp_path / "said", SOURCE) as waiting:
        running = [besieged(command, tmp_path / command, 2, seed=18, start=waiting.start) for command in COMMANDS]
    assert sum(running) >= 5, "most of them came too late"
