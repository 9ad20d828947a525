"""Time and memory of population uniques from a sample.

    python benchmarks/uniques_population.py [--sizes 10000 100000 1000000]

Six keys with 2, 4, 7, 16, 76 and 51 levels: 3.5 million combinations. Every row is measured in a process of its own, the
best of three calls after one that loads the compiled loops; memory is the peak of the whole process, file and libraries
included. The peer is not run here: its figures were measured elsewhere, on two cores (sdcMicro 5.8.1, modRisk).
"""

from __future__ import annotations

import time

import numpy as np
from printed import growth, here, measured, peak, row, sizes, table

KEYS = ["sex", "race", "marital", "edu", "age", "region"]
EDU = np.array([0.02] * 8 + [0.30, 0.18, 0.05, 0.05, 0.17, 0.05, 0.02, 0.02])


def file_of(n: int):
    """Draw keys and weights."""
    import polars as pl

    import confide as cf

    rng = np.random.default_rng(1)
    drawn = {
        "age": np.clip(rng.normal(48, 18, n), 15, 90).astype(int),
        "sex": rng.integers(0, 2, n),
        "race": rng.choice(4, n, p=[0.84, 0.10, 0.01, 0.05]),
        "marital": rng.choice(7, n, p=[0.52, 0.01, 0.01, 0.10, 0.15, 0.03, 0.18]),
        "edu": rng.choice(16, n, p=EDU / EDU.sum()),
        "region": rng.zipf(1.6, n) % 51,
    }
    return cf.from_frame(pl.DataFrame(drawn)).declare(key=KEYS)


def work(what: str, n: int):
    """Give our call."""
    import confide as cf

    data, fraction = file_of(n), 0.05
    chain = cf.Interactions(["age", "edu"], ["edu", "sex"], ["age", "marital"])
    return {
        "main": lambda: cf.loglinear_risk(data, fraction=fraction),
        "chain": lambda: cf.loglinear_risk(data, None, chain, fraction=fraction),
        "two": lambda: cf.loglinear_risk(data, None, cf.AllTwoWay(), fraction=fraction),
        "untested": lambda: cf.loglinear_risk(data, fraction=fraction, test=False),
        "ewens": lambda: cf.population_uniques(data, None, cf.Ewens(), population_size=n / fraction),
        "pitman": lambda: cf.population_uniques(data, None, cf.Pitman(), population_size=n / fraction),
    }[what]


def measure(what: str, n: int) -> dict[str, float]:
    """Run one measurement in this process."""
    work(what, 3000)()  # fewer fit all two-way interactions so badly that it takes longer
    call = work(what, n)
    seconds = []
    for _ in range(4):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return {"seconds": min(seconds[1:]), "gigabytes": peak()}


SDCMICRO = {10**4: "13.9 to 15.4 s, 2.2 to 3.4 GB", 10**5: "12.3 to 14.6 s, 2.3 to 3.3 GB"}
"""modRisk with main effects of the same six keys, as measured elsewhere."""
WORK = {
    "main": ("log-linear, main effects, with the test", {10**5: 3.0}, SDCMICRO),
    "untested": ("log-linear, main effects, without the test", {}, SDCMICRO),
    "chain": ("log-linear, three interactions in closed form, with the test", {}, {}),
    "two": ("log-linear, all 15 two-way interactions, with the test", {10**5: 3.0}, {}),
    "ewens": ("Ewens", {}, {}),
    "pitman": ("Pitman", {}, {}),
}
"""What is measured, the limits in seconds that the project set itself, and the peer."""


def main() -> None:
    """Run everything, each measurement in its own process."""
    wanted = sizes(measure)
    if not wanted:
        return
    here()
    head = ["records", "work", "s", "limit", "growth", "GB", "sdcMicro, published"]
    table(head)
    for what, (title, limits, published) in WORK.items():
        last = None
        for n in wanted:
            try:
                found = measured(__file__, measure, what, n)
            except SystemExit as failed:
                print(f"| {n:,} | {title} | {str(failed).strip().splitlines()[-1]} |" + " |" * 4)
                continue
            grown = growth(last, n, found["seconds"])
            memory = f"{found['gigabytes']:.2f}"
            row([f"{n:,}", title, f"{found['seconds']:.4f}", limits.get(n, ""), grown, memory, published.get(n, "")])
            last = n, found["seconds"]


if __name__ == "__main__":
    main()
