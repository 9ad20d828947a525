"""Time and memory of an assessment, from ten thousand to a million records.

    python benchmarks/scale.py

Every measurement runs in a process of its own, so that its peak memory is its own. Compiled inner
loops are loaded from the cache; run twice to measure without compilation.
"""

from __future__ import annotations

import argparse
import json
import resource
import time

from printed import alone, growth, here, row, table

KEYS = ["sex", "race", "marital", "age"]


def grown(n: int):
    """Give n records drawn with replacement from the example file."""
    import numpy as np

    import confide as cf

    cps = cf.examples.cps()
    return cps.take(np.random.default_rng(1).integers(0, cps.n, n)) if n != cps.n else cps


def strategies():
    """Give the six strategies of Table 6."""
    import confide as cf

    age = cf.Recode("age", width=5)
    swaps = cf.Swap("race", rate=0.3), cf.Swap("marital", rate=0.3)
    noise = cf.Noise("property_tax", sd=0.10, relative_to="positive", keep_zero=True, lower=0)
    below = cf.Noise("property_tax", sd=290.7, keep_zero=True, lower=0, upper=3000)
    return {
        "none": cf.Release(name="none"),
        "recode": cf.Release(age, name="recode"),
        "swap": cf.Release(*swaps, name="swap"),
        "recode+swap": cf.Release(age, *swaps, name="recode+swap"),
        "recode+swap+noise": cf.Release(age, *swaps, noise, name="recode+swap+noise"),
        "recode+swap+top+noise": cf.Release(
            age, *swaps, cf.Topcode("property_tax", at=3000), below, name="recode+swap+top+noise"
        ),
    }


def measure(what: str, n: int) -> dict[str, float]:
    """Run one measurement in this process."""
    import confide as cf

    data = grown(n)
    plain, rich = cf.Intruder(knows=KEYS), cf.Intruder(knows=[*KEYS, "property_tax"])
    plans = strategies()
    start = time.perf_counter()
    if what == "table6":
        cf.assess([r.apply(data, seed=7) for r in plans.values()], [plain, rich])
    elif what == "keys":
        cf.assess(plans["recode"].apply(data, seed=7), plain)
    elif what == "swapped keys":
        cf.assess(plans["recode+swap"].apply(data, seed=7), plain)
    elif what == "noisy amount":
        cf.assess(plans["recode+swap+noise"].apply(data, seed=7), rich)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20}


WORK = [
    ("table6", 51_016, "every cell of Table 6", 30, 2),
    ("keys", 10_000, "categorical keys, recoded", None, None),
    ("keys", 100_000, "categorical keys, recoded", None, None),
    ("keys", 1_000_000, "categorical keys, recoded", 10, None),
    ("swapped keys", 10_000, "recoded and swapped keys", None, None),
    ("swapped keys", 100_000, "recoded and swapped keys", None, None),
    ("swapped keys", 1_000_000, "recoded and swapped keys", None, None),
    ("noisy amount", 10_000, "recoded, swapped, noisy tax known", None, None),
    ("noisy amount", 100_000, "recoded, swapped, noisy tax known", None, None),
    ("noisy amount", 1_000_000, "recoded, swapped, noisy tax known", 180, 6),
]


def main() -> None:
    """Run everything, each measurement in its own process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--one", nargs=2)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(args.one[0], int(args.one[1]))))
        return

    here("polars")
    head = ["targets = records", "work", "seconds", "limit", "GB", "limit", "growth"]
    table(head)
    last: dict[str, tuple[int, float]] = {}
    for what, n, title, most_seconds, most_gb in WORK:
        r = alone(__file__, what, n)
        grown = growth(last.get(what), n, r["seconds"])
        last[what] = n, r["seconds"]
        cells = [f"{n:,}", title, f"{r['seconds']:.2f}", most_seconds or "", f"{r['gigabytes']:.2f}", most_gb or "", grown]
        row(cells)


if __name__ == "__main__":
    main()
