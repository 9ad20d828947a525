"""The files that were read, none of which may be replaced.

Every reader of confide announces the file it is about to open, and every writer asks before it writes. A file is known
by the path that is left when links are followed, whatever the case of its letters, and by its place on the disk, so that
another name for it does not help.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from confide.errors import UserMistake, raise_all
from confide.kit.identity import AnyPath, Identity, identity, odd_kind
from confide.kit.pieces import forget_folders

_READ: dict[str, Identity] = {}
"""What was read, by path without links."""


def reading(path: AnyPath, error: type[UserMistake]) -> Path:
    """Note that a file is about to be read, and refuse what is no plain file: a pipe would wait for ever.

    A file that is not there is left to the reader, which has its own words for it.

    Args:
        path: the file.
        error: what to raise.
    """
    path = plain(path, error)
    found = identity(path)
    if found.inode is not None:
        _READ[found.real] = found
    return path


def plain(path: AnyPath, error: type[UserMistake]) -> Path:
    """Refuse what is no plain file, and note nothing.

    Args:
        path: the file.
        error: what to raise.
    """
    kind = odd_kind(path)
    if kind is not None:
        raise_all([f"{os.fspath(path)!r} is {kind}; give the path of one file"], error)
    return Path(path)


def refusal(path: AnyPath, inputs: Iterable[AnyPath] = (), what: str = "which the plan reads") -> str | None:
    """Say why a file may not be written; None where it may.

    Args:
        path: where something is to be written.
        inputs: files that are going to be read, whether they were read already or not.
        what: what these are.

    >>> refusal("new.csv"), refusal("DATA.csv", ["data.csv"])
    (None, "is the same file as 'data.csv', which the plan reads; choose another name")
    """
    kind = odd_kind(path)
    if kind is not None:
        return f"is {kind}; give the path of a file"
    target = identity(path)
    for one in inputs:
        if _same(target, identity(one)):
            return f"{_would(path, target, os.fspath(one))}, {what}; choose another name"
    for read in list(_READ.values()):
        gone = identity(read.real).inode is None and target.inode != read.inode
        if not gone and _same(target, read):
            return f"{_would(path, target, read.real)}, which was read; choose another name"
    return None


def written(path: AnyPath) -> None:
    """Note that a file is new: if the disk used the place of one that was read, that one is gone."""
    new = identity(path).inode
    for real, one in list(_READ.items()):
        if one.inode == new:
            del _READ[real]


def forget() -> None:
    """Forget all files that were read; a new run begins."""
    _READ.clear()
    forget_folders()


def _same(one: Identity, other: Identity) -> bool:
    """Say whether two identities are one file."""
    return one.key == other.key or (one.inode is not None and one.inode == other.inode)


def _would(path: AnyPath, target: Identity, read: str) -> str:
    """Say what writing would do to a file that was read."""
    name = Path(read).name
    plainly = Path(path).name == name and target.real == os.path.realpath(read)
    return f"would replace {name!r}" if plainly else f"is the same file as {name!r}"
