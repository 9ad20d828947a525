"""Time and memory of secondary suppression and of the audit of its pattern, and how they grow with the table.

    python benchmarks/protect.py [--sizes 1000 10000 100000 800000 1000000] [--insiders 1000 10000]

The tables are those of `business.py`. The audit is one without any help from the search: it gets the pattern alone. With
`--insiders` the tables of these sizes are protected once more, from everybody who is alone in a finest cell too. Every row
is measured in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import product

import numpy as np
from business import business
from printed import alone, growth, here, peak, row, table

SIZES = (1000, 10_000, 100_000, 800_000, 1_000_000)


def loners(system, respondents: np.ndarray):
    """Make an attacker of everybody who is alone in a finest cell, knowing all cells that hold nobody else."""
    import confide as cf

    grid = system.grid
    lookup, strides = grid.lookup(), grid.strides
    paths = [{int(p[0]): p for p in variable} for variable in grid.paths]
    found = []
    for cell in np.flatnonzero(respondents == 1).tolist():
        own = grid.codes[cell].tolist()
        if all(code in paths[i] for i, code in enumerate(own)):
            cells = [int(lookup[int(np.dot(p, strides))]) for p in product(*(paths[i][c] for i, c in enumerate(own)))]
            found.append(cf.Attacker.knowing(system, [c for c in cells if respondents[c] == 1], f"alone in {cell}"))
    return found


def measure(size: int, *, inside: bool) -> dict[str, float]:
    """Protect one table and audit it in this process."""
    import confide as cf

    warm, _, levels = business(1000)
    cf.suppress(warm, protection=levels)
    system, respondents, protection = business(size)
    attackers = loners(system, respondents) if inside else []
    start = time.perf_counter()
    pattern = cf.suppress(system, protection=protection, attackers=attackers)
    searched = time.perf_counter() - start
    assert pattern.audit.clean
    found = {"cells": system.n, "primary": pattern.primary.size, "secondary": pattern.secondary.size, "pattern": searched}
    found["share"] = float(system.values[pattern.secondary].sum() / system.values.sum())
    found["attackers"] = 1 + len(attackers)
    if not inside:
        start = time.perf_counter()
        judged = cf.audit(system, pattern.suppressed, protection, exact=False)
        found["audit"] = time.perf_counter() - start
        assert judged.clean
    return found | {"gigabytes": peak()}


def main() -> None:
    """Measure all tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", nargs="*", type=int, default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--insiders", nargs="*", type=int, default=[1000, 10_000], choices=list(SIZES))
    parser.add_argument("--one", nargs=2)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(int(args.one[1]), inside=args.one[0] == "inside")))
        return
    here()
    table(["cells", "attackers", "primary", "secondary", "share of value", "pattern, s", "growth", "audit alone, s", "GB"])
    for what, sizes in (("outside", args.sizes), ("inside", args.insiders)):
        last = None
        for size in sizes:
            r = alone(__file__, what, size)
            cells, seconds = int(r["cells"]), r["pattern"]
            row([
                f"{cells:,}", f"{r['attackers']:,}", f"{r['primary']:,}", f"{r['secondary']:,}", f"{r['share']:.1%}",
                f"{seconds:.1f}", growth(last, cells, seconds), f"{r['audit']:.1f}" if "audit" in r else "",
                f"{r['gigabytes']:.2f}",
            ])  # fmt: skip
            last = cells, seconds


if __name__ == "__main__":
    main()
