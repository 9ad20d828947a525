"""Time and memory of linkage by distance and of interval disclosure.

    python benchmarks/linkage.py [numeric] [mixed] [intervals]
    python benchmarks/linkage.py numeric --sizes 1000000
    python benchmarks/linkage.py mixed --mixed-sizes 1000 10000 100000

Files follow a synthetic survey: age, sex, race, marital status, education, region and four amounts, two of them often
zero. Amounts get normal noise of a tenth of their standard deviation; in `mixed`, one in twenty of each category is swapped.
`numeric` finds the nearest source record of every released record in four amounts, ties and second nearest included, and
times scipy's tree alone on the same standardised numbers: it is built and asked for one neighbour, on all cores. The two
take turns; the least of the rounds is shown. Every size of `mixed` runs in a process of its own, so that its peak memory is
its own; loading and compiling come before the clock.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys

import numpy as np
from printed import here, peak, row, table, timed

AMOUNTS = ["income", "tax", "ss", "hours"]
CODES = ["sex", "race", "marital", "edu", "region"]
LIMITS = {10_000: 1.0, 100_000: 30.0}
"""Seconds the project set itself for mixtures."""
RATIO = 1.3
"""How much slower than the tree alone plain numbers may be."""


def survey(n: int) -> dict[str, np.ndarray]:
    """Draw a survey."""
    r = np.random.default_rng(1)
    age = np.clip(r.normal(48, 18, n), 15, 90).astype(int)
    edu = r.choice(16, n, p=np.r_[np.full(8, 0.02), 0.3, 0.18, 0.05, 0.05, 0.17, 0.05, 0.02, 0.02])
    return {
        "sex": r.integers(0, 2, n),
        "race": r.choice(4, n, p=[0.84, 0.1, 0.01, 0.05]),
        "marital": r.choice(7, n, p=[0.52, 0.01, 0.01, 0.1, 0.15, 0.03, 0.18]),
        "edu": edu,
        "region": r.zipf(1.6, n) % 51,
        "age": age,
        "income": np.round(np.exp(r.normal(10.4, 0.9, n) + 0.01 * (age - 48) + 0.05 * edu)),
        "tax": np.where(r.random(n) < 0.65, np.round(np.exp(r.normal(7, 0.9, n))), 0),
        "ss": np.where((age > 62) & (r.random(n) < 0.9), np.round(r.gamma(6, 2000, n)), 0),
        "hours": np.clip(np.round(r.normal(38, 12, n)), 0, 99),
    }


def files(n: int):
    """Give the survey and its masked copy."""
    import confide as cf

    data = survey(n)
    r = np.random.default_rng(2)
    masked = {k: x + r.normal(0, 0.1 * x.std(), n) if k in AMOUNTS else x.copy() for k, x in data.items()}
    for k in CODES:
        moved = r.random(n) < 0.05
        masked[k][moved] = r.permutation(data[k])[moved]
    made = []
    for file in (data, masked):
        columns = {
            k: cf.Column.of_codes(x.astype(np.int64), range(51)) if k in CODES else cf.Column.of_numbers(x.astype(float))
            for k, x in file.items()
        }
        kinds = {k: cf.Kind.NOMINAL if k in CODES else cf.Kind.CONTINUOUS for k in columns} | {"edu": cf.Kind.ORDINAL}
        made.append(cf.Microdata({k: cf.Variable(k, kinds[k]) for k in columns}, columns))
    return cf.Released.from_files(*made, same_order=True)


def numeric(args: argparse.Namespace) -> None:
    """Print seconds beside those of the library's tree."""
    from scipy.spatial import cKDTree

    import confide as cf

    print(f"\n## Nearest records in {len(AMOUNTS)} numeric variables")
    table(["records", "linkage, s", "scipy's tree alone, s", "ratio", "limit", "linked correctly", "growth"])
    cf.distance_linkage(files(1_000), AMOUNTS)
    before: tuple[int, float] | None = None
    for n in args.sizes:
        released = files(n)
        x, z = (np.column_stack([f.column(k).numbers for k in AMOUNTS]) for f in (released.source, released.data))
        sd = x.std(axis=0, ddof=1)
        x, z = x / sd, z / sd
        ours = theirs = math.inf
        for _ in range(args.rounds):
            seconds, (_, place) = timed(lambda x=x, z=z: cKDTree(x).query(z, workers=-1))
            theirs = min(theirs, seconds)
            seconds, found = timed(lambda released=released: cf.distance_linkage(released, AMOUNTS))
            ours = min(ours, seconds)
        np.testing.assert_allclose(found.distance, np.linalg.norm(z - x[place], axis=1), atol=1e-9)
        grown = "" if before is None else f"x {ours / before[1]:.1f} for x {n / before[0]:.0f}"
        ratio = f"{ours / theirs:.2f}"
        row([f"{n:,}", f"{ours:.2f}", f"{theirs:.2f}", ratio, RATIO if n >= 10**6 else "", f"{found.share:.4f}", grown])
        before = n, ours


def one_mixed(n: int) -> None:
    """Print seconds, share and memory of one size."""
    import confide as cf

    cf.distance_linkage(files(500))
    released = files(n)
    seconds, found = min((timed(lambda: cf.distance_linkage(released)) for _ in range(2)), key=lambda t: t[0])
    print(seconds, found.share, peak())


def mixed(args: argparse.Namespace) -> None:
    """Print seconds and memory of a mixture of ten variables."""
    print("\n## Nearest records in four nominal, one ordinal and five numeric variables")
    table(["records", "seconds", "limit", "GB of the process", "limit", "linked correctly", "growth"])
    before: tuple[int, float] | None = None
    for n in args.mixed_sizes:
        command = [sys.executable, __file__, "one", "--one", str(n)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        seconds, share, most = (float(x) for x in said)
        grown = "" if before is None else f"x {seconds / before[1]:.1f} for x {n / before[0]:.0f}"
        row([f"{n:,}", f"{seconds:.2f}", LIMITS.get(n, ""), f"{most:.2f}", 1, f"{share:.4f}", grown])
        before = n, seconds


def intervals(args: argparse.Namespace) -> None:
    """Print seconds of interval disclosure."""
    import confide as cf

    print(f"\n## Interval disclosure in {len(AMOUNTS)} numeric variables")
    table(["records", "interval", "seconds", "all inside"])
    for n in args.sizes:
        released = files(n)
        for around in (cf.RankWidth(10), cf.RankHalfWidth(10), cf.SdWidth(0.05)):
            seconds, found = timed(lambda a=around, r=released: cf.interval_disclosure(r, AMOUNTS, a))
            row([f"{n:,}", around.describe(), f"{seconds:.2f}", f"{found.joint:.4f}"])


PARTS = {"numeric": numeric, "mixed": mixed, "intervals": intervals}


def main() -> None:
    """Run the parts that were asked for, all by default."""
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--mixed-sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", type=int)
    args = parser.parse_args()
    if args.one:
        one_mixed(args.one)
        return
    unknown = set(args.parts) - set(PARTS)
    if unknown:
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")

    here("scipy")
    for name in args.parts or PARTS:
        PARTS[name](args)


if __name__ == "__main__":
    main()
