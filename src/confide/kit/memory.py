"""How much memory there is, and whether work would fit into it.

The least of three counts: what the machine has left, what the containers around the process
leave it (:mod:`confide.kit.containers`), and what its own limits leave it. Work fits when it
takes at most four fifths of that.
"""

from __future__ import annotations

import os
from pathlib import Path

from confide.errors import DataError, UserMistake
from confide.kit.containers import left_in_containers

SHARE = 0.8
"""Work may take this share of what is left: other processes take memory, too."""


def available() -> int | None:
    """Give the number of bytes that this process may still take; None where the system does not tell.

    >>> left = available()
    >>> left is None or left >= 0
    True
    """
    known = [x for x in (_machine(), *left_in_containers(), *_own_limits()) if x is not None]
    return min(known, default=None)


def fits(size: float, free: int | None) -> bool:
    """Say whether so many bytes may be taken; yes where nobody knows what is left.

    >>> fits(799, 1_000), fits(801, 1_000)
    (True, False)
    """
    return free is None or size <= SHARE * free


def needs(size: float, what: str, *, instead: str, error: type[UserMistake] = DataError, free: int | None = None) -> None:
    """Raise when work would not fit.

    Args:
        size: the number of bytes it takes.
        what: what takes them.
        instead: what to do about it.
        error: the kind of mistake it is.
        free: the bytes that are left; those of `available` when None.

    >>> needs(1_000, "reading a small file", instead="buy memory")
    """
    free = available() if free is None else free
    if free is not None and not fits(size, free):
        raise error(f"{what} would take {size / 2**30:.1f} GB, {free / 2**30:.1f} GB are free; {instead}")


def _machine() -> int | None:
    """Give what the machine has left; where it does not say, all it has."""
    try:
        with Path("/proc/meminfo").open(encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    for pages in ("SC_AVPHYS_PAGES", "SC_PHYS_PAGES"):
        try:
            return os.sysconf("SC_PAGE_SIZE") * os.sysconf(pages)
        except (AttributeError, ValueError, OSError):
            continue
    return None


def _own_limits() -> list[int]:
    """Give what the limits of the process (ulimit -v, ulimit -d) leave it."""
    try:
        import resource
    except ImportError:
        return []
    try:
        pages = [int(x) for x in Path("/proc/self/statm").read_text(encoding="ascii").split()]
        used = [os.sysconf("SC_PAGE_SIZE") * pages[i] for i in (0, 5)]
    except (OSError, ValueError, IndexError):
        used = [0, 0]
    limits = [resource.getrlimit(which)[0] for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return [max(0, limit - taken) for limit, taken in zip(limits, used, strict=True) if limit != resource.RLIM_INFINITY]
