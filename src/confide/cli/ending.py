"""A run that is told to end: what it says, and with which code."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType

INTERRUPTED, TERMINATED = 130, 143
"""What the shell calls the end by Ctrl-C, and that by a plain kill."""
WHOLE = "files are written whole or not at all"
STOPPED = f"interrupted; {WHOLE}"
ENDED = f"told to end; {WHOLE}"


class Terminated(BaseException):
    """The system asked the process to end (SIGTERM); unlike Ctrl-C it never means 'take the best so far'."""


def heed_the_system() -> None:
    """End in good order when the system asks for it, as at Ctrl-C, instead of at once."""
    signal.signal(signal.SIGTERM, _terminate)


def close_stdout() -> None:
    """Send what is left in the buffer nowhere: nobody reads any more."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _terminate(number: int, frame: FrameType | None) -> None:
    """Leave what is being done; whoever asks twice is obeyed at once."""
    del frame
    signal.signal(number, signal.SIG_DFL)
    raise Terminated
