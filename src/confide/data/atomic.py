"""Write a file whole or not at all, readable by its owner only."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from confide.errors import DataError


def free_path(path: str | os.PathLike[str], *, overwrite: bool) -> Path:
    """Give the path of a file that may be written; raise where it is a folder, has none, or would be replaced unasked."""
    path = Path(path)
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder; give the path of a file")
    if not path.parent.is_dir():
        raise DataError(f"the folder {str(path.parent)!r} does not exist; make it first")
    if path.exists() and not overwrite:
        raise DataError(f"{str(path)!r} is there already; pass overwrite=True to replace it")
    return path


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Open a file beside the target; when all went well it takes the target's place.

    Only the owner can read the file. Nothing is left behind when writing fails.
    """
    try:
        # mkstemp makes the file readable by its owner only, and replacing keeps that.
        handle, temporary = tempfile.mkstemp(prefix=".confide-", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise DataError(f"cannot write into {str(path.parent)!r}: {error.strerror}; check its permissions") from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError as error:
        raise DataError(f"cannot write {str(path)!r}: {error.strerror or type(error).__name__}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def write_text_whole(path: Path, text: str) -> None:
    """Write a text file.

    >>> target = Path(tempfile.mkdtemp()) / "note.txt"
    >>> write_text_whole(target, "kept")
    >>> target.read_text(), oct(target.stat().st_mode & 0o777)
    ('kept', '0o600')
    """
    with written_whole(path) as file:
        file.write(text.encode())
