"""Write a file whole or not at all, and never over one that was read."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from confide.errors import DataError
from confide.kit.ledger import refusal, written
from confide.kit.pieces import Piece, tidy

OWNER, ANYBODY = 0o600, 0o666
"""Who may read a file: its owner, or whoever the system's settings (umask) let."""
ADVICE = {
    errno.EACCES: "check the permissions of its folder",
    errno.EPERM: "check the permissions of its folder",
    errno.ENOSPC: "free some space, or write elsewhere",
    errno.EDQUOT: "free some space, or write elsewhere",
    errno.EFBIG: "the disk or your account allows no file of this size; write elsewhere",
    errno.EROFS: "write elsewhere",
    errno.ENAMETOOLONG: "choose a shorter one",
}
"""What to do about errors of the system."""


def free_path(path: str | os.PathLike[str], *, overwrite: bool, option: str = "overwrite=True") -> Path:
    """Give the path of a file that may be written; raise where it may not, or would be replaced unasked.

    Args:
        path: where something is to be written.
        overwrite: replace a file that is there.
        option: what to type to replace one.
    """
    path = Path(path)
    reason = refusal(path)
    if reason is not None:
        raise DataError(f"{str(path)!r} {reason}")
    if not path.parent.is_dir():
        raise DataError(f"the folder {str(path.parent)!r} does not exist; make it first")
    if path.exists() and not overwrite:
        raise DataError(f"{str(path)!r} is there already; pass {option} to replace it, or choose another name")
    return path


@contextmanager
def written_whole(path: Path, *, overwrite: bool = True, private: bool = True) -> Iterator[IO[bytes]]:
    """Open a file that takes its place when all went well; nothing is left behind when it did not.

    A file that was read is never replaced. Where the system has files without names, not even a process that is
    killed leaves a piece behind; elsewhere the next run removes it.

    Args:
        path: where the file is to stand.
        overwrite: replace a file that is there.
        private: only the owner can read it; else whoever the system's settings let.
    """
    reason = refusal(path)
    if reason is not None:
        raise DataError(f"{str(path)!r} {reason}")
    tidy(path.parent)
    try:
        with Piece(path.parent, OWNER if private else ANYBODY) as piece:
            with os.fdopen(os.dup(piece.handle), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            piece.settle(path, overwrite=overwrite)
            written(path)
    except Exception as error:
        if isinstance(error, OSError) or _number(error) is not None:
            raise cannot_write(path, error) from None
        raise


def write_text_whole(path: Path, text: str, *, overwrite: bool = True, private: bool = True) -> None:
    """Write a text file.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "note.txt"
    >>> write_text_whole(target, "kept")
    >>> target.read_text(), oct(target.stat().st_mode & 0o777)
    ('kept', '0o600')
    """
    with written_whole(path, overwrite=overwrite, private=private) as file:
        file.write(text.encode())


def make_folder(path: Path) -> Path:
    """Make a folder that only its owner can open, unless it is there."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot make the folder {str(path)!r}: {error.strerror or type(error).__name__}") from None
    return path


def cannot_write(path: Path, error: Exception) -> DataError:
    """Say why the system did not let a file be written, and what to do about it.

    >>> cannot_write(Path("kept.txt"), OSError(errno.ENOSPC, "full")).args[0]
    "cannot write 'kept.txt': No space left on device; free some space, or write elsewhere"
    """
    return DataError(_told(path, error))


def _told(path: Path, error: Exception) -> str:
    """Say why a file could not be written."""
    if isinstance(error, FileExistsError):
        return f"{str(path)!r} is there already; choose another name"
    number = _number(error)
    reason, advice = type(error).__name__ if number is None else os.strerror(number), ADVICE.get(number or 0)
    return f"cannot write {str(path)!r}: {reason}{f'; {advice}' if advice else ''}"


def _number(error: Exception) -> int | None:
    """Give the system's number of an error; writers of other languages tell it in their words."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    found = re.search(r"\(os error (\d+)\)", str(error))
    return None if found is None else int(found[1])
