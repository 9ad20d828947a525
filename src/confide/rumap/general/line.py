"""One evaluation as a line of text that shows whether it is as it was written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from confide.errors import DataError
from confide.rumap.general.store import Figures

START = b'{"check": "'
"""How every line begins."""
CHECK = 32
"""How many digits the checksum has."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was evaluated, and what came out."""

    key: str
    """A name made of all that was asked."""
    figures: Figures
    """The figures."""


def line_of(found: Evaluation) -> bytes:
    """Write an evaluation; the checksum goes over its name and its figures, so that neither can be exchanged alone.

    >>> line_of(Evaluation("a", {"risk": 0.5})).partition(b'", ')[2]
    b'"key": "a", "figures": {"risk": 0.5}}'
    """
    figures = {name: _plain(name, value) for name, value in found.figures.items()}
    body = json.dumps({"key": found.key, "figures": figures}).encode()
    return START + _check(body) + b'", ' + body[1:]


def read_line(line: bytes) -> Evaluation | None:
    """Read an evaluation; None where the line is not exactly what `line_of` writes.

    >>> read_line(line_of(Evaluation("a", {"risk": 0.5})))
    Evaluation(key='a', figures={'risk': 0.5})
    >>> read_line(line_of(Evaluation("a", {"risk": 0.5})).replace(b"0.5", b"0.4")), read_line(b"{}"), read_line(b'"text"')
    (None, None, None)
    """
    check, body = line[len(START) : len(START) + CHECK], b"{" + line[len(START) + CHECK + 3 :]
    # before anything is taken apart: what is damaged may hold anything
    if line != START + check + b'", ' + body[1:] or check != _check(body):
        return None
    try:
        entry = json.loads(body)
        found = Evaluation(entry["key"], entry["figures"])
        return found if isinstance(found.key, str) and found.figures and line_of(found) == line else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, DataError):
        return None


def starts_like_one(line: bytes) -> bool:
    """Say whether a line was one, before it was damaged: others are somebody else's.

    >>> starts_like_one(b'{"check": "12'), starts_like_one(b"name,age")
    (True, False)
    """
    return line.startswith(START)


def _check(body: bytes) -> bytes:
    """Give the checksum of a line's content."""
    return hashlib.blake2b(body, digest_size=CHECK // 2, person=b"confide store 1").hexdigest().encode()


def _plain(name: str, value: Any) -> float | int | None:
    """Give a figure as a number that text keeps to the last digit."""
    if value is None or type(value) in (float, int):
        return value  # type: ignore[no-any-return]
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    raise DataError(f"a store keeps numbers and None; {name!r} is a {type(value).__name__}")
