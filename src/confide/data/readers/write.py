"""Write microdata to a file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from confide.data.codebook import Role
from confide.data.frames import to_polars
from confide.errors import DataError

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
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder; give the path of a file")
    if not path.parent.is_dir():
        raise DataError(f"the folder {str(path.parent)!r} does not exist; make it first")
    if path.exists() and not overwrite:
        raise DataError(f"{str(path)!r} is there already; pass overwrite=True to replace it")
    released = microdata.without(microdata.with_role(Role.IDENTIFIER))
    if not released.names:
        raise DataError(f"{microdata.name!r} has no variables to write but identifiers, which are never written")
    _write_whole(to_polars(released), path, suffix)
    return path


def _write_whole(frame: pl.DataFrame, path: Path, suffix: str) -> None:
    """Write beside the target, then put the finished file in its place."""
    try:
        # mkstemp makes the file readable by its owner only, and replacing keeps that.
        handle, temporary = tempfile.mkstemp(prefix=".confide-", suffix=suffix, dir=path.parent)
    except OSError as error:
        raise DataError(f"cannot write into {str(path.parent)!r}: {error.strerror}; check its permissions") from None
    try:
        with os.fdopen(handle, "wb") as file:
            if suffix == ".parquet":
                frame.write_parquet(file)
            elif suffix in (".csv", ".tsv"):
                frame.write_csv(file, separator="\t" if suffix == ".tsv" else ",")
            else:
                frame.write_ipc(file)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError as error:
        raise DataError(f"cannot write {str(path)!r}: {error.strerror or type(error).__name__}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)
