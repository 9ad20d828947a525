"""Kill a process at every single line of what writes files; run as a script: WHAT SYSTEM FOLDER, gives how many kills.

Each trial is a process of its own that kills itself at the n-th line it executes in the rooms that write; n counts up until
one ends by itself. After every kill the folder is looked at, then the same is done again in peace.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from confide.kit import pieces
from confide.kit.files import write_text_whole
from confide.kit.ledger import forget
from confide.kit.secret import HEAD, Secret

OLD, NEW = "an older file\n", "a respondent's values\n" * 50_000
WATCHED = ("confide/kit/", "confide/rumap/general/folder_store", "confide/rumap/general/line")
STARTED, MORE = {"value": 0.25}, {"value": 0.125}
SYSTEM = ""


def at_line(n: int, work: Callable[[], object]) -> bool:
    """Do the work in a process that ends at the n-th line; say whether it came that far."""
    child = os.fork()
    if child:
        return os.WIFSIGNALED(os.waitpid(child, 0)[1])
    left = n

    def trace(frame, event, _):
        nonlocal left
        if not any(w in frame.f_code.co_filename for w in WATCHED):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)
    work()
    sys.settrace(None)
    os._exit(0)


def stray(folder: Path) -> list[Path]:
    return [p for p in folder.iterdir() if p.name.startswith(pieces.START)]


def write(folder: Path) -> None:
    write_text_whole(folder / "masked.csv", NEW)


def check_written(folder: Path, old: str | None) -> None:
    target, left = folder / "masked.csv", stray(folder)
    assert (target.read_text() if target.exists() else None) in (old, NEW), "half a file"
    if SYSTEM == "unnamed":
        assert old is not None or not left, "a piece of a new file was left"
        assert all(p.read_text() == NEW for p in left), "half a file was left"
    write(folder)
    assert [p.name for p in folder.iterdir()] == ["masked.csv"], "the next run did not tidy"
    assert target.read_text() == NEW


def check_new(folder: Path) -> None:
    check_written(folder, None)


def check_replaced(folder: Path) -> None:
    check_written(folder, OLD)


def secret(folder: Path) -> None:
    Secret.kept(folder / "plan.secret")


def check_secret(folder: Path) -> None:
    target = folder / "plan.secret"
    before = target.read_text() if target.exists() else ""
    assert SYSTEM != "unnamed" or not stray(folder)
    secret(folder)
    after = target.read_text()
    assert after.startswith(HEAD)
    assert before in ("", after), "half a secret"
    assert target.stat().st_mode & 0o777 == 0o600


def put(folder: Path) -> None:
    from confide.rumap.general.folder_store import FolderStore

    FolderStore(folder).put("more", MORE)


def check_store(folder: Path) -> None:
    from confide.rumap.general.folder_store import FolderStore

    kept = FolderStore(folder)
    assert kept.get("started") == STARTED, "what was kept is gone"
    assert kept.get("more") in (None, MORE)
    assert kept.damaged <= 1
    put(folder)
    again = FolderStore(folder)
    assert (again.get("started"), again.get("more"), again.damaged) == (STARTED, MORE, 0)
    assert [p.name for p in folder.iterdir()] == ["evaluations.jsonl"]


def start(folder: Path, what: str) -> None:
    """Make the folder as it is before the kill."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if what == "replaced":
        (folder / "masked.csv").write_text(OLD)
    if what in ("store", "damaged"):
        from confide.rumap.general.folder_store import FolderStore

        FolderStore(folder).put("started", STARTED)
    if what == "damaged":
        with (folder / "evaluations.jsonl").open("a") as file:
            file.write('{"check": "0123')


KINDS = {
    "new": (write, check_new),
    "replaced": (write, check_replaced),
    "secret": (secret, check_secret),
    "store": (put, check_store),
    "damaged": (put, check_store),
}


def main(what: str, system: str, folder: Path) -> int:
    """Kill at every line; give how often."""
    if system == "named" and hasattr(os, "O_TMPFILE"):
        del os.O_TMPFILE
    if system == "no links":
        os.link = lambda *_, **__: (_ for _ in ()).throw(OSError(errno.EPERM, "not permitted"))
    work, check = KINDS[what]
    for n in range(1, 5000):
        forget()
        start(folder, what)
        if not at_line(n, lambda: work(folder)):
            return n - 1
        forget()
        check(folder)
    raise AssertionError("it did not end")


if __name__ == "__main__":
    SYSTEM = sys.argv[2]
    print(main(sys.argv[1], SYSTEM, Path(sys.argv[3])))
