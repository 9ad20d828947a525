"""The rows of the calibration table: measured in several processes, and kept in a file, so that a table can be resumed."""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from calibration.combinations import Combination, combinations
from calibration.detectable import detectable
from calibration.harness import Row, measure
from calibration.known import excess, reason, unbounded

AGAIN = 3.0
"""A deviate beyond this is measured again, of other people, with more replicates; what is found then counts."""
MORE = 10
"""How many times as many replicates."""
CLEAR = 8.0
"""A deviate beyond this needs no second look."""


@cache
def version() -> str:
    """Give the fingerprint of the code that rows are made with: the library and the proof."""
    files = sorted([*(ROOT / "src" / "confide").rglob("*.py"), *(ROOT / "tests" / "calibration").glob("*.py")])
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def settings(args: argparse.Namespace) -> dict[str, Any]:
    """Say what a row depends on beside its combination."""
    return {"version": version(), "size": args.size, "times": args.times, "seed": args.seed}


def kept(args: argparse.Namespace) -> dict[str, dict]:
    """Read the rows of an earlier run that were made with this code, these sizes and this seed."""
    file = Path(args.keep) if args.keep else None
    if file is None or not file.exists():
        return {}
    wanted, found = settings(args), {}
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            one = json.loads(line)
        except json.JSONDecodeError:
            continue  # a line that was cut off when the run was ended
        if all(one.get(k) == v for k, v in wanted.items()):
            found[one["title"]] = one
    return found


def keep(args: argparse.Namespace, one: dict) -> None:
    """Append a row, on a line of its own whatever came before."""
    if args.keep:
        file = Path(args.keep)
        whole = not file.exists() or not file.stat().st_size or file.read_bytes()[-1:] == b"\n"
        with file.open("a", encoding="utf-8") as out:
            out.write(("" if whole else "\n") + json.dumps(one | settings(args)) + "\n")


def measured(args: argparse.Namespace) -> dict[str, dict]:
    """Measure every combination, or take it from the file of an earlier run."""
    done = kept(args)
    part, parts = (int(x) for x in args.part.split("/"))
    rows = [c for c in combinations()[part - 1 :: parts] if args.only in c.title]
    todo = [(c.title, args.size, args.times, args.seed) for c in rows if c.title not in done]
    for k, one in enumerate(_made(todo, args.processes), 1):
        done[one["title"]] = one
        keep(args, one)
        if k % 50 == 0 or k == len(todo):
            print(f"{k} of {len(todo)} combinations", file=sys.stderr, flush=True)
    return {c.title: done[c.title] for c in rows}


def _made(todo: list[tuple], processes: int) -> Iterator[dict]:
    """Measure rows, one after the other or in several processes."""
    if processes <= 1 or len(todo) < 2:
        yield from map(one_row, todo)
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(one_row, todo, chunksize=4)


@cache
def _by_title() -> dict[str, Combination]:
    """Every combination by its title."""
    return {c.title: c for c in combinations()}


def one_row(asked: tuple[str, int, int, int]) -> dict:
    """Measure a combination; again with more replicates where it is not clear whether it is off."""
    title, size, times, seed = asked
    start, c = time.process_time(), _by_title()[title]
    found = measure(c, size=size, times=times, seed=seed)
    finds = least(found)
    again = is_open(found)
    if again:
        found = measure(c, size=size, times=MORE * times, seed=seed + 1)
    return told(found) | finds | {"again": again, "seconds": time.process_time() - start}


def is_open(found: Row) -> bool:
    """Whether a row is to be measured again: it is off, and not just as a reason says that it is."""
    if found.found is None or abs(found.z) <= AGAIN:
        return False
    return abs(found.z) <= CLEAR or abs(excess(found)[0]) > AGAIN


def least(found: Row) -> dict[str, float | None]:
    """Say what error a row would show: in its finest bin, and in the middle one; None: in none."""
    ratios = np.array([]) if found.found is None else detectable(found.found, AGAIN)[found.found.count.sum(axis=0) > 0]
    names = {"finds": 0.0, "finds_in_half": 0.5}
    of = {k: float(np.quantile(ratios, q, method="higher")) if ratios.size else np.inf for k, q in names.items()}
    return {k: x if np.isfinite(x) else None for k, x in of.items()}


def told(found: Row) -> dict:
    """Say what is kept of a row."""
    out = {"title": found.combination.title, "refused": found.refused, "tests": found.tests, "z": found.z}
    further, where = excess(found)
    out |= {"left_out": found.left_out, "informative": found.informative, "settled": found.settled}
    out |= {"excess": further, "excess_in": where, "reason": reason(found), "named": found.named}
    out |= {"unbounded": unbounded(found)}
    if found.found is not None and found.tests:
        k = found.worst
        mean = {x: float(getattr(found.found, x)[:, k].mean()) for x in ("count", "stated", "true")}
        out |= {"bin": found.found.names[k], "replicates": found.found.replicates} | mean
    return out


def minutes(rows: Iterable[dict]) -> float:
    """Give the processor minutes that rows took."""
    return sum(r["seconds"] for r in rows) / 60
