"""Time and memory of secondary suppression and of the audit of its pattern, and how they grow with the table.

    python benchmarks/protect.py [--sizes 1000 10000 100000 800000 1000000] [--insiders 1000 10000]

Generated business tables of three nested variables: turnover is lognormal, a third of the finest cells are empty, and cells
with one or two respondents are sensitive, with a protection level of 15 per cent. The audit is one without any help from the
search: it gets the pattern alone. With `--insiders` the tables of these sizes are protected once more, from everybody who is
alone in a finest cell too. Every row is measured in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import product

import numpy as np
from printed import alone, growth, here, peak, row, table

BRANCHES = {
    1000: ((3, 3), (3, 3), (5,)),
    10_000: ((4, 5), (4, 5), (3, 4)),
    100_000: ((5, 9), (5, 9), (5, 8)),
    800_000: ((9, 9), (9, 9), (8, 11)),
    1_000_000: ((4, 5, 4), (4, 5, 4), (9, 9)),
}
"""The tables: how many codes below each code, for each variable."""


def tree(branches: tuple[int, ...]) -> list[int]:
    """Write the parents of a hierarchy with so many codes below each."""
    parents, level = [-1], [0]
    for branch in branches:
        below = []
        for code in level:
            below += range(len(parents), len(parents) + branch)
            parents += [code] * branch
        level = below
    return parents


def business(size: int):
    """Draw a table: its system, how many respondents each cell has, and what is asked."""
    import confide as cf

    branches = BRANCHES[size]
    shape = tuple(int(np.prod(b)) for b in branches)
    rng = np.random.default_rng(1)
    counts = rng.poisson(rng.gamma(0.5, 10.0, shape))
    values = np.where(counts > 0, np.round(rng.lognormal(3, 1, shape) * counts), 0)
    trees = [tree(b) for b in branches]
    system, respondents = cf.nested_system(values, trees), cf.nested_system(counts, trees).values
    sensitive = np.flatnonzero((respondents > 0) & (respondents < 3))
    return system, respondents, cf.Protection.of(system, sensitive, 0.15, least=1)


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
    parser.add_argument("--sizes", nargs="*", type=int, default=list(BRANCHES), choices=list(BRANCHES))
    parser.add_argument("--insiders", nargs="*", type=int, default=[1000, 10_000], choices=list(BRANCHES))
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
