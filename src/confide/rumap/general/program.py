"""Which program made a figure: another one may give another figure for the same question."""

from __future__ import annotations

import functools
import hashlib
import secrets
from pathlib import Path

SOURCES = Path(__file__).parents[2]
"""Where the program lies."""


def digest_of(folder: Path) -> str:
    """Give a name for the program in a folder, made of its version and of every source file.

    Where there are no source files to read it is not known which program it is: the name is a new one every time.

    Args:
        folder: the package.
    """
    from confide import __version__

    files = sorted(folder.rglob("*.py")) if folder.is_dir() else []
    if not files:
        return secrets.token_hex(32)
    digest = hashlib.sha256(__version__.encode())
    for path in files:
        text = path.read_bytes()
        digest.update(f"\x1f{path.relative_to(folder).as_posix()}\x1f{len(text)}\x1f".encode() + text)
    return digest.hexdigest()


@functools.cache
def program() -> str:
    """Give the name of the running program, found once.

    >>> program() == program(), len(program())
    (True, 64)
    """
    return digest_of(SOURCES)
