"""Write microdata to a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from confide.data.codebook import Role
from confide.data.frames import to_polars
from confide.errors import DataError
from confide.kit.files import free_path, written_whole

if TYPE_CHECKING:
    import polars as pl

    from confide.data.microdata import Microdata

SUFFIXES = (".csv", ".tsv", ".parquet", ".arrow", ".feather", ".ipc")
"""Every suffix that can be written."""


def write(microdata: Microdata, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    r"""Write a file; its suffix says how (.csv, .tsv, .parquet, .arrow, .feather, .ipc).

    Identifiers are never written. The file appears whole or not at all, and only its owner can read
    it. Missing values are empty cells in text files.

    Args:
        microdata: what to write.
        path: where to.
        overwrite: replace a file that is there.

    >>> import tempfile
    >>> import polars as pl
    >>> from confide.data.frames import from_frame
    >>> data = from_frame(pl.DataFrame({"sex": ["f", "m"], "age": [43, None]}))
    >>> write(data, Path(tempfile.mkdtemp()) / "out.csv").read_text()
    'sex,age\nf,43\nm,\n'
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise DataError(f"cannot write {path.name!r}: its suffix must be one of {', '.join(SUFFIXES)}")
    free_path(path, overwrite=overwrite)
    _write_whole(_frame(microdata), path, suffix, overwrite=overwrite)
    return path


def text_bytes(microdata: Microdata, delimiter: str) -> bytes:
    r"""Give microdata as a text file.

    >>> import polars as pl
    >>> from confide.data.frames import from_frame
    >>> text_bytes(from_frame(pl.DataFrame({"sex": ["f", "m"]})), ",")
    b'sex\nf\nm\n'
    """
    return _frame(microdata).write_csv(separator=delimiter).encode()


def _frame(microdata: Microdata) -> pl.DataFrame:
    """Give the columns that may be written."""
    released = microdata.without(microdata.with_role(Role.IDENTIFIER))
    if not released.names:
        raise DataError(f"{microdata.name!r} has no variables to write but identifiers, which are never written")
    return to_polars(released)


def _write_whole(frame: pl.DataFrame, path: Path, suffix: str, *, overwrite: bool) -> None:
    """Write in the format of the suffix."""
    with written_whole(path, overwrite=overwrite) as file:
        if suffix == ".parquet":
            frame.write_parquet(file)
        elif suffix in (".csv", ".tsv"):
            frame.write_csv(file, separator="\t" if suffix == ".tsv" else ",")
        else:
            frame.write_ipc(file)
