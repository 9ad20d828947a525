"""Write a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from confide.errors import DataError


def write_text_whole(path: Path, text: str) -> None:
    """Write text beside the target, then put the finished file in its place.

    Only the owner can read the file. Nothing is left behind when writing fails.

    >>> target = Path(tempfile.mkdtemp()) / "note.txt"
    >>> write_text_whole(target, "kept")
    >>> target.read_text(), oct(target.stat().st_mode & 0o777)
    ('kept', '0o600')
    """
    try:
        # mkstemp makes the file readable by its owner only, and replacing keeps that.
        handle, temporary = tempfile.mkstemp(prefix=".confide-", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise DataError(f"cannot write into {str(path.parent)!r}: {error.strerror}; check its permissions") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError as error:
        raise DataError(f"cannot write {str(path)!r}: {error.strerror or type(error).__name__}") from None
    finally:
        Path(temporary).unlink(missing_ok=True)
