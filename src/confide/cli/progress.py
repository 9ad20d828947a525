"""A progress bar for long work, on a terminal only."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds before a bar appears."""


class Bar:
    """Show how much is done on stderr, once the work takes longer than a second.

    >>> with Bar("working", shown=False) as bar:
    ...     bar(1, 2)
    """

    def __init__(self, what: str, *, shown: bool) -> None:
        self.what = what
        self.shown = shown and sys.stderr.isatty()
        self.start = time.monotonic()
        self.progress: Progress | None = None
        self.task: TaskID | None = None

    def __enter__(self) -> Self:
        """Begin to wait."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Take the bar away."""
        if self.progress is not None:
            self.progress.stop()

    def __call__(self, done: int, total: int) -> None:
        """Note how much of how much is done."""
        if not self.shown or (self.progress is None and time.monotonic() - self.start < PATIENCE):
            return
        if self.progress is None:
            self.progress = _bar()
            self.task = self.progress.add_task(self.what, total=total)
            self.progress.start()
        if self.task is not None:
            self.progress.update(self.task, completed=done, total=total)


def _bar() -> Progress:
    """Make the bar; rich is imported only when there is one to show."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
