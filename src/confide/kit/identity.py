"""When two paths are one file."""

from __future__ import annotations

import os
import stat
import unicodedata
from dataclasses import dataclass
from pathlib import Path

AnyPath = str | os.PathLike[str]
FOLDER = "a folder"
KINDS = (
    (stat.S_ISDIR, FOLDER),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a file is known by: where it lies once links are followed, and its place on the disk."""

    real: str
    """The path without links."""
    key: str
    """The same, in one spelling for names that differ only in case or in how accents are written."""
    inode: tuple[int, int] | None
    """Device and number on it; None where there is no such file, or the system does not tell."""


def identity(path: AnyPath) -> Identity:
    """Say what a file is known by, whether it is there or not.

    >>> identity("People.csv").key == identity("./people.CSV").key
    True
    """
    real = os.path.realpath(path)
    key = unicodedata.normalize("NFC", real).casefold()
    found = looked_up(path)
    return Identity(real, key, (found.st_dev, found.st_ino) if found is not None and found.st_ino else None)


def same_file(one: AnyPath, other: AnyPath) -> bool:
    """Say whether two paths are one file: by name, whatever its case, or through links of either kind.

    >>> same_file("people.csv", "PEOPLE.csv"), same_file("people.csv", "others.csv")
    (True, False)
    """
    a, b = identity(one), identity(other)
    return a.key == b.key or (a.inode is not None and a.inode == b.inode)


def odd_kind(path: AnyPath) -> str | None:
    """Name what stands at a path if it is no plain file; None where it is one, or where nothing is there.

    >>> odd_kind(Path.cwd()), odd_kind("a file that is not there")
    ('a folder', None)
    """
    found = looked_up(path)
    return None if found is None else next((name for is_kind, name in KINDS if is_kind(found.st_mode)), None)


def looked_up(path: AnyPath) -> os.stat_result | None:
    """Give what the system tells of a file, links followed; None where it tells nothing."""
    try:
        return Path(path).stat()
    except (OSError, ValueError):
        return None
