"""The time that a search may take."""

from __future__ import annotations

import time


class Late(Exception):
    """The time is over."""


class Clock:
    """Tells when the time is over."""

    def __init__(self, seconds: float | None = None) -> None:
        self.end = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """The seconds that are left; None: as many as needed."""
        return None if self.end is None else self.end - time.monotonic()

    @property
    def over(self) -> bool:
        """Whether no time is left."""
        return self.end is not None and time.monotonic() >= self.end

    def check(self) -> None:
        """Raise when the time is over."""
        if self.over:
            raise Late
