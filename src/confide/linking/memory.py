"""Say beforehand when work would not fit in memory."""

from __future__ import annotations

import os
from pathlib import Path

from confide.errors import IntruderError


def available_memory() -> int | None:
    """Give the number of bytes that can still be taken; None where the system does not tell."""
    try:
        with Path("/proc/meminfo").open(encoding="ascii") as file:
            found = [line.split()[1] for line in file if line.startswith("MemAvailable:")]
        return int(found[0]) * 1024 if found else None
    except OSError:
        try:
            return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (AttributeError, ValueError, OSError):
            return None


FEWER = "assess fewer targets at a time with Targets.of_rows(...), or recode variables to fewer values"


def needs_memory(size: int, what: str, *, instead: str = FEWER) -> None:
    """Raise when an array would not fit.

    Args:
        size: the number of bytes.
        what: what takes them.
        instead: what to do about it.

    >>> needs_memory(1_000, "a small table")
    """
    free = available_memory()
    if free is not None and size > 0.8 * free:
        raise IntruderError(f"{what} would take {size / 2**30:.1f} GB, {free / 2**30:.1f} GB are free; {instead}")
