"""Kill a command at random moments of its whole run: outputs all or nothing, and the next run as if nothing had been."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import confide as cf
from confide.kit.pieces import START
from unit.rumap.general.people import people
from unit.tables.firms import firms

ENTRY = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # those who start in the background hand on a deaf ear
from confide.cli.main import run
run()
"""
SOURCE = str(Path(cf.__file__).parents[1])
STORE = "kept/evaluations.jsonl"
SECRET = "confide secret 1\n" + "5a" * 32 + "\n"
PLAN = """
[data]
path = "people.csv"
[data.kinds]
age = "integer"
pay = "continuous"
[[release]]
name = "grouped and noisy"
methods = [
  { method = "Recode", variable = "age", width = 5 },
  { method = "Noise", variable = "pay", sd = 50 },
]
[[intruder]]
name = "near"
knows = ["sex", "age", "pay"]
[[intruder]]
name = "far"
knows = ["sex", "age"]
[[utility]]
utility = "RegressionKept"
formula = "pay ~ age + C(sex)"
[report]
path = "report.html"
[output]
released = "out"

json = "assessment.json"
table = "assessment.csv"
per_record = "records.csv"
[map]
store = "kept"
picture = "map.svg"
page = "map.html"
table = "map.csv"
verify = 2
[[map.vary]]
name = "width"
method = 1
argument = "width"
values = [5, 10, 20]
[[map.vary]]
name = "noise"
method = 2
argument = "sd"
between = [10, 1000]
log = true
"""
TABLES = """
[data]
path = "firms.csv"
[[tables.rule]]
rule = "MinimumFrequency"
n = 3
[[tables.rule]]
rule = "PPercentRule"
p = 10
[[table]]
name = "turnover"
by = ["area", "trade"]
value = "turnover"
published = ["t.csv", "t.sdmx.csv", "t.json", "t.parquet"]
internal = "t-internal.csv"
page = "t.html"
internal_page = "t-internal.html"
[table.hierarchies]
area = { digits = [1, 1] }
"""
COMMANDS = {
    "assess": ["assess", "plan.toml"],
    "map": ["map", "plan.toml"],
    "choose": ["choose", "plan.toml", "--max-risk", "0.9", "--out", "study"],
    "search": ["map", "plan.toml", "--evaluations", "30"],
    "table": ["table", "tables.toml"],
}
STUDIES = (".", "out", "study")
"""The folders in which something is held; their keys are there, or each run would make others."""
Files = dict[str, bytes]


def lay_out(folder: Path) -> None:
    """Make the folder of an agency: data, plans and the secret."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    cf.write(people(300), folder / "people.csv")
    cf.write(firms(120), folder / "firms.csv")
    (folder / "plan.toml").write_text(PLAN)
    (folder / "tables.toml").write_text(TABLES)
    (folder / "plan.secret").write_text(SECRET)
    for study in STUDIES:
        (folder / study).mkdir(exist_ok=True)
        (folder / study / "study.key").write_text(SECRET)
    owners_own(folder)


def owners_own(folder: Path) -> None:
    """Take everybody else's rights to what only its owner may read."""
    for path in (folder / "plan.secret", *(folder / study / "study.key" for study in STUDIES)):
        path.chmod(0o600)


