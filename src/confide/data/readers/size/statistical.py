"""Read the heads of files of SPSS, Stata and SAS to say what reading them would take."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from confide.data.readers.size.needed import Needed
from confide.errors import DataError

VALUE, RECORD, TEXT, DATE, LEVEL = 56, 40, 60, 130, 60
"""Bytes of a value, of a record, and more for a text, for a date, and for a text that is a level of its own."""
FIRST, FIRST_BYTES = 500, 1 << 23
"""How many records tell what texts are like, and how many bytes of them at most."""
PIECE = 1 << 20
_TRAILER = struct.Struct("<qqii")
_BLOCK = struct.Struct("<qqii")


def few(meta: Any) -> int:
    """Say how many records to look at, by what pyreadstat tells of the head: few of them where they are wide."""
    return max(1, min(FIRST, FIRST_BYTES // _width(meta)))


def statistical_needs(path: Path, suffix: str, meta: Any, first: pl.DataFrame) -> Needed | None:
    """Say what reading a file of a statistical package would take.

    Args:
        path: the file.
        suffix: what it ends in.
        meta: what pyreadstat tells of its head.
        first: the first records.
    """
    variables = int(meta.number_columns or 0)
    if not variables:
        return None
    records = _records(path, suffix, meta.number_rows, variables, _width(meta))
    size = VALUE * variables + RECORD + sum(_more(column) for column in first.iter_columns())
    return Needed(records * size, records, variables)


def _width(meta: Any) -> int:
    """Give the bytes of a record."""
    return max(1, sum(max(1, int(w)) for w in (meta.variable_storage_width or {}).values()))


def _more(column: pl.Series) -> float:
    """Give the bytes that texts and dates take besides."""
    if column.dtype.is_temporal():
        return DATE
    if column.dtype != pl.String:
        return 0
    present = column.set(column == "", None).drop_nulls()
    if present.is_empty():
        return 0
    loose = 2 * present.n_unique() > present.len()
    letters = float(present.str.len_bytes().sum()) / present.len()
    return TEXT + (LEVEL + 5 * letters) * loose * present.len() / column.len()


def _records(path: Path, suffix: str, told: int | None, variables: int, width: int) -> int:
    """Give the number of records: as the head says, else as many as the file can hold."""
    stored = _stored(path, suffix)
    if told is None or told < 0:
        if suffix == ".por":
            return _slashes(path) // variables + 1
        return stored // (width if suffix == ".xpt" else variables) + 1
    if suffix in {".sav", ".zsav", ".dta"} and told > stored // variables:
        raise DataError(
            f"{path.name!r} is damaged: its head tells of {told:,} records of {variables} variable(s), "
            "which is more than it can hold; copy or export it again"
        )
    return told


def _stored(path: Path, suffix: str) -> int:
    """Give the bytes of the file, those of .zsav (and of such files that end in .sav) once unpacked."""
    size = path.stat().st_size
    if suffix not in {".sav", ".zsav"}:
        return size
    with path.open("rb") as file:
        if file.read(4) != b"$FL3":
            return size
        start = max(0, size - (_TRAILER.size + _BLOCK.size * 100_000))
        file.seek(start)
        tail = file.read()
    for at in range(len(tail) - _TRAILER.size - _BLOCK.size, -1, -_BLOCK.size):
        _, zero, _, count = _TRAILER.unpack_from(tail, at)
        if not zero and count * _BLOCK.size == len(tail) - at - _TRAILER.size:
            unpacked = [int(block[2]) for block in _BLOCK.iter_unpack(tail[at + _TRAILER.size :])]
            return size + sum(max(0, x) for x in unpacked)
    return 1032 * size


def _slashes(path: Path) -> int:
    """Count the values of a .por file: each ends in a slash, has one after its length, or is missing and written `*.`."""
    return sum(piece.count(b"/") + piece.count(b"*.") for piece in _pieces(path))


def _pieces(path: Path) -> Iterator[bytes]:
    """Read a file in pieces."""
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece
