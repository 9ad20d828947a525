"""Say beforehand when work would not fit in memory."""

from __future__ import annotations

from confide.errors import IntruderError
from confide.kit.memory import available as available_memory
from confide.kit.memory import needs

__all__ = ["available_memory", "needs_memory"]

FEWER = "assess fewer targets at a time with Targets.of_rows(...), or recode variables to fewer values"


def needs_memory(size: int, what: str, *, instead: str = FEWER) -> None:
    """Raise when an array would not fit.

    Args:
        size: the number of bytes.
        what: what takes them.
        instead: what to do about it.

    >>> needs_memory(1_000, "a small table")
    """
    needs(size, what, instead=instead, error=IntruderError, free=available_memory())
