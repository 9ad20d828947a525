"""Time, distance and gap of controlled rounding, controlled adjustment and cell keys.

    python benchmarks/perturb.py [--sizes 1000 3000 24000] [--records 1000000] [--seconds 60]

The tables are those of `business.py`. Rounding and adjustment are done by the
heuristics, and on the smallest table also by the exact searches, with so many seconds. `judged` is the time to find
which sensitive cells keep their protection from one who knows the method, where the table has at most 4,000 cells.
Cell keys are measured on records of three variables.
"""

from __future__ import annotations

import argparse

import numpy as np
import printed
from audit import SIZES
from business import business

BY = ["area", "age", "sex"]
"""The variables of the records."""


def ways(system, protection, seconds: float | None):
    """Name the methods; with seconds the exact ones."""
    import confide as cf

    rounding = cf.FamilyRounding() if seconds is None else cf.OptimalRounding()
    adjustment = cf.BalancedAdjustment() if seconds is None else cf.OptimalAdjustment()
    names = ("families", "balanced") if seconds is None else ("optimal", "optimal")
    for base in (5, 100):
        yield (
            f"rounding to {base}, {names[0]}",
            lambda b=base: cf.round_table(system, b, protection=protection, method=rounding, time_limit=seconds),
        )
    yield (
        f"adjustment, {names[1]}",
        lambda: cf.adjust_table(system, protection, method=adjustment, time_limit=seconds),
    )


def tables(sizes: list[int], seconds: float) -> None:
    """Measure rounding and adjustment."""
    printed.table(["cells", "sensitive", "method", "seconds", "changed", "distance", "gap", "judged, s", "exposed", "GB"])
    for size in sizes:
        system, _, protection = business(size)
        exact = list(ways(system, protection, seconds)) if size <= 1000 else []
        for name, work in [*ways(system, protection, None), *exact]:
            took, found = printed.timed(work)
            off = np.abs(system.equations @ found.values).max()
            assert off <= 1e-9 * np.abs(system.values).max()
            judged, exposed = "", ""
            if name.startswith("rounding") and system.n <= 4000:
                spent, audit = printed.timed(lambda f=found: f.audit(exact=False))
                judged, exposed = f"{spent:.1f}", f"{len(audit.exposed):,}"
            printed.row([
                f"{system.n:,}", f"{protection.sensitive.size:,}", name, f"{took:.1f}",
                f"{int((found.values != system.values).sum()):,}", f"{found.distance:,.6g}", f"{found.gap:.2%}", judged,
                exposed, f"{printed.peak():.2f}",
            ])  # fmt: skip


def records(n: int):
    """Draw records of three variables."""
    import confide as cf

    rng = np.random.default_rng(1)
    columns = {v: rng.integers(0, k, n).tolist() for v, k in zip(BY, (100, 20, 2), strict=True)}
    return cf.Microdata.from_dict(columns | {"x": np.round(rng.lognormal(3, 1, n), 2).tolist()})


def keys(sizes: list[int]) -> None:
    """Measure cell keys."""
    import confide as cf

    printed.table(
        ["records", "cells", "what", "seconds", "table alone, s", "mean noise", "variance", "sums off by", "growth"]
    )
    last: dict[str, tuple[int, float]] = {}
    cf.tabulate(records(1000), BY, largest=1)  # compiles
    for n in sizes:
        data = records(n)
        alone = printed.timed(lambda d=data: cf.tabulate(d, BY, largest=1))[0]
        count, share = cf.CountNoise(cf.PerturbationTable.of(10, 9.0, js=2)), cf.MagnitudeNoise(0.1)
        for what, value, noise in (("counts", None, count), ("magnitudes", "x", share)):
            took, found = printed.timed(
                lambda d=data, v=value, z=noise: cf.perturb_cells(d, BY, v, noise=z, keys=cf.RecordKeys(seed=1))
            )
            d = found.values - found.table.values
            printed.row([
                f"{n:,}", f"{found.table.n:,}", what, f"{took:.2f}", f"{alone:.2f}", f"{d.mean():.3g}", f"{d.var():.3g}",
                f"{found.additivity((1.0,))[1.0]:.4g}", printed.growth(last.get(what), n, took),
            ])  # fmt: skip
            last[what] = (n, took)


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", nargs="*", type=int, default=list(SIZES), choices=list(SIZES))
    parser.add_argument("--records", nargs="*", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--seconds", type=float, default=60.0)
    args = parser.parse_args()
    printed.here("highspy")
    tables(args.sizes, args.seconds)
    keys(args.records)


if __name__ == "__main__":
    main()
