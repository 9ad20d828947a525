"""Time of one iteration of message passing, against the bandwidth of the memory.

    python benchmarks/messages.py

Records with noise about the spacing of the respondents, in three dimensions, both ordered along a curve through
space. Bandwidth and iterations are measured in turns, in processor time, and the best of each is kept: other
work on the machine slows both. Bytes are those an iteration must move if every array is read once, and written once
where it changes: 28 for a pair (weight, index, term read and written), 32 for a record, 40 for a respondent.
"""

from __future__ import annotations

import argparse
import platform
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import numpy as np
from numba import njit
from scipy import sparse
from scipy.spatial import cKDTree

from confide.linking.parallel import cores
from confide.linking.posterior.joint.cluster import POWER
from confide.linking.posterior.joint.layout import arrange
from confide.linking.posterior.joint.propagation import Messages, power, propagate, scale_records, scale_respondents
from confide.linking.posterior.joint.sinkhorn import component_labels, scaled_weights

LARGE = 30_000_000
"""Numbers in each array that bandwidth is measured on: 240 megabytes."""


@njit(nogil=True)
def triad(a, b, c):
    """Move 24 bytes for each number, as STREAM counts."""
    for i in range(a.size):
        a[i] = b[i] + 3.0 * c[i]


@njit(nogil=True)
def update(a, b):
    """Move 24 bytes for each number, and fetch none to overwrite it."""
    for i in range(a.size):
        a[i] = 0.5 * a[i] + b[i]


