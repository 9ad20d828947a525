"""A search over a family of releases: seeded, resumable, better than a grid."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import confide as cf
from confide.errors import MapError
from unit.rumap.general.people import FAR, NEAR, people

pytest.importorskip("optuna")
PEOPLE = [FAR, NEAR]


def space() -> cf.Release:
    return cf.Release(
        cf.vary("age", exact=None, groups=cf.Recode("age", width=cf.vary("width", 2, 5, 10, 20))),
        cf.vary("sex", kept=None, swapped=cf.Swap("sex", rate=cf.vary_between("rate", 0.01, 0.5))),
        cf.Noise("pay", sd=cf.vary_between("noise", 1.0, 400.0, log=True)),
    )


def searched(**more):
    asked = {"budget": cf.Budget(evaluations=40), "population": 10, "seed": 3} | more
    return cf.search_releases(people(), space(), PEOPLE, risk=cf.ExpectedMatches(), utility=cf.MeansKept("pay"), **asked)


def frontier(found):
    return [(p.risk, p.utility, tuple(sorted(p.settings.items()))) for p in found.frontier()]


def test_one_seed_gives_one_search_whatever_the_workers():
    first = searched(workers=1)
    assert len(first.rows) == 40
    assert frontier(searched(workers=3)) == frontier(first)
    assert frontier(searched(seed=4)) != frontier(first)


def test_axes_of_what_is_not_chosen_are_left_out():
    for row in searched().rows:
        assert ("width" in row.settings) == (row.settings["age"] == "groups")
        assert ("rate" in row.settings) == (row.settings["sex"] == "swapped")
        space().at(row.settings)


def test_the_frontier_is_shown_as_it_grows():
    seen = []
    searched(growing=lambda found: seen.append(len(found.rows)))
    assert seen == sorted(seen)
    assert seen[-1] == 40


def test_beside_a_grid():
    found = cf.search_releases(
        people(), space(), PEOPLE, risk=cf.ExpectedMatches(), utility=cf.MeansKept("pay"),
        budget=cf.Budget(evaluations=60), population=12, seed=3,
    )  # fmt: skip
    said = cf.beside_grid(found, points=3)
    assert len(said.second.rows) == 60
    assert "settings against 60" in repr(said)
    assert (said.better, len(said.pairs)) == (2, 8)
    for theirs, ours in said.pairs:
        assert ours is None or ours.risk <= theirs.risk


def test_a_small_family_is_searched_to_its_end():
    release = cf.Release(cf.Noise("pay", sd=cf.vary("noise", 1.0, 2.0, 3.0)))
    found = cf.search_releases(
        people(), release, NEAR, risk=cf.ExpectedMatches(), utility=cf.MeansKept("pay"),
        budget=cf.Budget(evaluations=50), population=4, seed=1,
    )  # fmt: skip
    assert len(found.rows) == 3


def test_minutes_end_a_search():
    started = time.monotonic()
    assert searched(budget=cf.Budget(minutes=0.01)).rows
    assert time.monotonic() - started < 60


def test_mistakes():
    with pytest.raises(MapError, match="a Budget needs evaluations or minutes"):
        cf.Budget()
    with pytest.raises(MapError, match="a Budget is positive"):
        cf.Budget(evaluations=-1)
    with pytest.raises(MapError, match="there is nothing to search"):
        cf.search_releases(
            people(), cf.Release(), FAR, risk=cf.ExpectedMatches(), utility=cf.MeansKept("pay"),
            budget=cf.Budget(evaluations=1), seed=1,
        )  # fmt: skip


SCRIPT = """
import sys
import confide as cf
sys.path.insert(0, sys.argv[2])
from unit.rumap.general.test_search import searched
searched(store=cf.FolderStore(sys.argv[1]), workers=1)
"""


@pytest.mark.slow
def test_a_search_that_is_killed_goes_on_and_ends_the_same(tmp_path):
    root = Path(__file__).parents[4]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root / "src"), *sys.path])}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "kept"), str(root / "tests")]
    process = subprocess.Popen(command, env=environment)
    file, ends = tmp_path / "kept" / "evaluations.jsonl", time.monotonic() + 120
    while time.monotonic() < ends and not (file.exists() and file.read_bytes().count(b"\n") >= 45):
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    store = cf.FolderStore(tmp_path / "kept")
    done = len(store)
    assert 45 <= done < 120
    resumed = searched(store=store)
    assert store.masked < 40
    assert frontier(resumed) == frontier(searched())
