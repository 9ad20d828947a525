"""What all benchmarks share: where they ran, tables in Markdown, seconds, memory, measurements in their own processes."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path


def here(*libraries: str) -> None:
    """Print when and where this runs, with the versions of some libraries."""
    import confide

    versions = "".join(f", {name} {version(name)}" for name in ("numpy", *libraries))
    cores = len(os.sched_getaffinity(0))
    print(
        f"{datetime.now(tz=UTC).date()}, {platform.machine()}, {cores} cores, Python {platform.python_version()}{versions}, "
        f"confide {confide.__version__}"
    )


def table(head: list[str]) -> None:
    """Print the head of a Markdown table."""
    print("\n| " + " | ".join(head) + " |\n|" + "---|" * len(head), flush=True)


def row(cells: list[object]) -> None:
    """Print a row of a Markdown table."""
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def timed(work) -> tuple[float, object]:
    """Give the seconds of one call, and what it gave."""
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def best(work, times: int = 3) -> float:
    """Give the least seconds of some calls."""
    return min((timed(work)[0] for _ in range(times)), default=math.inf)


def peak() -> float:
    """Give the most memory this process has had, in GB; the parent's does not count."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 2**20


def growth(last: tuple[int, float] | None, n: int, seconds: float) -> str:
    """Say how the cost grew since the last size."""
    return "" if last is None else f"x {seconds / last[1]:.1f} for x {n / last[0]:.0f}"


def sizes(measure) -> list[int]:
    """Give the sizes asked for; or, with --one WHAT SIZE, print one measurement as JSON and give none."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", nargs="+", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--one", nargs=2)
    parser.add_argument("--together", action="store_true")
    args = parser.parse_args()
    if not args.one:
        return args.sizes
    print(json.dumps(measure(args.one[0], int(args.one[1]))))
    return []


def alone(script: str, *arguments: object) -> dict:
    """Run one measurement of a script in a process of its own; it prints JSON in its last line."""
    command = [sys.executable, script, "--one", *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(ran.stderr)
    return json.loads(ran.stdout.splitlines()[-1])


def measured(script: str, measure, what: str, n: int) -> dict:
    """Give one measurement, made in a process of its own; with --together in this one: sooner, but with all's memory."""
    return measure(what, n) if "--together" in sys.argv else alone(script, what, n)
