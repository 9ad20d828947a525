"""Try a file in a process of its own first: libraries below Python end the process on some damaged bytes, without words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

_BEGIN = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError, OSError):
    pass
"""
"""What a process holds when it ends is not written to a disk: it is what people confided."""
_HEAD = """
import pyreadstat
try:
    getattr(pyreadstat, sys.argv[3])(sys.argv[2], metadataonly=True, **json.loads(sys.argv[4]))
except Exception:
    pass
"""
_PAGES = """
import polars
try:
    with open(sys.argv[2], "rb") as file:
        polars.read_parquet(file)
except BaseException:
    pass
"""
SECONDS = 120.0
"""Heads are read in much less."""
KILLED = -9
"""How a process ends that the system has no memory for."""


def fault_of_head(path: Path, reader: str, encoding: str | None) -> str | None:
    """Say how the head of a file of SPSS, Stata or SAS ends a process; None where it does not.

    A wrong number in a head, such as the place of a variable that is not there, does. Records do not.

    Args:
        path: the file.
        reader: the function of pyreadstat.
        encoding: overrides the encoding the file says it has.
    """
    options = {"encoding": encoding} if encoding else {}
    return _fault(_HEAD, path, reader, json.dumps(options), seconds=SECONDS)


def fault_of_pages(path: Path) -> str | None:
    """Say how a Parquet file ends a process; None where it does not.

    A wrong number before the values of a page asks for more memory than there can be. Pages are packed, so that
    reading them is the only way to see it; it is a small share of what reading the records as variables takes.

    Args:
        path: the file.
    """
    return _fault(_PAGES, path, seconds=None)


def _fault(words: str, path: Path, *more: str, seconds: float | None) -> str | None:
    """Run a few words of Python, and say how that ended; what is raised in them is met again here, and told then."""
    if not sys.executable or getattr(sys, "frozen", False):  # there is no interpreter to run them
        return None
    plain = {**os.environ, "RUST_BACKTRACE": "0"}  # nobody reads the trace, and it takes seconds
    # -I: no module of the folder where it runs; the paths of this process are handed on
    paths = json.dumps([p for p in sys.path if isinstance(p, str) and p])
    given = [sys.executable, "-I", "-c", _BEGIN + words, paths, str(path.absolute()), *more]
    none = subprocess.DEVNULL
    try:
        done = subprocess.run(given, stdin=none, stdout=none, stderr=none, env=plain, timeout=seconds, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        return f"is damaged: its head is not read in {SECONDS:.0f} s; copy or export it again"
    except (OSError, ValueError):  # no process can be started, or not with such a name
        return None
    if done.returncode == KILLED:
        return "takes more memory than the system gives; keep the variables or records you need in a smaller file"
    # an error of Python is no end of this kind; systems without signals give large numbers instead of negative ones
    ended = "is damaged: the program that reads it ends without a word; copy or export it again"
    return None if 0 <= done.returncode < 2**16 else ended
