"""Processes that run many inputs each; one that dies or hangs is replaced, and its input is told."""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from fuzzing.judge import WAIT

GRACE = 30.0
"""Seconds a process is given beyond the alarm before it is ended."""
LOADING = 180.0
Task = tuple[int, str, int]
"""Seed, kind and number."""


def work(pipe: Connection) -> None:
    """Run inputs as they are asked for."""
    from fuzzing.running import prepare, run

    prepare()
    pipe.send("ready")
    while (task := pipe.recv()) is not None:
        folder = Path(tempfile.mkdtemp(prefix="confide-fuzz-"))
        try:
            pipe.send(run(*task, folder))
        except Exception as error:  # noqa: BLE001 - a mistake of the generator is told like a finding
            lines = traceback.format_exc()
            pipe.send(_told(task, f"the input could not be made: {error!r}", lines))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class Worker:
    """One process and what it is doing."""

    def __init__(self) -> None:
        """Start it."""
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=work, args=(other,), daemon=True)
        self.process.start()
        other.close()
        self.task: Task | None = None
        self.until = time.monotonic() + LOADING
        self.ready = False

    def give(self, task: Task) -> None:
        """Ask for an input."""
        self.task, self.until = task, time.monotonic() + 2 * WAIT + GRACE
        self.pipe.send(task)

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def run_all(tasks: Iterable[Task], many: int) -> Iterator[dict[str, Any]]:
    """Run inputs in several processes and give what is told of each, in the order in which they end."""
    todo = iter(tasks)
    workers = [Worker() for _ in range(many)]
    try:
        while workers:
            ready = wait([w.pipe for w in workers], timeout=1.0)
            for i, worker in reversed(list(enumerate(workers))):
                told = _heard(worker) if worker.pipe in ready else _overdue(worker)
                if told is None:
                    continue
                if told:
                    yield told
                if not worker.process.is_alive() or told.get("code") == "gone":
                    worker.end()
                    worker = workers[i] = Worker()  # noqa: PLW2901 - the old one is gone
                    continue
                task = next(todo, None)
                if task is None:
                    worker.end()
                    del workers[i]
                else:
                    worker.give(task)
    finally:
        for worker in workers:
            worker.end()


def _heard(worker: Worker) -> dict[str, Any] | None:
    """Take what a process says; an empty table when it is ready, what is told of its input when it died."""
    try:
        said = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join(5)
        return _gone(worker, f"the process died with code {worker.process.exitcode}")
    if said == "ready":
        worker.ready, worker.until = True, float("inf")
        return {}
    worker.task, worker.until = None, float("inf")
    return dict(said)


def _overdue(worker: Worker) -> dict[str, Any] | None:
    """End what takes too long."""
    if time.monotonic() < worker.until:
        return None
    worker.process.kill()
    return _gone(worker, "it hangs, and no alarm wakes it")


def _gone(worker: Worker, why: str) -> dict[str, Any]:
    """Tell of an input whose process is gone."""
    if worker.task is None:
        raise RuntimeError(f"a process could not start: {why}")
    return _told(worker.task, why, "")


def _told(task: Task, why: str, err: str) -> dict[str, Any]:
    """Tell of an input that did not run to its end."""
    _, kind, number = task
    return {"kind": kind, "number": number, "commands": [], "code": "gone", "valid": False, "seconds": 0.0, "peak": 0,
            "found": [why], "err": err}  # fmt: skip
