"""A file that grows line by line, whoever writes: several processes at once, and each may be killed at any moment."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from confide.kit.files import written_whole

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

LONGEST = 1 << 20
"""Longer lines are no lines of ours; they are not loaded."""


def make_lines(path: Path) -> None:
    """Make a file for lines unless it is there, and close it to everybody but its owner.

    Args:
        path: the file.
    """
    handle = _opened(path)
    try:
        if os.name == "posix" and os.fstat(handle).st_mode & 0o077:
            os.fchmod(handle, 0o600)
    finally:
        os.close(handle)


def append_line(path: Path, line: bytes) -> None:
    """Write a line at the end of a file, to the disk; what could not be written whole is taken back.

    The file belongs to its owner alone. A piece that an earlier process left at its end stays a line of its own.

    Args:
        path: the file; it is made where there is none.
        line: what to write, without a line's end in it.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "kept.txt"
    >>> append_line(file, b"one")
    >>> append_line(file, b"two")
    >>> read_lines(file)
    [b'one', b'two']
    """
    with _alone(path.parent) as alone:
        handle = _opened(path)
        try:
            end = os.fstat(handle).st_size
            try:
                _write(handle, _start(handle, end) + line + b"\n")
                os.fsync(handle)
            except OSError:
                if alone:  # else another process may have written after us
                    os.ftruncate(handle, end)
                raise
        finally:
            os.close(handle)


def read_lines(path: Path) -> list[bytes]:
    """Read the lines of a file, none where it is not there; of one that is too long only the beginning.

    Args:
        path: the file.
    """
    with _alone(path.parent):
        return _read(path)


def drop_lines(path: Path, drop: Callable[[bytes], bool]) -> None:
    """Take lines out of a file; it is left as it was where others cannot be kept from writing meanwhile.

    Args:
        path: the file.
        drop: says of a line whether it goes.
    """
    with _alone(path.parent) as alone:
        lines = _read(path)
        if alone and all(len(line) <= LONGEST for line in lines):
            with written_whole(path) as file:
                file.writelines(line + b"\n" for line in lines if not drop(line))


def _opened(path: Path) -> int:
    """Open a file to write at its end; a link is not followed."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    return os.open(path, flags, 0o600)


def _start(handle: int, end: int) -> bytes:
    """Give what must stand before a new line: the end of a line that was cut off."""
    if end == 0:
        return b""
    os.lseek(handle, end - 1, os.SEEK_SET)
    return b"" if os.read(handle, 1) == b"\n" else b"\n"


def _write(handle: int, data: bytes) -> None:
    """Write everything, in one go where the system can."""
    while data:
        done = os.write(handle, data)
        if done == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        data = data[done:]


def _read(path: Path) -> list[bytes]:
    """Read lines, each without its end; of one that is too long no more than shows that it is."""
    lines, inside = [], False
    try:
        with path.open("rb") as file:
            while piece := file.readline(LONGEST + 2):
                if not inside:
                    lines.append(piece.removesuffix(b"\n"))
                inside = not piece.endswith(b"\n")
    except FileNotFoundError:
        return []
    return lines


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Keep other processes from writing into a folder's files; say whether the system can."""
    handle = os.open(folder, os.O_RDONLY) if fcntl is not None else -1  # elsewhere folders are not opened
    try:
        yield _locked(handle)
    finally:
        if handle >= 0:
            os.close(handle)


def _locked(handle: int) -> bool:
    """Lock what is open, waiting for others; say whether the system could."""
    if fcntl is not None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:  # a disk without locks
            return False
    return fcntl is not None
