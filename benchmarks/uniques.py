"""Time and memory of sample uniques, SUDA and DIS-SUDA.

    python benchmarks/uniques.py [--sizes 10000 100000 1000000]

The files are those on which sdcMicro was timed: six keys with 2, 4, 7, 16, 76 and 51 levels, drawn by the same generator;
with ten keys, four amounts in 10, 15, 10 and 8 classes are added. Every row is measured in a process of its own, best of
some turns after one that loads the compiled loops. `one group-by` is the frequency count on all keys; a search over all sets
of keys has 63 or 1,023 of them to do.
"""

from __future__ import annotations

import resource
import time

import numpy as np
from printed import alone, growth, here, row, sizes, table

SIX = ["sex", "race", "marital", "edu", "age", "region"]
FOUR = ["hours", "income", "tax", "benefit"]


def arrays(n: int) -> dict[str, np.ndarray]:
    """Draw the keys in the order in which the published file draws them; amounts in classes."""
    rng = np.random.default_rng(1)
    age = np.clip(rng.normal(48, 18, n), 15, 90).astype(int)
    drawn = {"age": age, "sex": rng.integers(0, 2, n), "race": rng.choice(4, n, p=[0.84, 0.10, 0.01, 0.05])}
    drawn["marital"] = rng.choice(7, n, p=[0.52, 0.01, 0.01, 0.10, 0.15, 0.03, 0.18])
    schooling = np.r_[np.full(8, 0.02), 0.30, 0.18, 0.05, 0.05, 0.17, 0.05, 0.02, 0.02]
    drawn["edu"] = rng.choice(16, n, p=schooling / schooling.sum())
    drawn["region"] = rng.zipf(1.6, n) % 51
    income = np.round(np.exp(rng.normal(10.4, 0.9, n) + 0.01 * (age - 48) + 0.05 * drawn["edu"]))
    tax = np.where(rng.random(n) < 0.65, np.round(np.exp(rng.normal(7, 0.9, n))), 0)
    benefit = np.where((age > 62) & (rng.random(n) < 0.9), np.round(rng.gamma(6, 2000, n)), 0)
    drawn["hours"] = np.clip(np.round(rng.normal(38, 12, n)), 0, 99).astype(int) // 10
    drawn["income"] = np.minimum(income // 10_000, 14).astype(int)
    drawn["tax"] = np.minimum(tax // 1000, 9).astype(int)
    drawn["benefit"] = np.minimum(benefit // 4000, 7).astype(int)
    return drawn


def work(what: str, n: int):
    """Give our call, and the group-by on all keys."""
    import polars as pl

    import confide as cf

    keys = [*SIX, *FOUR] if what == "ten" else SIX
    data = cf.from_frame(pl.DataFrame(arrays(n)))
    if what == "wildcards":
        rng = np.random.default_rng(2)
        columns = {}
        for name in keys:
            column, gone = data.columns[name], rng.random(n) < 0.01
            columns[name] = cf.Column(
                np.where(gone, np.nan, column.numbers), np.where(gone, -2, column.codes), column.labels
            )
        data = data.with_columns(columns)
    ours = {
        "special": lambda: cf.special_uniques(data, keys),
        "six": lambda: cf.dis_suda(data, keys, 0.01),
        "ten": lambda: cf.dis_suda(data, keys, 0.01),
        "wildcards": lambda: cf.dis_suda(data, keys, 0.01, missing=cf.MissingAsWildcard()),
    }[what]
    return ours, lambda: cf.frequencies(data, keys, weights=False)


def timed(call) -> float:
    """Give the seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def measure(what: str, n: int) -> dict[str, float]:
    """Run one measurement in this process: memory, then the fewest seconds."""
    ours, plain = work(what, n)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    first = timed(ours)
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    rounds = 5 if first < 20 else 2
    seconds, one = min(timed(ours) for _ in range(rounds)), min(timed(plain) for _ in range(5))
    return {"seconds": seconds, "one": one, "gigabytes": gigabytes, "before": before}


WORK = {
    "special": ("special uniques, 6 keys", {}, {}),
    "six": ("SUDA and DIS-SUDA, 6 keys", {10**5: 0.4, 10**6: 5.0}, {10**5: "sdcMicro 0.51", 10**6: "sdcMicro 23.8"}),
    "ten": ("SUDA and DIS-SUDA, 10 keys", {}, {}),
    "wildcards": ("the same, 6 keys, 1 % missing as wildcards", {}, {}),
}
"""What is measured, the limits in seconds that the project set itself, and seconds published elsewhere."""


def main() -> None:
    """Run everything, each measurement in its own process."""
    wanted = sizes(measure)
    if not wanted:
        return
    here()
    head = ["records", "work", "s", "limit", "one group-by, s", "growth", "GB before", "GB", "published, s"]
    table(head)
    for what, (title, limits, published) in WORK.items():
        last = None
        for n in wanted:
            found = alone(__file__, what, n)
            grown = growth(last, n, found["seconds"])
            cells = [
                f"{n:,}", title, f"{found['seconds']:.4f}", limits.get(n, ""), f"{found['one']:.4f}", grown,
                f"{found['before']:.2f}", f"{found['gigabytes']:.2f}", published.get(n, ""),
            ]  # fmt: skip
            row(cells)
            last = n, found["seconds"]


if __name__ == "__main__":
    main()
