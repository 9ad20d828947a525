"""Read text files with cells between delimiters, strictly.

The fast parser pads short lines, cuts long ones that end empty, and merges lines or drops marks at
a stray quotation mark, all without a word. It is therefore used only on files whose skeleton, what
is left without the quoted cells, has the same number of delimiters on every line and no quotation
mark. Any other file is read by Python's own csv module, slowly, which finds the line at fault.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import math
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from confide.data.readers.cells import type_columns
from confide.data.readers.size.needed import Needed, refuse_what_does_not_fit
from confide.data.readers.size.text import text_needs, text_peak
from confide.errors import DataError, raise_all, unknown
from confide.kit import memory

_YEARS = range(1800, 2201)


def read_delimited(
    path: Path, encoding: str, delimiter: str, *, missing: Sequence[str], text: Sequence[str]
) -> pl.DataFrame:
    """Read a text file into columns of numbers and of text.

    Args:
        path: the file, gzipped when its name ends in .gz.
        encoding: how characters are written.
        delimiter: what stands between cells.
        missing: cells that mean "no value".
        text: columns to be left as text.
    """
    if len(delimiter) != 1 or delimiter in '"\r\n' or not delimiter.isascii():
        raise DataError("delimiter must be one character, such as ',' or ';' or '\\t'")
    instead = _smaller(path.name, delimiter)
    refuse_what_does_not_fit(text_needs(path, encoding, delimiter, memory.available()), path.name, instead)
    content = _decode(_bytes(path), encoding, path.name).rstrip("\n")
    names, start = _header(content, delimiter, path.name)
    raise_all([unknown("column", c, names) for c in text if c not in names], DataError)
    body = content[start:]
    if not body:
        raise DataError(f"{path.name!r} has a header but no records")
    frame = _parse_fast(body, names, delimiter)
    if frame is None:
        records = body.count("\n") + 1
        needed = Needed(text_peak(sys.getsizeof(content), records, len(names)), records, len(names))
        refuse_what_does_not_fit(needed, path.name, f"mend lines of unequal length and stray quotation marks, or {instead}")
        frame = _parse_slowly(content, names, delimiter, path.name)
    return type_columns(frame, missing, text, lambda record: _line_of(content, delimiter, record, single=len(names) == 1))


def _smaller(name: str, delimiter: str) -> str:
    """Say how to keep a part of a text file without loading it."""
    separator = "" if delimiter == "," else f", separator={delimiter!r}"
    return (
        "keep the variables or records you need in a smaller file, with polars: "
        f"pl.scan_csv({name!r}, infer_schema=False{separator}).select([...]).sink_csv('smaller.csv')"
    )


def _bytes(path: Path) -> bytes:
    """Read all bytes, unpacked."""
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if path.name.lower().endswith(".gz") else data
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DataError(f"{path.name!r} is not a gzip file or is cut short; pack or copy it again") from None


def _decode(data: bytes, encoding: str, name: str) -> str:
    """Turn bytes into text with plain line ends."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") and encoding.lower().replace("_", "-") in ("utf-8", "utf8"):
        raise DataError(f"{name!r} is written in UTF-16; pass encoding='utf-16'")
    try:
        text = data.decode(encoding)
    except LookupError:
        raise DataError(f"there is no encoding {encoding!r}; use e.g. 'utf-8', 'latin-1' or 'utf-16'") from None
    except UnicodeError as error:
        place = f" (byte {error.start} of {len(data)})" if isinstance(error, UnicodeDecodeError) else ""
        raise DataError(
            f"{name!r} is not written in {encoding}{place}; "
            "pass the right encoding, e.g. encoding='latin-1' or encoding='utf-16'"
        ) from None
    text = text.removeprefix("\ufeff")
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise DataError(
            f"{name!r} holds NUL bytes, the first on line {line}; it is no text file, or needs encoding='utf-16'"
        )
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _header(content: str, delimiter: str, name: str) -> tuple[list[str], int]:
    """Read the names and the place where records start."""
    used = 0

    def lines() -> Iterator[str]:
        nonlocal used
        for line in _lines(content):
            used += len(line)
            yield line

    try:
        first = next((row for row in csv.reader(lines(), delimiter=delimiter, strict=True) if row), [])
    except csv.Error:
        raise DataError(f"the header of {name!r} has a quotation mark that is not closed; mend its first line") from None
    names = [c.strip() for c in first]
    if not any(names):
        raise DataError(f"{name!r} has no header; its first line must hold the names of the variables")
    _check_header(names, delimiter, name)
    return names, used


