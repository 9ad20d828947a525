"""Commands in processes that begin with everything imported: each is split from one that waits, so that runs are short."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self

WAITING = """
import importlib, json, os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # those who start in the background hand on a deaf ear
for name in ("cli.main", "cli.assess", "cli.map", "cli.table", "report.html", "report.table_page", "rumap.chart"):
    importlib.import_module("confide." + name)
import matplotlib.backends.backend_svg, optuna, scipy.stats
from confide.cli.main import run
print("ready", flush=True)
for line in sys.stdin:
    folder, arguments, said = json.loads(line)
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(said + "." + name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
        sys.argv[1:] = arguments
        code = 1
        try:
            run()
        except SystemExit as end:
            code = end.code
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Waiting:
    """The process that waits."""

    def __init__(self, said: Path, source: str) -> None:
        self._said = said
        self._process = subprocess.Popen(
            [sys.executable, "-c", WAITING], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1,
            env=os.environ | {"PYTHONPATH": source, "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        assert self._process.stdout.readline() == "ready\n"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=60)  # closes what it reads, and so it ends

    def start(self, arguments: list[str], folder: Path) -> Started:
        """Start a command."""
        self._process.stdin.write(json.dumps([str(folder), arguments, str(self._said)]) + "\n")
        self._process.stdin.flush()
        return Started(self._process.stdout, int(self._process.stdout.readline()), self._said)


class Started:
    """A command that runs, with the methods of a process that are needed here."""

    def __init__(self, answers, pid: int, said: Path) -> None:
        self._answers, self._pid, self._said = answers, pid, said
        self.returncode: int | None = None

    def wait(self, timeout: float) -> None:
        """Wait for the end."""
        if not select.select([self._answers], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("a command", timeout)

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it ended meanwhile."""
        if not select.select([self._answers], [], [], 0)[0]:
            os.kill(self._pid, number)

    def communicate(self, timeout: float = 300) -> tuple[str, str]:
        """Wait for the end and give what was said."""
        self.wait(timeout)
        self.returncode = int(self._answers.readline())
        return Path(f"{self._said}.out").read_text(), Path(f"{self._said}.err").read_text()
