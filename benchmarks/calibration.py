"""Do stated probabilities come true? Every masking with every kind of knowledge, from a declared population.

    python benchmarks/calibration.py
    python benchmarks/calibration.py table --size 100 --times 100 --keep rows.jsonl
    python benchmarks/calibration.py rule --tables 1000

`table` draws people, masks them and asks the intruder, again and again, and prints a markdown table with the largest
deviate of each combination; what does not calibrate must have a reason in tests/calibration/known.py, or the exit code
is 1. `--part 1/3` measures every third combination, `--only grid` those with the word in their title; with `--keep` rows are
written to a file as they are done, and taken from it when it is there. `rule` measures how often the rule raises a false
alarm over a whole table of right probabilities, and how often it finds an error of a tenth.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path

from printed import here, row, table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from calibration.combinations import Combination, combinations
from calibration.exact import power, tables
from calibration.harness import ALL_AT_ONCE, measure, threshold
from calibration.known import excess, reason

COLUMNS = ((True, False), (True, True), (False, False), (False, True))
"""Known to be in the file; without replacement."""


def measured(args: argparse.Namespace) -> dict[str, dict]:
    """Measure every combination, or take it from the file of an earlier run."""
    kept = Path(args.keep) if args.keep else None
    done = {}
    if kept is not None and kept.exists():
        done = {r["title"]: r for r in map(json.loads, kept.read_text().splitlines())}
    part, parts = (int(x) for x in args.part.split("/"))
    for c in combinations()[part - 1 :: parts]:
        if args.only and args.only not in c.title:
            continue
        if c.title not in done:
            start = time.perf_counter()
            found = measure(c, size=args.size, times=args.times, seed=args.seed)
            done[c.title] = told(found) | {"seconds": time.perf_counter() - start}
            if kept is not None:
                with kept.open("a") as file:
                    file.write(json.dumps(done[c.title]) + "\n")
    return done


def told(found) -> dict:
    """What is kept of a row."""
    c = found.combination
    out = {"title": c.title, "refused": found.refused, "tests": found.tests, "z": found.z, "left_out": found.left_out}
    further, where = excess(found)
    out |= {"informative": found.informative, "settled": found.settled, "excess": further, "excess_in": where}
    if found.tests:
        k = found.worst
        mean = {x: float(getattr(found.found, x)[:, k].mean()) for x in ("count", "stated", "true")}
        out |= {"bin": found.found.names[k]} | mean
    return out | {"reason": reason(c)}


def cell(found: dict | None, limit: float, notes: dict[str, str]) -> str:
    """One setting of a row: its deviate, bold where it does not calibrate; or that it was refused, or tells nothing."""
    if found is None:
        return ""
    if found["refused"]:
        words = re.sub(r"\d[\d.]*", "#", found["refused"]).split(" Available")[0].split()
        return "refused " + mark(" ".join(words[:14]) + (" ..." if len(words) > 14 else ""), notes)
    if not found["informative"]:
        return "no information"
    z = "=" if found["settled"] else f"{found['z']:+.1f}"
    return f"**{z}**" if abs(found["z"]) > limit else z


def mark(text: str, notes: dict[str, str]) -> str:
    """Number a note."""
    return notes.setdefault(text, f"r{len(notes) + 1}")


def print_table(args: argparse.Namespace) -> int:
    """Print the whole table; give the number of rows that do not calibrate and have no reason."""
    done = measured(args)
    rows = [c for c in combinations() if c.title in done]
    tests = sum(done[c.title]["tests"] for c in rows)
    limit = threshold(tests)
    asked = [c for c in rows if not done[c.title]["refused"]]
    off = [c for c in asked if abs(done[c.title]["z"]) > limit]
    telling = [c for c in asked if done[c.title]["informative"]]
    settled = sum(done[c.title]["settled"] for c in telling)
    print(
        f"\n{len(rows)} combinations: {len(asked)} asked, {len(rows) - len(asked)} refused. In {len(telling)} what is known "
        f"or believed tells targets from strangers; in {settled} of them nothing is left to chance, true and stated are "
        f"equal each time. {tests:,} bins; {args.size} "
        f"people ({ALL_AT_ONCE} without replacement), {args.times} times, seed {args.seed}; a bin raises an alarm beyond "
        f"{limit:.2f} standard errors. {len(off)} combinations do not calibrate."
    )
    table(["masking", "known", "in the file, with", "without", "maybe, with", "without", "why not"])
    lines: dict[tuple, dict[tuple[bool, bool], Combination]] = {}
    for c in rows:
        known = c.knows + (", fitted beliefs" if c.fitted else "")
        known += "" if c.population == "table" else f", number of people from {c.population}"
        lines.setdefault((c.masking, known), {})[c.in_file, c.without] = c
    notes: dict[str, str] = {}
    for (masking, known), settings in lines.items():
        here_rows = [done[settings[k].title] if k in settings else None for k in COLUMNS]
        why = dict.fromkeys(r["reason"] for r in here_rows if r and r["reason"] and abs(r["z"]) > limit)
        why |= dict.fromkeys("further off than that" for r in here_rows if r and r["reason"] and beyond(r) > limit)
        row([masking, known, *(cell(r, limit, notes) for r in here_rows), "; ".join(why)])
    print("\nRefused, with the first words of what is said:\n")
    for text, number in notes.items():
        print(f"- {number}: {text}")
    return closing(rows, done, limit)


def beyond(found: dict) -> float:
    """How far a row is off beyond what its reasons explain."""
    return abs(found.get("excess", 0.0))


def closing(rows: list[Combination], done: dict[str, dict], limit: float) -> int:
    """Say what has no reason, and what has one and calibrates all the same."""
    asked = [done[c.title] for c in rows if not done[c.title]["refused"]]
    off = [r for r in asked if abs(r["z"]) > limit]
    unexplained = [r for r in asked if beyond(r) > limit]
    named = [r for r in asked if r["reason"] and abs(r["z"]) <= limit]
    for r in unexplained:
        figures = f"z {r['z']:+.1f} in {r['bin']}: stated {r['stated']:.3g}, true {r['true']:.3g}"
        figures += f"; beyond its reasons {r['excess']:+.1f} in {r['excess_in']}" if r["reason"] else ""
        print(f"\nNO REASON KNOWN: {r['title']}: {figures}")
    print("\nHow often each reason shows:\n")
    for why in dict.fromkeys(r["reason"] for r in asked if r["reason"]):
        shows, quiet = (sum(r["reason"] == why for r in rows) for rows in (off, named))
        print(f"- {why}: in {shows} of {shows + quiet} combinations")
    return len(unexplained)


def print_rule(args: argparse.Namespace) -> int:
    """Print how often the rule alarms falsely, and how often it finds an error."""
    print("\n## The rule\n")
    table(["an intruder whose probabilities are", "tables or rows", "alarms"])
    rows = len(combinations())
    false = list(tables(args.tables, rows, times=args.times, targets=10, records=12))
    row([f"right, a whole table of {rows:,} rows", f"{len(false):,}", sum(false)])
    size = {"times": args.times, "targets": args.size, "records": round(0.6 * args.size)}
    for off, word in ((1.1, "a tenth too large"), (1 / 1.1, "a tenth too small")):
        share = power(args.rows, off=off, tests=args.bins, **size)
        row([f"{word}, one row among {args.bins:,} bins", args.rows, round(share * args.rows)])
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["rule", "table"])
    parser.add_argument("--size", type=int, default=100, help="people")
    parser.add_argument("--times", type=int, default=100, help="how often they are drawn and masked")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="which share of the combinations")
    parser.add_argument("--only", default="", help="words in the titles of the combinations")
    parser.add_argument("--keep", help="a file of rows that are done")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--bins", type=int, default=30_000)
    args = parser.parse_args()
    here()
    jobs = {"rule": print_rule, "table": print_table}
    sys.exit(1 if sum(jobs[part](args) for part in args.parts) else 0)


if __name__ == "__main__":
    main()
