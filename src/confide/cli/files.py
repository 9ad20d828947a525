"""Write files whole or not at all, readable by their owner only."""

from __future__ import annotations

from pathlib import Path

from confide.data.atomic import write_text_whole
from confide.errors import DataError


def write_text(path: Path, text: str, *, overwrite: bool = False) -> Path:
    """Write a text file.

    Args:
        path: where to.
        text: what to write.
        overwrite: replace a file that is there.
    """
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder; give the path of a file")
    if path.exists() and not overwrite:
        raise DataError(f"{str(path)!r} is there already; pass --overwrite to replace it, or choose another name")
    if not path.parent.is_dir():
        raise DataError(f"the folder {str(path.parent)!r} does not exist; make it first")
    write_text_whole(path, text)
    return path


def make_folder(path: Path) -> Path:
    """Make a folder that only its owner can open, unless it is there."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot make the folder {str(path)!r}: {error.strerror or type(error).__name__}") from None
    return path
