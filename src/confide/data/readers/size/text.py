"""Count through a text file, in pieces, to say what reading it would take."""

from __future__ import annotations

import contextlib
import csv
import gzip
import itertools
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from confide.data.readers.size.needed import CELL, RECORD, Needed
from confide.kit.memory import fits

PIECE = 1 << 20
SAMPLE = 1 << 18
"""Bytes looked at for the variables and what they hold."""
WORST = 140
"""Bytes at the peak for a byte of the worst text: short records, few variables, wide characters."""
PACKED = 1032
"""Gzip packs so many bytes into one, and no more."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the first lines show."""

    variables: int
    loose: float
    """Bytes that texts of a record take while their levels are found, where most of them differ."""


def text_needs(path: Path, encoding: str, delimiter: str, free: int | None) -> Needed | None:
    """Count the characters and the lines of a text file, until its end or until it is too much.

    Args:
        path: the file, gzipped when its name ends in .gz.
        encoding: how characters are written.
        delimiter: what stands between cells.
        free: the bytes that are left; a file that fits into them whatever it holds is not counted.
    """
    packed = path.name.lower().endswith(".gz")
    stored = path.stat().st_size
    if fits(WORST * stored * (PACKED if packed else 1), free):
        return None
    seen, lines, returns, text, most = 0, 0, 0, 0, 0
    sample: Sample | None = None
    with path.open("rb") as raw:
        for piece in _pieces(raw, packed=packed):
            sample = _sampled(piece[:SAMPLE], encoding, delimiter) if sample is None else sample
            values = np.frombuffer(piece, dtype=np.uint8)
            lines += int(np.count_nonzero(values == ord("\n")))
            returns += int(np.count_nonzero(values == ord("\r")))
            most = max(most, int(values.max()))
            text += _characters(values, encoding)
            seen += len(piece)
            needed = _needed(text * _width(most, encoding), max(lines, returns), sample)
            if not fits(needed.size, free):
                share = max(1.0, stored / max(1, raw.tell()))
                return Needed(needed.size * share, int(needed.records * share), needed.variables)
    return None


def text_peak(text: int, records: int, variables: int) -> int:
    """Give the bytes at the peak of reading text whose lines need Python's own parser."""
    return 3 * text + records * (76 * variables + 100)


def _needed(text: int, records: int, sample: Sample) -> Needed:
    """Take the larger of the peaks while parsing and while levels are found."""
    v = sample.variables
    parsing = 3 * text + records * (CELL * v + 80)
    levels = 2 * text + records * (CELL * v + RECORD + sample.loose)
    return Needed(max(parsing, levels), records, v)


def _pieces(raw: BinaryIO, *, packed: bool) -> Iterator[bytes]:
    """Give the unpacked bytes; a damaged file ends where the damage is."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(gzip.open(raw)) if packed else raw
        stack.enter_context(contextlib.suppress(EOFError, zlib.error, OSError))
        while piece := file.read(PIECE):
            yield piece


def _sampled(piece: bytes, encoding: str, delimiter: str) -> Sample:
    """Look at the first lines for the variables and for texts that differ from record to record."""
    try:
        text = piece.decode(encoding, "ignore").removeprefix("\ufeff")
    except (LookupError, UnicodeError):  # the reader says what is wrong
        return Sample(1, 0.0)
    rows: list[list[str]] = []
    with contextlib.suppress(csv.Error):
        rows.extend(itertools.islice((r for r in csv.reader(text.splitlines(), delimiter=delimiter) if r), 2_000))
    if not rows:
        return Sample(1, 0.0)
    loose = 0.0
    # the last line may be cut
    for cells in zip(*(r for r in rows[1:-1] if len(r) == len(rows[0])), strict=True):
        present = [c for c in cells if c]
        if 2 * len(set(present)) > len(present) and not all(map(_is_number, present[:100])):
            loose += (60 + 5 * sum(map(len, present)) / len(present)) * len(present) / len(cells)
    return Sample(len(rows[0]), loose)


def _is_number(cell: str) -> bool:
    """Say whether a cell is read as a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _characters(values: np.ndarray[tuple[int], np.dtype[np.uint8]], encoding: str) -> int:
    """Count characters; in an encoding that is not known, every byte is one."""
    if _is_utf8(encoding):
        return int(values.size - np.count_nonzero((values & 0xC0) == 0x80))
    return values.size // (4 if "32" in encoding else 2 if "16" in encoding else 1)


def _width(most: int, encoding: str) -> int:
    """Say how many bytes Python takes for a character: as many as the widest one needs."""
    if _is_utf8(encoding):
        return 4 if most >= 0xF0 else 2 if most >= 0xC4 else 1
    return 1 if most < 0x80 or encoding.lower().replace("_", "-") in {"latin-1", "iso-8859-1", "ascii"} else 2


def _is_utf8(encoding: str) -> bool:
    return encoding.lower().replace("_", "").replace("-", "") in {"utf8", "utf8sig"}
