"""Time and memory of the classical counts, beside a plain group-by in the same process.

    python benchmarks/frequencies.py [--sizes 10000 100000 1000000]

Six keys with 2, 4, 7, 16, 76 and 51 levels. Every row is measured in a process of its own, best of six turns after one
that loads the compiled loops. `plain` is the group-by that the work cannot do without: with numpy, keys written as one
number and counted in a table; with polars, `group_by(...).agg(...)` over the same columns.
"""

from __future__ import annotations

import resource
import time

import numpy as np
from printed import growth, here, measured, row, sizes, table

KEYS = ["sex", "race", "marital", "edu", "age", "region"]
LEVELS = [2, 4, 7, 16, 76, 51]


def arrays(n: int) -> dict[str, np.ndarray]:
    """Draw keys, a sensitive variable and weights."""
    rng = np.random.default_rng(1)
    return {
        "sex": rng.integers(0, 2, n),
        "race": rng.choice(4, n, p=[0.84, 0.10, 0.01, 0.05]),
        "marital": rng.choice(7, n, p=[0.52, 0.01, 0.01, 0.10, 0.15, 0.03, 0.18]),
        "edu": np.minimum(rng.geometric(0.2, n) - 1, 15),
        "age": np.clip(rng.normal(33, 18, n), 0, 75).astype(int),
        "region": rng.zipf(1.6, n) % 51,
        "hours": np.clip(np.round(rng.normal(38, 12, n)), 0, 99).astype(int),
        "weight": np.round(rng.gamma(4, 500, n), 2),
    }


def file_of(drawn: dict[str, np.ndarray], holes: float):
    """Make a file; some key values may be missing."""
    import polars as pl

    import confide as cf

    data = cf.from_frame(pl.DataFrame(drawn)).declare(key=KEYS, weight="weight")
    if not holes:
        return data
    rng = np.random.default_rng(2)
    columns = {}
    for name in KEYS:
        column, gone = data.columns[name], rng.random(data.n) < holes
        columns[name] = cf.Column(np.where(gone, np.nan, column.numbers), np.where(gone, -2, column.codes), column.labels)
    return data.with_columns(columns)


def packed_counts(drawn: dict[str, np.ndarray], *, weighed: bool = False) -> np.ndarray:
    """Count with numpy alone."""
    packed = drawn[KEYS[0]].astype(np.int64)
    for name, width in zip(KEYS[1:], LEVELS[1:], strict=True):
        packed = packed * width + drawn[name]
    count = np.bincount(packed)[packed]
    return np.bincount(packed, weights=drawn["weight"])[packed] / count if weighed else count


def work(what: str, n: int):
    """Give our call, and the plain ones by name."""
    import polars as pl

    import confide as cf

    drawn = arrays(n)
    frame = pl.DataFrame(drawn)
    data = file_of(drawn, 0.01 if what == "wildcards" else 0.0)
    numpy, weighed = lambda: packed_counts(drawn), lambda: packed_counts(drawn, weighed=True)
    by_keys = lambda: frame.group_by(KEYS).len()  # noqa: E731
    by_value = lambda: frame.group_by([*KEYS, "hours"]).len()  # noqa: E731
    return {
        "counts": (lambda: cf.frequencies(data, weights=False), {"numpy": numpy, "polars": by_keys}),
        "wildcards": (lambda: cf.frequencies(data, missing=cf.MissingAsWildcard()), {"numpy": weighed, "polars": by_keys}),
        "individual": (lambda: cf.individual_risk(data), {"numpy": weighed, "polars": by_keys}),
        "diversity": (lambda: cf.l_diversity(data, None, "hours", cf.EntropyDiversity()), {"polars": by_value}),
        "closeness": (lambda: cf.t_closeness(data, None, "hours"), {"polars": by_value}),
    }[what]


def timed(call) -> float:
    """Give the seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def measure(what: str, n: int, rounds: int = 7) -> dict[str, float]:
    """Run one measurement in this process: the memory of ours alone, then the fewest seconds of each, by turns."""
    ours, plain = work(what, n)
    ours()
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    calls = {"seconds": ours} | plain
    found = [{name: timed(call) for name, call in calls.items()} for _ in range(rounds)][1:]
    return {"gigabytes": gigabytes} | {name: min(times[name] for times in found) for name in calls}


WORK = {
    "counts": ("frequency counts", None, {10**6: "sdcMicro 1.09, pycanon 4.2"}),
    "wildcards": ("counts, 1 % missing per key as wildcards", {10**5: 0.5}, {10**5: "sdcMicro 7.8"}),
    "individual": ("individual risk, formula", {10**6: 0.3}, {10**6: "sdcMicro 1.68"}),
    "diversity": ("l-diversity, entropy", {10**6: 0.5}, {10**6: "pycanon 26"}),
    "closeness": ("t-closeness, ordered", {10**6: 1.0}, {10**6: "pycanon 233"}),
}
"""What is measured, the limits in seconds that the project set itself, and seconds published elsewhere."""


def main() -> None:
    """Run everything, each measurement in its own process."""
    wanted = sizes(measure)
    if not wanted:
        return
    here("polars")
    head = [
        "records",
        "work",
        "s",
        "limit",
        "plain numpy, s",
        "plain polars, s",
        "to the faster",
        "growth",
        "GB",
        "published, s",
    ]
    table(head)
    for what, (title, limits, published) in WORK.items():
        last = None
        for n in wanted:
            found = measured(__file__, measure, what, n)
            plain = [found[k] for k in ("numpy", "polars") if k in found]
            limit = limits.get(n, "") if limits else f"{2 * min(plain):.4f}"
            grown = growth(last, n, found["seconds"])
            both = [f"{found[k]:.4f}" if k in found else "" for k in ("numpy", "polars")]
            ratio, memory = f"x {found['seconds'] / min(plain):.2f}", f"{found['gigabytes']:.2f}"
            cells = [f"{n:,}", title, f"{found['seconds']:.4f}", limit, *both, ratio, grown, memory, published.get(n, "")]
            row(cells)
            last = n, found["seconds"]


if __name__ == "__main__":
    main()
