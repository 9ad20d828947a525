"""Read hierarchies and code lists as tau-ARGUS writes them."""

from __future__ import annotations

import os
from pathlib import Path

from confide.errors import TableError
from confide.kit.ledger import reading
from confide.tables.hierarchy import NO_TEXTS, Hierarchy

MARK = "@"
"""What tau-ARGUS puts before a code, once for each level, unless told otherwise."""


def read_hierarchy(
    path: str | os.PathLike[str],
    *,
    leading: str | None = None,
    codelist: str | os.PathLike[str] | None = None,
    encoding: str = "utf-8",
) -> Hierarchy:
    r"""Read a hierarchy from a `.hrc` file: a code on each line, led by a mark for each level below the first.

    Spaces around codes are dropped, so that `@ 1` is the code 1. A coarser code that stands in two places is two codes;
    the second gets the name of the code above before its own.

    Args:
        path: the file.
        leading: the mark; when None `@`, or spaces if no line starts with `@`.
        codelist: a `.cdl` file that says what codes mean.
        encoding: how the files write their characters.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "region.hrc"
    >>> _ = file.write_text("Nr\n@ 1\n@ 2\nZd\n@11\n")
    >>> read_hierarchy(file).leaves
    ('1', '2', '11')
    """
    lines = _lines(path, encoding)
    if not lines:
        raise TableError(f"{Path(path).name!r} holds no codes")
    mark = leading if leading is not None else _mark([text for _, text in lines])
    read = [(number, *_split(text, mark)) for number, text in lines]
    parents: dict[str, str | None] = {}
    above: list[str] = []
    for i, (number, depth, code) in enumerate(read):
        where = f"{Path(path).name!r}, line {number}"
        if not code:
            raise TableError(f"{where}: there is a mark but no code")
        if depth > len(above):
            raise TableError(
                f"{where}: code {code!r} is {depth - len(above)} level(s) too deep; levels must not be left out"
            )
        name = code
        if code in parents:
            holds = i + 1 < len(read) and read[i + 1][1] > depth
            name = f"{above[depth - 1]} {code}" if depth and holds else code
            if name in parents:
                raise TableError(f"{where}: code {code!r} stands twice; records that hold it could lie in either")
        parents[name] = above[depth - 1] if depth else None
        above = [*above[:depth], name]
    texts = NO_TEXTS if codelist is None else read_codelist(codelist, encoding=encoding)
    return Hierarchy(parents, texts=texts)


def read_codelist(path: str | os.PathLike[str], *, encoding: str = "utf-8") -> dict[str, str]:
    r"""Read a code list: a code, a comma and its meaning on each line.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "region.cdl"
    >>> _ = file.write_text(" 1,Groningen\nNr,North\n")
    >>> read_codelist(file)
    {'1': 'Groningen', 'Nr': 'North'}
    """
    found: dict[str, str] = {}
    for number, line in _lines(path, encoding):
        code, comma, text = line.partition(",")
        if not comma:
            raise TableError(f"{Path(path).name!r}, line {number}: expected a code, a comma and a text")
        found[code.strip()] = text.strip()
    return found


def _lines(path: str | os.PathLike[str], encoding: str) -> list[tuple[int, str]]:
    """Give the lines that are not blank, without the spaces at their ends, counted from 1."""
    try:
        text = reading(path, TableError).read_text(encoding=encoding)
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(
            f"cannot read {Path(path).name!r} ({type(error).__name__}); check the path and the encoding"
        ) from None
    return [(i, line.rstrip()) for i, line in enumerate(text.lstrip("\ufeff").splitlines(), 1) if line.strip()]


def _split(line: str, mark: str) -> tuple[int, str]:
    """Count the marks before a code."""
    depth = 0
    while line.startswith(mark):
        depth, line = depth + 1, line[len(mark) :]
    return depth, line.strip()


def _mark(lines: list[str]) -> str:
    """Find the mark: `@`, else the smallest number of spaces or tabs before a code."""
    if any(line.startswith(MARK) for line in lines):
        return MARK
    wide = [line[: len(line) - len(line.lstrip())] for line in lines]
    return min((w for w in wide if w), key=len, default=MARK)
