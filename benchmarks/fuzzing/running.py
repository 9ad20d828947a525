"""Run one input in this process: everything it prints, even below Python, is caught."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from fuzzing.case import Case, randomness
from fuzzing.judge import SECONDS, WAIT, Outcome, complaints
from fuzzing.kinds import KINDS

SPACE = 6 * 2**30
"""Address space that a process may take beyond what it has after loading."""
PASSED: list[str] = []
"""Grows whenever a plan passes."""


class TooLongError(BaseException):
    """Raised by the alarm; not an `Exception`, so that nothing takes it for an error of its own."""


def prepare() -> None:
    """Load the program, note plans that pass, bound the memory."""
    os.environ["CONFIDE_TRACEBACK"] = "1"
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import matplotlib as mpl

    mpl.use("agg")
    import confide.plan.build as plans
    import confide.plan.build_tables as tables
    import confide.plan.load as loading

    def noted(function: Any) -> Any:
        def run(*given: Any, **named: Any) -> Any:
            found = function(*given, **named)
            PASSED.append("plan")
            return found

        return run

    plans.build, tables.build_tables = noted(plans.build), noted(tables.build_tables)
    assert loading
    with contextlib.suppress(OSError, ValueError):
        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (used + SPACE, used + SPACE))


def make(seed: int, kind: str, number: int, folder: Path) -> Case:
    """Write the files of an input into a folder and give its commands."""
    return KINDS[kind](randomness(seed, kind, number), folder)


def run(seed: int, kind: str, number: int, folder: Path) -> dict[str, Any]:
    """Make an input and run it; give what is told of it."""
    case = make(seed, kind, number, folder)
    before = {p: p.stat().st_mtime_ns for p in folder.rglob("*") if p.is_file()}
    found: list[str] = []
    told: dict[str, Any] = {"kind": kind, "number": number, "commands": [list(c) for c in case.commands]}
    done = Outcome(0, "", "", 0, 0)
    for command in case.commands:
        done = _one(command, folder, before)
        found += complaints(done, figures=case.figures)
        if done.code != 0:
            break
    return told | {
        "code": done.code, "valid": done.valid, "seconds": done.seconds, "peak": done.peak, "found": found,
        "err": done.err[-6000:] if found else done.err[:200],
    }  # fmt: skip


def _one(command: tuple[str, ...], folder: Path, before: dict[Path, int]) -> Outcome:
    """Run one command in a folder."""
    from confide.cli.main import main

    PASSED.clear()
    _forget_peak()
    here = Path.cwd()
    start = time.process_time()
    with _caught() as (out, err), warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        os.chdir(folder)
        try:
            with _alarm():
                code = main(list(command))
        except TooLongError:
            traceback.print_exc()
            code = -1
        except BaseException:  # noqa: BLE001 - whatever comes through is a finding
            traceback.print_exc()
            code = -2
        finally:
            os.chdir(here)
    seconds = time.process_time() - start
    warned = {f"{w.category.__name__}: {w.message} ({Path(w.filename).name}:{w.lineno})" for w in given}
    files = [p for p in sorted(folder.rglob("*")) if p.is_file() and before.get(p) != p.stat().st_mtime_ns]
    return Outcome(
        code, _text(out), _text(err), seconds, _peak(), bool(PASSED), tuple(sorted(map(str, warned))), tuple(files)
    )


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    """Raise when the processor or the clock says that it is too long."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooLongError

    for sign in (signal.SIGALRM, signal.SIGVTALRM):
        signal.signal(sign, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS + 1)
    signal.setitimer(signal.ITIMER_REAL, WAIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def _caught() -> Iterator[tuple[Any, Any]]:
    """Send what is printed into files, also what libraries below Python print."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        kept = [os.dup(1), os.dup(2)]
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        try:
            yield (box := [out, b""]), (other := [err, b""])
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for handle, old in zip((1, 2), kept, strict=True):
                os.dup2(old, handle)
                os.close(old)
            for one in (box, other):
                one[0].seek(0)
                one[1] = one[0].read()


def _text(box: Any) -> str:
    """Give what was caught."""
    return str(box[1].decode("utf-8", "replace"))


def _forget_peak() -> None:
    """Begin to count the peak of memory anew."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> int:
    """Give the peak of memory since it was forgotten."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(x.split()[1]) * 1024 for x in lines if x.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
