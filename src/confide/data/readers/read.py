"""Read a file of respondents, whatever its format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from confide.data.frames import from_frame
from confide.data.microdata import Microdata
from confide.data.readers.arrow import read_arrow
from confide.data.readers.delimited import read_delimited
from confide.data.readers.parquet import read_parquet
from confide.data.readers.statistical import SUFFIXES as STATISTICAL
from confide.data.readers.statistical import read_statistical
from confide.errors import DataError
from confide.kit.identity import FOLDER, looked_up, odd_kind
from confide.kit.ledger import reading

MISSING_TEXTS = ("", "NA")
"""Cells of a text file that are read as missing unless said otherwise."""
DELIMITERS = {".csv": ",", ".txt": ",", ".tsv": "\t"}
"""What stands between the cells of a text file, by suffix."""
ARROW = (".arrow", ".feather", ".ipc")
SUFFIXES = (*DELIMITERS, *(f"{s}.gz" for s in DELIMITERS), ".parquet", *ARROW, *STATISTICAL)
"""Every suffix that can be read."""


def read(
    path: str | os.PathLike[str],
    *,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    missing: str | Sequence[str] = MISSING_TEXTS,
    text: str | Sequence[str] = (),
    name: str | None = None,
) -> Microdata:
    r"""Read a file; its suffix says how.

    Text files (.csv, .tsv, .txt, also with .gz) have one line of names and at least one record.
    Spaces around cells are dropped. A column is numeric when all of its cells are numbers;
    it stays text when a cell has a leading zero (``01234``) or more digits than a number keeps
    (2**53). Thousands separators are not guessed. A column in which at least nine cells in ten are
    numbers and some are not is refused, because a guess either way would lose something.
    Other files (.parquet, .arrow, .feather, .ipc, .sav, .zsav, .por, .dta, .sas7bdat, .xpt) know
    their types themselves. A file that would not fit into memory is refused before it is loaded
    (:mod:`confide.data.readers.size`).

    Args:
        path: the file.
        encoding: how a text file writes its characters.
        delimiter: what stands between cells; by suffix when None (tab for .tsv, else comma).
        missing: cells of a text file that mean "no value"; an empty cell always does.
        text: columns of a text file to be read as text, whatever their cells look like.
        name: what the file is called in prints and reports; its own name when None.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "people.csv").write_text("sex,age\nf,43\nm,NA\n")
    >>> data = read(folder / "people.csv")
    >>> data.names, int(data.columns["age"].is_missing.sum())
    (('sex', 'age'), 1)
    """
    path = Path(path)
    suffix = _suffix(path)
    _check_file(path)
    called = name or path.name
    try:
        return _read(path, suffix, encoding, delimiter, _several(missing), _several(text), called)
    except MemoryError:
        raise DataError(
            f"there is not enough memory to read {path.name!r}; keep the variables or records you need in a smaller file, "
            "or take a larger machine"
        ) from None


def _read(
    path: Path, suffix: str, encoding: str, delimiter: str | None, missing: Sequence[str], text: Sequence[str], name: str
) -> Microdata:
    """Read a file whose suffix is known."""
    plain = suffix.removesuffix(".gz")
    if plain in DELIMITERS:
        separator = DELIMITERS[plain] if delimiter is None else delimiter
        frame = read_delimited(path, encoding, separator, missing=missing, text=text)
        return from_frame(frame, name=name)
    if delimiter is not None or text or missing != MISSING_TEXTS:
        raise DataError(f"delimiter, missing and text are for text files; {path.name!r} is not one, leave them out")
    if suffix in STATISTICAL:
        return read_statistical(path, suffix, name=name, encoding=None if encoding == "utf-8" else encoding)
    return from_frame(read_parquet(path) if suffix == ".parquet" else read_arrow(path), name=name)


def _several(texts: str | Sequence[str]) -> tuple[str, ...]:
    """Take one text or several."""
    return (texts,) if isinstance(texts, str) else tuple(texts)


def _suffix(path: Path) -> str:
    """Find the known suffix of a path."""
    low = path.name.lower()
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if low.endswith(suffix):
            return suffix
    found = f"ends in {path.suffix!r}" if path.suffix else "has no suffix"
    raise DataError(f"{path.name!r} {found}, which cannot be read; known suffixes: {', '.join(SUFFIXES)}")


def _check_file(path: Path) -> None:
    """Say what is wrong with a path before opening it."""
    reading(path, DataError)
    if looked_up(path) is None:
        where = "" if odd_kind(path.parent) == FOLDER else f"; the folder {str(path.parent)!r} does not exist either"
        raise DataError(f"there is no file {str(path)!r}{where}")
    try:
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise DataError(f"{str(path)!r} cannot be opened: {error.strerror}; check its permissions") from None
    if empty:
        raise DataError(f"{path.name!r} is empty")
