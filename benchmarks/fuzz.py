"""Give the command line inputs that nobody would write, and count what goes wrong.

    python benchmarks/fuzz.py --seed 1 --inputs 20000 --minutes 60
    python benchmarks/fuzz.py --seed 1 --inputs 20000 --skip 5000
    python benchmarks/fuzz.py --seed 1 --kinds plans --only 17 --keep folder

Every input is made of (seed, kind, number) alone. What goes wrong is: an exit code other than 0, 2 and 3, an internal
error, a traceback, a panic, a warning, more than 10 s of processor time, more than 1 GB of memory, a process that dies or
hangs, a figure that is not defined in any output.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from fuzzing.kinds import KINDS, numbers
from fuzzing.pool import run_all


def main() -> int:
    """Run what the arguments ask for; 1 when something went wrong."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--inputs", type=int, default=20_000)
    asked.add_argument("--skip", type=int, default=0, help="leave out so many of them, which an earlier run tried")
    asked.add_argument("--minutes", type=float, default=60.0, help="begin no further input after so long")
    asked.add_argument("--kinds", default=",".join(KINDS), help="with commas between: " + ", ".join(KINDS))
    asked.add_argument("--workers", type=int, default=1)
    asked.add_argument("--only", type=int, help="run this one number, and say all that is told of it")
    asked.add_argument("--keep", type=Path, help="a folder for the files of --only")
    asked.add_argument("--findings", type=Path, default=Path("fuzz-findings"), help="a folder for inputs that go wrong")
    given = asked.parse_args()
    kinds = given.kinds.split(",")
    wrong = [k for k in kinds if k not in KINDS]
    if wrong:
        asked.error(f"there is no kind {wrong[0]!r}; there are {', '.join(KINDS)}")
    if given.only is not None:
        return _one(given.seed, kinds[0], given.only, given.keep)
    return _all(given, kinds)


def _one(seed: int, kind: str, number: int, keep: Path | None) -> int:
    """Run one input in this process and print what is told of it."""
    from fuzzing.running import make, prepare, run

    prepare()
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        make(seed, kind, number, keep)
    folder = Path(tempfile.mkdtemp())
    told = run(seed, kind, number, folder)
    shutil.rmtree(folder)
    print(told.pop("err"))
    print(json.dumps(told, indent=1))
    return 1 if told["found"] else 0


def _all(given: argparse.Namespace, kinds: list[str]) -> int:
    """Run many inputs, print the table, keep what went wrong."""
    begun = time.monotonic()

    def tasks() -> Iterator[tuple[int, str, int]]:
        for kind, number in numbers(given.inputs, kinds)[given.skip :]:
            if time.monotonic() - begun > 60 * given.minutes:
                return
            yield given.seed, kind, number

    done: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for told in run_all(tasks(), given.workers):
        done[told["kind"]].append({k: v for k, v in told.items() if k != "err" or told["found"]})
        if told["found"]:
            _keep(given, told)
            print(f"{told['kind']} {told['number']}: {told['found'][0]}", file=sys.stderr, flush=True)
    _table(done)
    found = [t for several in done.values() for t in several if t["found"]]
    tried = sum(map(len, done.values()))
    minutes = (time.monotonic() - begun) / 60
    print(f"\n{tried:,} inputs, {len(found):,} with a finding, {minutes:.1f} minutes, seed {given.seed}")
    return 1 if found else 0


def _keep(given: argparse.Namespace, told: dict[str, Any]) -> None:
    """Write what is told of an input that went wrong, and how to run it again."""
    given.findings.mkdir(parents=True, exist_ok=True)
    again = f"python benchmarks/fuzz.py --seed {given.seed} --kinds {told['kind']} --only {told['number']} --keep folder"
    ran = "\n".join("confide " + shlex.join(c) for c in told["commands"])
    text = "\n".join([again, ran, *told["found"], "", str(told["err"])])
    (given.findings / f"{told['kind']}-{told['number']}.txt").write_text(text, encoding="utf-8", errors="replace")


def _table(done: dict[str, list[dict[str, Any]]]) -> None:
    """Print what was tried, by kind."""
    print("| kind | inputs | plans that pass | exit code 0 | 2 | 3 | longest, s | largest, MB | findings |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind, told in done.items():
        codes = Counter(t["code"] for t in told)
        valid = f"{sum(t['valid'] for t in told) / len(told):.0%}" if kind == "plans" else "-"
        cells = [
            kind, f"{len(told):,}", valid, *(f"{codes[c]:,}" for c in (0, 2, 3)), f"{max(t['seconds'] for t in told):.1f}",
            f"{max(t['peak'] for t in told) / 1e6:,.0f}", f"{sum(bool(t['found']) for t in told):,}",
        ]  # fmt: skip
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    sys.exit(main())