def _check_header(names: list[str], delimiter: str, name: str) -> None:
    """Refuse headers that would name variables wrongly."""
    for other, shown in ((";", "';'"), ("\t", r"'\t'"), ("|", "'|'"), (",", "','")):
        if len(names) == 1 and other != delimiter and other in names[0]:
            raise DataError(f"{name!r} seems to have one column, but its header holds {shown}; pass delimiter={shown}")
    numbers = sum(_is_number(c) for c in names)
    if 3 * numbers >= len(names):
        raise DataError(
            f"{numbers} of {len(names)} names in the header of {name!r} are numbers; "
            "the first line seems to be a record: put a line of names above it"
        )
    faults = [
        f"column {i} of {name!r} has no name; name it, or drop it if it holds the row numbers of R or pandas"
        for i, c in enumerate(names, 1)
        if not c
    ]
    for c in dict.fromkeys(c for c in names if c):
        if names.count(c) > 1:
            places = ", ".join(str(i) for i, x in enumerate(names, 1) if x == c)
            faults.append(f"{name!r} has the name {c!r} more than once (columns {places}); names must differ")
    raise_all(faults, DataError)


def _is_number(name: str) -> bool:
    """Say whether a name is a number that is no year."""
    try:
        return math.isfinite(float(name)) and float(name) not in _YEARS
    except ValueError:
        return False


def _parse_fast(body: str, names: list[str], delimiter: str) -> pl.DataFrame | None:
    """Parse with polars; None where the result could not be trusted."""
    skeleton = _skeleton(body, delimiter)
    lines = pl.Series(skeleton.split("\n"))
    delimiters = lines.str.count_matches(delimiter, literal=True)
    if '"' in skeleton or not bool((delimiters == len(names) - 1).all()):
        return None
    try:
        frame = pl.read_csv(
            body.encode(),
            has_header=False,
            separator=delimiter,
            schema=dict.fromkeys(names, pl.String),
            infer_schema=False,
            empty_string_is_null=False,
            glob=False,
        )
    except pl.exceptions.PolarsError:
        return None
    return frame if frame.height == lines.len() else None


def _skeleton(body: str, delimiter: str) -> str:
    """Put a letter in the place of every well-formed quoted cell."""
    if '"' not in body:
        return body
    edge = f"[^{re.escape(delimiter)}\\n]"
    return re.sub(rf'(?<!{edge})"[^"]*(?:""[^"]*)*"(?!{edge})', "x", body)


def _parse_slowly(content: str, names: list[str], delimiter: str, name: str) -> pl.DataFrame:
    """Parse with Python's csv module and name the first line at fault; blank lines are left out."""
    rows: list[list[str]] = []
    line = 1
    reader = csv.reader(_lines(content), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if row and len(row) != len(names):
                raise DataError(
                    f"line {line} of {name!r} has {len(row)} cell(s) where the header has {len(names)}; "
                    "mend the line, or put cells that hold the delimiter between quotation marks"
                )
            if row or (len(names) == 1 and rows):
                rows.append(row or [""])
            line = reader.line_num + 1
    except csv.Error:
        raise DataError(
            f"the record that starts on line {line} of {name!r} cannot be parsed: "
            "a quotation mark in it is not closed, or followed by text (write a mark inside a cell twice), "
            "or a cell has more than 131,072 characters"
        ) from None
    if len(rows) < 2:
        raise DataError(f"{name!r} has a header but no records")
    return pl.DataFrame(rows[1:], schema=dict.fromkeys(names, pl.String), orient="row")


def _line_of(content: str, delimiter: str, record: int, *, single: bool) -> int:
    """Find the line on which a record starts, counting records from 0."""
    reader = csv.reader(_lines(content), delimiter=delimiter)
    seen, line = -1, 1
    # A cell too long for the csv module ends the search at its own line.
    with contextlib.suppress(csv.Error):
        for row in reader:
            if row or (single and seen >= 0):
                if seen == record:
                    break
                seen += 1
            line = reader.line_num + 1
    return line


def _lines(text: str) -> Iterator[str]:
    """Give a text line by line without copying it."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end
