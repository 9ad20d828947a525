"""Files on their way: without a name where the system has such, else under one that tells whose they are.

A file without a name vanishes with the process that writes it, however that ends. Where there are none, or for the moment
in which a new file takes the place of an old one, it is called `.confide-HOST-PROCESS-RANDOM`; what a dead process of the
same machine left under such a name is removed when the folder is written to the next time.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Self

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

START = ".confide-"
_MINE: set[str] = set()
"""Pieces that this process is writing."""
_TIDIED: set[str] = set()
"""Folders that were looked through already."""


class Piece:
    """A file that is no result yet; whatever happens, nothing is left of it but what `settle` made of it.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with Piece(folder, 0o600) as piece:
    ...     _ = os.write(piece.handle, b"whole")
    ...     piece.settle(folder / "result.txt", overwrite=False)
    >>> [p.name for p in folder.iterdir()], (folder / "result.txt").read_text()
    (['result.txt'], 'whole')
    """

    def __init__(self, folder: Path, mode: int) -> None:
        """Choose where the file is to be, and who may read it.

        Args:
            folder: where it is to be.
            mode: who may read it.
        """
        self._folder, self._mode = folder, mode
        self._stack = contextlib.ExitStack()
        self._name: Path | None = None
        self.handle = -1
        """What the system calls the open file."""

    def __enter__(self) -> Self:
        """Open the file."""
        handle = _unnamed(self._folder, self._mode)
        if handle is None:
            with contextlib.ExitStack() as stack:
                self._name = stack.enter_context(named(self._folder))
                flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
                handle = os.open(self._name, flags, self._mode)
                self._stack = stack.pop_all()
        self.handle = handle
        _lock(handle)
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file, and remove it unless it was settled."""
        self._close()
        self._stack.close()

    def settle(self, path: Path, *, overwrite: bool) -> None:
        """Let the file take its place.

        Args:
            path: where it is to stand.
            overwrite: replace a file that is there.
        """
        if self._name is not None:
            self._close()  # an open file cannot be moved everywhere
            _move(self._name, path, overwrite=overwrite)
            return
        try:
            _give_name(self.handle, path)
        except FileExistsError:
            if not overwrite:
                raise
            with named(path.parent) as new:
                _give_name(self.handle, new)
                new.replace(path)
        except OSError:
            # the system makes files without names but cannot give them one, as some containers do
            with named(path.parent) as new:
                _copy(self.handle, new)
                _move(new, path, overwrite=overwrite)

    def _close(self) -> None:
        """Close the file once."""
        handle, self.handle = self.handle, -1
        if handle >= 0:
            os.close(handle)


def tidy(folder: Path) -> None:
    """Remove what dead processes of this machine left in a folder; once for each folder and run."""
    real = os.path.realpath(folder)
    if real in _TIDIED or os.name != "posix":
        return
    _TIDIED.add(real)
    with contextlib.suppress(OSError), os.scandir(real) as entries:
        for entry in entries:
            if is_left_over(entry.name) and entry.is_file(follow_symlinks=False):
                _remove(entry.path)


def is_left_over(name: str) -> bool:
    """Say whether a name is that of a piece which a dead process of this machine was at."""
    found = re.fullmatch(rf"{re.escape(START + _host())}-(\d+)-[0-9a-f]{{16}}", name)
    return found is not None and name not in _MINE and not _alive(int(found[1]))


def forget_folders() -> None:
    """Look through all folders again: a new run begins."""
    _TIDIED.clear()


def _unnamed(folder: Path, mode: int) -> int | None:
    """Open a file without a name; None where there are none."""
    flag = getattr(os, "O_TMPFILE", None)
    if flag is None or not os.path.isdir("/proc/self/fd"):  # noqa: PTH112 - a link, which pathlib would resolve
        return None
    try:
        return os.open(folder, os.O_RDWR | flag, mode)
    except OSError:
        return None


def _give_name(handle: int, path: Path) -> None:
    """Give a file without a name one that nothing has."""
    # a folder must be named for the link to be followed; the path is whole, so that it does not matter which
    os.link(f"/proc/self/fd/{handle}", path, src_dir_fd=handle, follow_symlinks=True)


@contextlib.contextmanager
def named(folder: Path) -> Iterator[Path]:
    """Choose a name for a piece; what has it in the end is removed."""
    name = folder / f"{START}{_host()}-{os.getpid()}-{secrets.token_hex(8)}"
    _MINE.add(name.name)
    try:
        yield name
    finally:
        with contextlib.suppress(OSError):
            name.unlink(missing_ok=True)
        _MINE.discard(name.name)


def _move(name: Path, path: Path, *, overwrite: bool) -> None:
    """Give a piece its last name."""
    if not overwrite:
        try:
            os.link(name, path)
        except FileExistsError:
            raise
        except OSError:  # a disk without links
            if path.exists():
                raise FileExistsError from None
        else:
            return
    name.replace(path)


def _copy(handle: int, new: Path) -> None:
    """Write the content of a file again, under a name."""
    mode = os.fstat(handle).st_mode & 0o777
    os.lseek(handle, 0, os.SEEK_SET)
    target = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(target, "wb") as to, os.fdopen(os.dup(handle), "rb") as source:
        _lock(to.fileno())
        shutil.copyfileobj(source, to, 1 << 20)
        to.flush()
        os.fsync(to.fileno())


def _host() -> str:
    """Give the name of this machine as part of a file's name."""
    return re.sub(r"[^A-Za-z0-9.]", "_", platform.node())[:64]


def _alive(process: int) -> bool:
    """Say whether a process other than this one runs; pieces of this one are known by name."""
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _lock(handle: int) -> None:
    """Hold a piece: a process in another container may have the same machine's name and not see this process."""
    if fcntl is not None:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove(path: str) -> None:
    """Remove a piece that nobody holds."""
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            if fcntl is not None:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)  # noqa: PTH108 - a name as the system gave it
        finally:
            os.close(handle)
