"""What libraries below Python print when they give up on damaged bytes."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from collections.abc import Iterator

_TURN = threading.Lock()
"""One at a time: the error output is one for the whole process."""
PANIC = b"panicked at"
ERRORS = 2


@contextlib.contextmanager
def unprinted_panics() -> Iterator[None]:
    """Leave out what a library prints of its own panic, which is raised as an error as well; the rest is printed at the end.

    >>> with unprinted_panics():
    ...     pass
    """
    with _TURN, contextlib.ExitStack() as stack:
        try:
            kept = os.dup(ERRORS)
        except OSError:  # there is no error output
            yield
            return
        stack.callback(os.close, kept)
        file = stack.enter_context(tempfile.TemporaryFile())
        os.dup2(file.fileno(), ERRORS)
        try:
            yield
        finally:
            os.dup2(kept, ERRORS)
            file.seek(0)
            said = file.read()
            if said and PANIC not in said:
                os.write(ERRORS, said)
