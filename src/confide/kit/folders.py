"""Folders that appear whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from confide.errors import DataError
from confide.kit.pieces import is_left_over, named

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """Make a folder that only its owner can open; it is removed in the end, whatever happens.

    What a killed process of this machine left beside it is removed first.

    Args:
        parent: the folder it stands in.
    """
    _tidy(parent)
    with named(parent) as folder:
        folder.mkdir(mode=0o700)
        with locked(folder):
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Fill a folder that takes its place when all went well; one that is there is replaced as a whole.

    Args:
        path: where the folder is to stand.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "results"
    >>> with whole_folder(target) as folder:
    ...     _ = (folder / "a.txt").write_text("whole")
    >>> [p.name for p in target.iterdir()], [p.name for p in target.parent.iterdir()]
    (['a.txt'], ['results'])
    """
    try:
        with scratch_folder(path.parent) as folder:
            yield folder
            lasting(folder)
            if os.path.lexists(path):
                with named(path.parent) as old:
                    path.rename(old)
                    try:
                        folder.rename(path)
                    except OSError:
                        old.rename(path)
                        raise
                    shutil.rmtree(old, ignore_errors=True)
            else:
                folder.rename(path)
            lasting(path.parent)
    except OSError as error:
        raise DataError(f"cannot write the folder {str(path)!r}: {error.strerror or type(error).__name__}") from None


@contextlib.contextmanager
def locked(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold a folder, so that nobody else who asks does; a process that ends lets go of it.

    Args:
        folder: the folder.
        wait: wait for whoever holds it; else raise an OSError.
    """
    with contextlib.ExitStack() as stack:
        if fcntl is not None:
            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except OSError as error:
                # a disk without locks: what is moved is moved once all the same
                if error.errno in (errno.EAGAIN, errno.EACCES):
                    raise
        yield


def lasting(folder: Path) -> None:
    """Have the system write down which names a folder holds, where it can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _tidy(parent: Path) -> None:
    """Remove folders that dead processes of this machine left, unless somebody holds them."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if is_left_over(entry.name) and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError), locked(Path(entry.path), wait=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
