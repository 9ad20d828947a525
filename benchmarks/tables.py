"""Time and memory of tables from microdata, with and without holdings, of their equations and of rules; and their growth.

    python benchmarks/tables.py [--sizes 10000 100000 1000000]

Industry (1,000 codes on 5 levels) by region (400 on 3) by size (8 on 2), with lognormal turnover and holdings of 1.4 firms
on average. Every row is measured in a process of its own, best of two turns after one that loads the compiled loops.
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from printed import best, growth, here, measured, peak, row, table

WORK = {
    "table": "table with totals",
    "holdings": "the same, by holding",
    "equations": "equations",
    "rule": "p per cent rule with protection",
    "contradictions": "contradictions of dominance",
}


def firms(n: int):
    """Draw firms."""
    import polars as pl

    import confide as cf

    rng = np.random.default_rng(1)
    codes = {name: rng.integers(0, k, n).tolist() for name, k in (("industry", 1000), ("region", 400), ("size", 8))}
    frame = pl.DataFrame({
        "industry": [f"{i:04d}" for i in codes["industry"]],
        "region": [f"{i:03d}" for i in codes["region"]],
        "size": [f"s{i}" for i in codes["size"]],
        "turnover": rng.lognormal(3, 2, n),
        "holding": [f"h{i}" for i in rng.integers(0, max(n * 7 // 10, 1), n).tolist()],
    })  # fmt: skip
    return cf.from_frame(frame)


def measure(what: str, n: int) -> dict[str, float]:
    """Run one measurement in this process: the fewest seconds, cells, and the peak memory with the file."""
    import confide as cf

    data = firms(n)
    nests = {"industry": cf.Digits(1, 1, 1, 1), "region": cf.Digits(1, 2)}

    def made(holding: str | None = None):
        return cf.tabulate(data, ["industry", "region", "size"], "turnover", hierarchies=nests, holding=holding)

    found = made()
    rule = cf.PPercentRule(10)
    work = {
        "table": made,
        "holdings": lambda: made("holding"),
        "equations": found.equations,
        "rule": lambda: rule.protection(found),
        "contradictions": lambda: cf.rule_contradictions(found, cf.DominanceRule(2, 0.85)),
    }[what]
    work()
    return {"seconds": best(work, 2), "cells": found.n, "gigabytes": peak()}


def main() -> None:
    """Run everything, each measurement in its own process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", nargs="+", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--one", nargs=2)
    parser.add_argument("--together", action="store_true")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(args.one[0], int(args.one[1]))))
        return
    here()
    table(["records", "cells", "work", "s", "growth", "GB"])
    for what, title in WORK.items():
        last = None
        for n in args.sizes:
            found = measured(__file__, measure, what, n)
            seconds = found["seconds"]
            row(
                [
                    f"{n:,}",
                    f"{found['cells']:,}",
                    title,
                    f"{seconds:.3f}",
                    growth(last, n, seconds),
                    f"{found['gigabytes']:.2f}",
                ]
            )
            last = n, seconds


if __name__ == "__main__":
    main()