def spawned(arguments: list[str], folder: Path) -> subprocess.Popen[str]:
    """Start a command as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", ENTRY, *arguments], cwd=folder, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": SOURCE, "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip


def files(folder: Path) -> Files:
    """Give all files below a folder; the lines of a store are sorted, since work is done side by side."""
    found = {str(p.relative_to(folder)): undated(p.read_bytes()) for p in sorted(folder.rglob("*")) if p.is_file()}
    if STORE in found:
        found[STORE] = b"".join(sorted(found[STORE].splitlines(keepends=True)))
    return found


def undated(content: bytes) -> bytes:
    """Take the time of the run out of a report."""
    return re.sub(rb"Date: 20\d\d-[0-9T:+-]*", b"Date: ", content)


def restore(folder: Path, wanted: Files) -> None:
    """Make a folder hold these files and no others."""
    shutil.rmtree(folder)
    for name, content in wanted.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    owners_own(folder)


@dataclass
class Siege:
    """One command under attack."""

    command: str
    folder: Path
    start: Callable[[list[str], Path], Any] = spawned
    """Starts a command in a folder."""
    fresh: Files = field(default_factory=dict)
    """What is there before the first run."""
    older: Files = field(default_factory=dict)
    """What is there when an older plan was run before: other files under the same names."""
    whole: Files = field(default_factory=dict)
    """What is there after a run that nobody interrupted."""
    said: tuple[int, str] = (0, "")
    seconds: float = 0.0

    def __post_init__(self) -> None:
        """Run it in peace: twice as it is, and once with other methods."""
        lay_out(self.folder)
        self.fresh = files(self.folder)
        for name, old, new in (("plan.toml", "sd = 50", "sd = 90"), ("tables.toml", "p = 10", "p = 20")):
            (self.folder / name).write_text((self.folder / name).read_text().replace(old, new))
        code, out = self.done()
        assert code == 0, out
        self.older = files(self.folder) | {n: self.fresh[n] for n in ("plan.toml", "tables.toml")}
        # with other methods another setting may be chosen, whose draft stays beside that of this plan
        self.older = {n: c for n, c in self.older.items() if n != STORE and (not n.startswith("study/") or n in self.fresh)}
        for _ in range(2):
            restore(self.folder, self.fresh)
            start = time.monotonic()
            self.said = self.done()
            self.seconds = time.monotonic() - start
            found = files(self.folder)
            assert self.whole in ({}, found), "two runs in peace differ"
            self.whole = found
        assert self.said[0] == 0
        assert len(self.whole) > len(self.fresh)

    def done(self) -> tuple[int, str]:
        """Run the command to its end: exit code and what it printed."""
        process = self.start(COMMANDS[self.command], self.folder)
        out, err = process.communicate(timeout=300)
        return process.returncode, out if process.returncode == 0 else err

    def killed(self, moment: float, *, over: bool, by: signal.Signals = signal.SIGKILL) -> bool:
        """Kill one run at a moment, look, run it again, look; say whether it was still running."""
        start = self.older if over else self.fresh
        restore(self.folder, start)
        process = self.start(COMMANDS[self.command], self.folder)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.send_signal(by)
        _, err = process.communicate()
        running = process.returncode != 0
        if by != signal.SIGKILL and running:
            heard(process.returncode, err, by)
        self.all_or_nothing(start)
        assert self.done() == self.said
        found = files(self.folder)
        assert found.keys() == self.whole.keys(), f"left behind or missing: {found.keys() ^ self.whole.keys()}"
        assert not [n for n in found if found[n] != self.whole[n]], "other bytes than without the kill"
        return running

    def all_or_nothing(self, start: Files) -> None:
        """Look at what a kill left."""
        left = files(self.folder)
        for name, content in left.items():
            if name == STORE:
                assert set(content.splitlines()) <= set(self.whole[STORE].splitlines())
            elif any(part.startswith(START) for part in Path(name).parts[:-1]):
                # a folder on its way, beside others that are held; gone after the next run
                assert "held" in Path(name).parts, f"a folder was left: {name}"
            elif Path(name).name.startswith(START):
                # the moment in which a new file takes the place of an old one: whole, and gone after the next run
                assert start is self.older, f"a piece was left: {name}"
                assert content in self.whole.values(), f"half a file was left: {name}"
            else:
                assert content in (start.get(name), self.whole.get(name)), f"half a file: {name}"
        # between two names a draft that is replaced has none; it lies beside its place
        gone = {n for n in start if n not in left}
        assert not gone or all("held" in Path(n).parts for n in gone), f"gone: {gone}"
        assert not gone or any(START in n for n in left), f"gone: {gone}"


def heard(code: int, err: str, by: signal.Signals) -> None:
    """Check what a run says that was asked to end; before Python is up nobody can answer."""
    assert "internal error" not in err
    if code == -by or (code == 1 and not err.startswith("confide")) or "confide:" not in err:
        assert code in (-by, 1, 130), (code, err)
        return
    assert code == 128 + by, (code, err)
    assert "Traceback" not in err
    assert "files are written whole or not at all" in err


def besieged(
    command: str, folder: Path, times: int, *, seed: int, start: Callable[[list[str], Path], Any] = spawned,
    by: signal.Signals = signal.SIGKILL,
) -> int:  # fmt: skip
    """Kill a command so many times, each in its part of the run; give how often it was still running."""
    siege, draw = Siege(command, folder, start), random.Random(f"{seed} {command} {by}")
    moments = [siege.seconds * (k + draw.random()) / times for k in range(times)]
    return sum(siege.killed(moment, over=bool(k % 2), by=by) for k, moment in enumerate(moments))
