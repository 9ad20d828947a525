"""Say what is wrong with what a command did."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CODES = (0, 2, 3)
"""Exit codes that an input may have."""
SECONDS, WAIT = 10.0, 60.0
"""Processor time of one input, and how long it may wait while the machine does other things."""
PEAK = 2**30
"""Bytes of memory, the program itself included."""
WORDS = ("internal error", "Traceback", "panicked", "RUST_BACKTRACE", "Warning:", "This is a bug")
FIGURE = re.compile(r"(?<![\w.'\"/-])[-+]?(?:nan|inf|infinity)(?![\w'\"-])", re.IGNORECASE)
"""A figure that is not defined, in print."""
IN_PAGE = re.compile(r">\s*[-+]?(?:nan|inf|infinity)\s*%?\s*<", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str
    seconds: float
    """Processor time."""
    peak: int
    """The most memory, in bytes."""
    valid: bool = False
    """Whether its plan passed."""
    warned: tuple[str, ...] = ()
    """Warnings that Python gave."""
    files: tuple[Path, ...] = field(default=())
    """Files that it wrote."""


def complaints(done: Outcome, *, figures: bool) -> list[str]:
    """List what is wrong; nothing when all is well.

    Args:
        done: what the command did.
        figures: whether a `nan` in an output must be a figure.

    >>> complaints(Outcome(2, "", "confide: there is no file", 0.1, 0), figures=True)
    []
    >>> complaints(Outcome(0, "mean nan", "", 0.1, 0), figures=True)
    ["undefined: standard output: 'mean nan'"]
    """
    found = [] if done.code in CODES else [f"exit code {done.code}: {_first(done.err)}"]
    found += [f"{w!r} in the error output: {_line(done.err, w)}" for w in WORDS if done.code in CODES and w in done.err]
    found += [f"warning: {w}" for w in done.warned]
    found += [f"{done.seconds:.0f} s of processor time"] if done.seconds > SECONDS else []
    found += [f"{done.peak / 2**30:.1f} GB"] if done.peak > PEAK else []
    if done.code in (2, 3) and not done.err.strip():
        found.append(f"exit code {done.code} without a word")
    return found + (list(_undefined(done)) if figures and done.code in (0, 3) else [])


def _undefined(done: Outcome) -> Iterator[str]:
    """Find figures that are not defined."""
    hit = FIGURE.search(done.out)
    if hit:
        yield f"undefined: standard output: {_line(done.out, hit.group())!r}"
    for path in done.files:
        ending = path.suffix.lower()
        if ending not in (".json", ".csv", ".tsv", ".html", ".svg", ".toml") or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        told = _in_file(ending, text)
        if told:
            yield f"undefined: {path.name}: {told}"


def _in_file(ending: str, text: str) -> str | None:
    """Find the first undefined figure of a file."""
    if ending == ".json":
        odd: list[str] = []
        json.loads(text, parse_constant=odd.append)
        return odd[0] if odd else None
    if ending in (".csv", ".tsv"):
        csv.field_size_limit(2**31)
        rows = csv.reader(io.StringIO(text), delimiter="\t" if ending == ".tsv" else ",")
        return next((c for r in rows for c in r if FIGURE.fullmatch(c.strip())), None)
    hit = (FIGURE if ending == ".toml" else IN_PAGE).search(text)
    return hit.group() if hit else None


def _first(text: str) -> str:
    """Give the last line that says something, shortened."""
    lines = [x for x in text.strip().splitlines() if x.strip()]
    return lines[-1][:300] if lines else "no words"


def _line(text: str, word: str) -> str:
    """Give the line that holds a word, shortened."""
    return next((x.strip()[:200] for x in text.splitlines() if word in x), word)
