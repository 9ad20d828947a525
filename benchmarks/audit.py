"""Time of the audit of a pattern, beside one fresh linear programme for each bound over all cells, in the same run.

    python benchmarks/audit.py [--sizes 1000 3000 24000] [--fresh 40]

The tables are those of `business.py`. The pattern is that of the heuristic. `--fresh` says for how many bounds, evenly
spread, the fresh programmes are solved; 0 solves all of them. Their answers are compared.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import time
from datetime import UTC, datetime

import numpy as np
from business import business

SIZES = (1000, 3000, 24_000)


def fresh(system, suppressed: np.ndarray, cell: int, sign: float) -> float:
    """Solve one bound from nothing: all cells are columns, published ones fixed."""
    import highspy

    from confide.tables.audit.model import pass_model, solver

    h = solver()
    low, high = system.values.copy(), system.values.copy()
    low[suppressed], high[suppressed] = system.lower[suppressed], system.upper[suppressed]
    cost = np.zeros(system.n)
    cost[cell] = sign
    zero = np.zeros(system.equations.shape[0])
    pass_model(h, system.equations, (cost, low, high), (zero, zero))
    h.run()
    if h.getModelStatus() == highspy.HighsModelStatus.kOptimal:
        return sign * h.getInfo().objective_function_value
    return -sign * np.inf


def row(size: int, count: int) -> list[str]:
    """Measure one table."""
    import confide as cf

    system, _, protection = business(size)
    start = time.perf_counter()
    pattern = cf.suppress(system, protection=protection)
    searched = time.perf_counter() - start
    start = time.perf_counter()
    found = cf.audit(system, pattern.suppressed, protection)
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    judged = cf.audit(system, pattern.suppressed, protection, exact=False)
    quick = time.perf_counter() - start
    assert found.clean
    assert judged.clean
    bounds = [(c, s) for c in pattern.suppressed for s in (1.0, -1.0)]
    chosen = (
        bounds if not count else [bounds[k] for k in np.linspace(0, len(bounds) - 1, min(count, len(bounds))).astype(int)]
    )
    off, start = 0.0, time.perf_counter()
    answers = [fresh(system, pattern.suppressed, c, s) for c, s in chosen]
    each = (time.perf_counter() - start) / len(chosen)
    for (c, s), x in zip(chosen, answers, strict=True):
        ours = found.interval(c)[0 if s > 0 else 1]
        off = max(off, 0.0 if ours == x else abs(ours - x) / max(1.0, abs(x)))
    total = each * len(bounds)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return [
        f"{system.n:,}", f"{pattern.primary.size:,}", f"{pattern.secondary.size:,}", f"{searched:.1f}", f"{len(bounds):,}",
        f"{found.solved:,}", f"{seconds:.2f}", f"{quick:.2f}", f"{1000 * each:.0f}",
        f"{total:.0f}" + ("" if len(chosen) == len(bounds) else " (implied)"), f"x {total / seconds:.0f}", f"{off:.0e}",
        f"{memory:.2f}",
    ]  # fmt: skip


def main() -> None:
    """Measure all tables."""
    import highspy

    import confide

    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--fresh", type=int, default=40)
    args = parser.parse_args()
    print(
        f"{datetime.now(tz=UTC).date()}, {platform.machine()}, {len(os.sched_getaffinity(0))} cores, Python "
        f"{platform.python_version()}, HiGHS {highspy.Highs().version()}, confide {confide.__version__}\n"
    )
    head = [
        "cells", "primary", "secondary", "pattern, s", "bounds", "programmes", "audit, s", "judged only, s",
        "a fresh programme, ms", "all fresh, s", "ratio", "largest relative difference", "GB",
    ]  # fmt: skip
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for size in args.sizes:
        print("| " + " | ".join(row(size, args.fresh)) + " |", flush=True)


if __name__ == "__main__":
    main()