def along(points):
    """Give the order of points along a Z curve."""
    cell = ((points - points.min(0)) / (np.ptp(points, axis=0) + 1e-9) * 1024).astype(np.int64)
    code = np.zeros(len(points), np.int64)
    for bit in range(10):
        for axis in range(3):
            code |= ((cell[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")


def graph(n: int):
    """Give the log densities of n released records under the respondents within five standard deviations."""
    rng, sd = np.random.default_rng(1), n ** (-1 / 3)
    x = rng.normal(size=(n, 3))
    noise = rng.normal(size=(n, 3))
    noise *= np.minimum(1.0, 4.9 / np.linalg.norm(noise, axis=1, keepdims=True))
    z = x[rng.permutation(n)] + sd * noise
    x, z = x[along(x)], z[along(z)]
    near = cKDTree(x).query_ball_point(z, 5 * sd, workers=-1)
    count = np.array([len(one) for one in near])
    rows, columns = np.repeat(np.arange(n), count), np.concatenate([np.asarray(one, np.int64) for one in near])
    table = sparse.csr_array((-0.5 * ((z[rows] - x[columns]) ** 2).sum(1) / sd**2, (rows, columns)), shape=(n, n))
    table.sort_indices()
    return table


def measure(n: int, rounds: int) -> dict[str, float]:
    """Give seconds per number of both bandwidth loops and seconds per pair of an iteration."""
    table = graph(n)
    label, spare = component_labels(table.indptr, table.indices, n)
    weight, leave = scaled_weights(table.indptr, table.indices, table.data, label, spare)
    how, laid = power(POWER), arrange(table.indptr, table.indices, weight, n)
    parts, blocks, pairs = laid.part.size - 1, laid.touched.shape[1], laid.weight.size
    ones = np.ones(n)
    now = Messages(np.full(pairs, 0.0), ones.copy(), ones.copy(), ones.copy(), np.zeros(n), np.zeros((parts, n)))
    a, b, c = (np.ones(LARGE) for _ in range(3))

    work = {f"records {part}": lambda part=part: scale_records(part, laid, how, now) for part in range(parts)}
    work["respondents"] = lambda: scale_respondents(0, blocks, laid, now)
    work |= {"triad": lambda: triad(a, b, c), "update": lambda: update(a, b)}
    best = dict.fromkeys(work, np.inf)
    for _ in range(rounds):
        for name, one in work.items():
            start = time.process_time()
            one()
            best[name] = min(best[name], time.process_time() - start)
    iteration = sum(seconds for name, seconds in best.items() if name.startswith("re"))
    args = table.indptr, table.indices, weight, leave, label, spare, POWER, 20, 0.0
    propagate(*args[:-2], 1, 0.0, 1)
    for threads in (1, 2):
        start = time.perf_counter()
        propagate(*args, threads)
        best[f"wall {threads}"] = (time.perf_counter() - start) / 20 / pairs * 1e9
    moved = 28 + (32 + 40) * n / pairs
    return {
        "pairs": pairs, "triad": 24 * LARGE / best["triad"] / 1e9, "update": 24 * LARGE / best["update"] / 1e9,
        "time": iteration / pairs * 1e9, "bytes": moved, "one": best["wall 1"], "two": best["wall 2"],
    }  # fmt: skip


def together(n: int, rounds: int) -> tuple[dict[str, float], float, float]:
    """Give the bandwidths and the kernel on all cores together, in wall time: GB/s, ns and bytes a pair."""
    table = graph(n)
    label, spare = component_labels(table.indptr, table.indices, n)
    weight, _ = scaled_weights(table.indptr, table.indices, table.data, label, spare)
    how, laid = power(POWER), arrange(table.indptr, table.indices, weight, n)
    parts, pairs = laid.part.size - 1, laid.weight.size
    ones = np.ones(n)
    now = Messages(np.full(pairs, 0.0), ones.copy(), ones.copy(), ones.copy(), np.zeros(n), np.zeros((parts, n)))
    blocks = np.linspace(0, laid.touched.shape[1], cores() + 1).astype(int).tolist()
    arrays = [tuple(np.ones(LARGE // 2) for _ in range(3)) for _ in range(cores())]
    best = dict.fromkeys(("triad", "update", "kernel"), np.inf)
    with ThreadPoolExecutor(cores()) as pool:
        work = {
            "triad": lambda: list(pool.map(lambda x: triad(*x), arrays)),
            "update": lambda: list(pool.map(lambda x: update(*x[:2]), arrays)),
            "kernel": lambda: (
                list(pool.map(lambda part: scale_records(part, laid, how, now), range(parts))),
                list(pool.map(lambda a, b: scale_respondents(a, b, laid, now), blocks[:-1], blocks[1:])),
            ),
        }
        for _ in range(rounds):
            for name, one in work.items():
                start = time.perf_counter()
                one()
                best[name] = min(best[name], time.perf_counter() - start)
    speed = {name: 24 * cores() * (LARGE // 2) / best[name] / 1e9 for name in ("triad", "update")}
    return speed, best["kernel"] / pairs * 1e9, 28 + (32 + 40) * n / pairs


def main() -> None:
    """Measure a hundred thousand and a million records."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=20)
    args = parser.parse_args()
    print(
        f"{datetime.now(tz=UTC).date()}, {platform.machine()}, {cores()} cores, Python {platform.python_version()}, numpy "
        f"{np.__version__}\n"
    )
    head = [
        "records", "pairs", "triad GB/s", "update GB/s", "bytes / pair", "ns / pair", "ratio to triad", "ratio to update",
        "wall, 1 thread", "2 threads",
    ]  # fmt: skip
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for n in args.records:
        r = measure(n, args.rounds)
        ratios = [r["time"] * r[loop] / r["bytes"] for loop in ("triad", "update")]
        cells = [f"{n:,}", f"{r['pairs']:,}", *(f"{r[k]:.1f}" for k in ("triad", "update", "bytes"))]
        cells += [f"{r['time']:.2f}", *(f"{x:.2f}" for x in ratios), f"{r['one']:.2f}", f"{r['two']:.2f}"]
        print("| " + " | ".join(cells) + " |", flush=True)
    print(f"\nOn {cores()} cores together, in wall time:\n")
    head = ["records", "triad GB/s", "update GB/s", "bytes / pair", "ns / pair", "ratio to triad", "ratio to update"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for n in args.records:
        speed, seconds, moved = together(n, args.rounds)
        ratios = [seconds * speed[loop] / moved for loop in ("triad", "update")]
        numbers = [speed["triad"], speed["update"], moved, seconds, *ratios]
        print(f"| {n:,} | " + " | ".join(f"{x:.2f}" for x in numbers) + " |", flush=True)


if __name__ == "__main__":
    main()
