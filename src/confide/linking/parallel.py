"""Run a loop in chunks on all cores, with progress and clean interruption."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed

Progress = Callable[[int, int], None]
"""Called with how much of how much is done."""


def silent(done: int, total: int) -> None:
    """Show no progress."""
    del done, total


def part_of(progress: Progress, start: int, total: int) -> Progress:
    """Report a part of the work that begins at `start` as work on the whole."""

    def report(done: int, part: int) -> None:
        del part
        progress(start + done, total)

    return report


def phase_of(progress: Progress, which: int, phases: int) -> Progress:
    """Report one of several phases as a share of a thousand."""

    def report(done: int, total: int) -> None:
        progress(int(1000 * (which + done / max(total, 1)) / phases), 1000)

    return report


def share_of(progress: Progress, low: float, high: float) -> Progress:
    """Report work as the share from low to high of a thousand.

    >>> share_of(lambda done, total: print(done, total), 0.1, 0.5)(1, 2)
    300 1000
    """

    def report(done: int, total: int) -> None:
        progress(int(1000 * (low + (high - low) * done / max(total, 1))), 1000)

    return report


def rising(progress: Progress) -> Progress:
    """Report the furthest so far where estimates of the whole would make progress go back.

    >>> seen = []
    >>> report = rising(lambda done, total: seen.append(done / total))
    >>> report(1, 2), report(1, 4), report(3, 4)
    (None, None, None)
    >>> seen
    [0.5, 0.5, 0.75]
    """
    furthest = (0, 1)

    def report(done: int, total: int) -> None:
        nonlocal furthest
        if done * furthest[1] >= furthest[0] * total:
            furthest = (done, total)
        progress(*furthest)

    return report


def cores() -> int:
    """Give the number of cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def in_chunks(work: Callable[[int, int], None], n: int, size: int, progress: Progress = silent) -> None:
    """Call work(start, stop) for all chunks of 0..n; the result must not depend on the chunks.

    An interruption stops after the chunks that are under way.
    """
    spans = [(i, min(i + size, n)) for i in range(0, n, size)]
    progress(0, n)
    if len(spans) <= 1 or cores() == 1:
        for start, stop in spans:
            work(start, stop)
            progress(stop, n)
        return
    with ThreadPoolExecutor(max_workers=cores()) as pool:
        waiting = {pool.submit(work, *span): span for span in spans}
        done = 0
        try:
            for future in as_completed(waiting):
                future.result()
                start, stop = waiting[future]
                done += stop - start
                progress(done, n)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
