"""Do stated probabilities come true? Every masking with every kind of knowledge, from a declared population.

    python benchmarks/calibration.py
    python benchmarks/calibration.py table --size 100 --times 100 --processes 2 --keep rows.jsonl
    python benchmarks/calibration.py docs --processes 2 --keep rows.jsonl
    python benchmarks/calibration.py rule --tables 100

`table` draws people, masks them and asks the intruder, again and again, and prints a markdown table with the largest
deviate of each combination. One of 3 to 8 is measured again, of other people and with ten times the replicates, and that
counts. What does not calibrate must have a reason that the library names, with bounds in tests/calibration/known.py, or
the exit code is 1. With `--keep` rows are written to a file as they are done and taken from it by the next run with the
same code, sizes and seed, so that a run that was ended goes on. `--part 1/3` measures every third combination, `--only`
those with some words in their title. `rule` measures how often the rule raises a false alarm over a whole table of right
probabilities, and how often it finds an error of a tenth. `docs` does both and writes the section of docs/calibration.md.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import sys
from pathlib import Path

from calibration_rows import AGAIN, CLEAR, MORE, ROOT, keep, kept, measured, minutes, version
from printed import here, row, table

sys.path.insert(0, str(ROOT / "tests"))

from calibration.combination import Combination
from calibration.combinations import combinations, covering
from calibration.exact import power, tables
from calibration.harness import ALL_AT_ONCE, FEW, MANY, threshold
from calibration.known import REASONS

COLUMNS = ((True, False), (True, True), (False, False), (False, True))
"""Known to be in the file; without replacement."""
BEGIN, END = "<!-- begin: written by benchmarks/calibration.py docs -->", "<!-- end -->"
"""Between these lines of the docs nobody writes by hand."""


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
    z += "†" if found["again"] else ""
    return f"**{z}**" if abs(found["z"]) > limit else z


def mark(text: str, notes: dict[str, str]) -> str:
    """Number a note."""
    return notes.setdefault(text, f"r{len(notes) + 1}")


def print_table(args: argparse.Namespace) -> int:
    """Print the whole table; give the number of rows that do not calibrate and have no reason."""
    done = measured(args)
    rows = [c for c in combinations() if c.title in done]
    limit = threshold(sum(r["tests"] for r in done.values()))
    summary(args, [done[c.title] for c in rows], limit)
    table(["masking", "known", "in the file, with", "without", "maybe, with", "without", "finds", "why not"])
    notes: dict[str, str] = {}
    for (masking, known), places in lines(rows).items():
        of_line = [done[places[k].title] if k in places else None for k in COLUMNS]
        cells = [cell(r, limit, notes) for r in of_line]
        row([masking, known, *cells, finds([r for r in of_line if r]), "; ".join(why_not([r for r in of_line if r], limit))])
    print("\nRefused, with the first words of what is said:\n")
    for text, number in notes.items():
        print(f"- {number}: {text}")
    return closing(rows, done, limit)


def lines(rows: list[Combination]) -> dict[tuple[str, str], dict[tuple[bool, bool], Combination]]:
    """Give every combination a cell of its own: a line, and what is known of the file and the way of matching."""
    found: dict[tuple[str, str], dict[tuple[bool, bool], Combination]] = {}
    for c in rows:
        places = found.setdefault(c.line, {})
        if (c.in_file, c.without) in places:
            raise SystemExit(f"two combinations have one cell: {places[c.in_file, c.without].title}, and {c.title}")
        places[c.in_file, c.without] = c
    return found


def summary(args: argparse.Namespace, found: list[dict], limit: float) -> None:
    """Print how many rows there are, how they came out, and how large an error they would show."""
    asked = [r for r in found if not r["refused"]]
    telling = [r for r in asked if r["informative"]]
    settled = sum(r["settled"] for r in telling)
    off, again = sum(abs(r["z"]) > limit for r in asked), sum(r["again"] for r in asked)
    print(
        f"\n{len(found):,} combinations, code {version()}: {len(asked):,} asked, {len(found) - len(asked)} refused. In "
        f"{len(telling):,} what is known or believed tells targets from strangers; in {settled} of them nothing is left to "
        f"chance, true and stated are equal each time. {sum(r['tests'] for r in found):,} bins; {args.size} people "
        f"({ALL_AT_ONCE} without replacement; {MANY * args.size:,} where few are released, {FEW:.0%} of them), {args.times} "
        f"times, seed {args.seed}. {again} rows with a deviate of {AGAIN:g} to {CLEAR:g} were measured again (†), of other "
        f"people, {MORE * args.times:,} times. A bin raises an alarm beyond {limit:.2f} standard errors. {off} combinations "
        f"do not calibrate. {minutes(found):.0f} processor minutes."
    )
    for words, name in (("the finest bin of a row", "finds"), ("the middle one of its bins", "finds_in_half")):
        ratios = sorted(r[name] or float("inf") for r in asked if not r["settled"])
        if ratios:
            half, nine = (ratios[min(int(q * len(ratios)), len(ratios) - 1)] for q in (0.5, 0.9))
            print(
                f"\nIn {words}, as many times more true than stated are found with probability .9: {half:.2f} in half of "
                f"the rows, {nine:.2f} in nine of ten."
            )


def finds(found: list[dict]) -> str:
    """Say what error all of some rows would show in their finest bins."""
    ratios = [r["finds"] for r in found if not r["refused"] and not r["settled"]]
    if not ratios:
        return ""
    return "none" if None in ratios else f"{max(ratios):.2f}"


def why_not(found: list[dict], limit: float) -> list[str]:
    """Name the reasons of rows that do not calibrate: those that the library names."""
    off = [r for r in found if abs(r["z"]) > limit]
    why = dict.fromkeys(r["reason"] for r in off if r["reason"])
    why |= dict.fromkeys(f"no bounds: {said}" for r in off if beyond(r) > limit for said in r["unbounded"])
    why |= dict.fromkeys("further off than that" for r in off if r["reason"] and beyond(r) > limit)
    return [*why] or ["NO REASON KNOWN" for _ in off[:1]]


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


def print_bounds() -> None:
    """Print how far off each reason can make things."""
    print("\nEach reason says how far off it can make things; what is further off is a defect:")
    table(["reason", "true, as a multiple of what is stated: links", "the null link"])
    for known in REASONS:
        row([known.why, *(f"{low:g} to {high:g}" for low, high in (known.links, known.null))])


def print_rule(args: argparse.Namespace) -> int:
    """Print how often the rule alarms falsely, and how often it finds an error."""
    title = f"the rule: {args.tables} tables, {args.rows} rows, {args.bins} bins"
    done = kept(args).get(title)
    if done is None:
        done = {"title": title, "lines": rule_lines(args)}
        keep(args, done)
    table(["an intruder whose probabilities are", "tables or rows", "alarms"])
    for line in done["lines"]:
        row(line)
    return 0


def rule_lines(args: argparse.Namespace) -> list[list[str]]:
    """Measure how often the rule alarms falsely over a whole table and over that of CI, and how often it finds an error."""
    found = []
    for what, rows, times in (("a whole table", len(combinations()), args.times), ("the table of CI", len(covering()), 16)):
        false = list(tables(args.tables, rows, times=times, targets=10, records=12))
        found.append([f"right, {what} of {rows:,} rows, {times} times", f"{len(false):,}", str(sum(false))])
    size = {"times": args.times, "targets": args.size, "records": round(0.6 * args.size)}
    for off, word in ((1.1, "a tenth too large"), (1 / 1.1, "a tenth too small")):
        share = power(args.rows, off=off, tests=args.bins, **size)
        found.append([f"{word}, one row among {args.bins:,} bins", str(args.rows), str(round(share * args.rows))])
    return found


def write_docs(args: argparse.Namespace) -> int:
    """Write the section of the docs between its two lines, all of it."""
    path = Path(args.docs)
    text = path.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise SystemExit(f"{path} must hold the line {BEGIN} once, and {END} once after it")
    if args.part != "1/1" or args.only:
        raise SystemExit("docs writes the whole table: leave out --part and --only")
    section = io.StringIO()
    with contextlib.redirect_stdout(section):
        print_rule(args)
        off = print_table(args)
        print_bounds()
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n{section.getvalue().rstrip()}\n\n{END}{after}", encoding="utf-8")
    return off


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["rule", "table"])
    parser.add_argument("--size", type=int, default=100, help="people")
    parser.add_argument("--times", type=int, default=100, help="how often they are drawn and masked")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="which share of the combinations")
    parser.add_argument("--only", default="", help="words that the titles of the combinations hold")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--keep", help="a file of rows that are done")
    parser.add_argument("--docs", default=str(ROOT / "docs" / "calibration.md"), help="what `docs` writes to")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--bins", type=int, default=30_000)
    args = parser.parse_args()
    here()
    jobs = {"rule": print_rule, "table": print_table, "docs": write_docs}
    sys.exit(1 if sum(jobs[part](args) for part in args.parts) else 0)


if __name__ == "__main__":
    main()
