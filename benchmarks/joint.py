"""Time, memory and accuracy of the joint answer to eq. (4.1), exact and approximate.

    python benchmarks/joint.py [exact] [large] [approximate] [accuracy] [messages]
    python benchmarks/joint.py approximate --sizes 1000 10000 100000 1000000 --wide-sizes 1000 10000 100000
    python benchmarks/joint.py exact --peer PYTHON

Every row of `approximate` runs in a process of its own, so that its peak memory is its own. PYTHON is an interpreter
with thewalrus installed, by default this one; where it is not installed, that is said and its columns stay empty. Compiled
loops are loaded from the cache and run once at a small size before the clock starts.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from printed import best, here, row, table

DENSE = [14, 16, 18, 20, 22, 24]
WHOLE = 20
"""Up to here all marginals are found by permanents; beyond, their time is implied by that of a few."""
LIMITS = {("normal", 10_000): (10, None), ("normal", 100_000): (45, 1.5), ("normal", 1_000_000): (120, 7)}
"""Seconds and gigabytes the project set itself."""
EXPPERM = 2.4
"""Seconds of R's expperm for all marginals at n = 20, as published; not run here."""
NOTABLE = 0.05


def apart(*args: object, python: str = sys.executable) -> dict:
    """Run one measurement of this file in a process of its own."""
    command = [python, __file__, "--one", *(str(a) for a in args)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        sys.exit(f"{' '.join(command[2:])} failed:\n{found.stderr}")
    return json.loads(found.stdout.splitlines()[-1])


# (a) exact, dense


def dense(n: int):
    """Give n by n densities, the same here and for the peer."""
    return np.random.default_rng(n).random((n, n))


def exact_dense(n: int) -> dict:
    """Time all marginals through the public call, and by the kernel alone."""
    import confide as cf
    from confide.linking.posterior.joint.subset import subset_marginals

    cf.link_probabilities(dense(14))
    f, times = dense(n), 5 if n <= 22 else 2
    links = cf.link_probabilities(f)
    seconds, alone = best(lambda: cf.link_probabilities(f), times), best(lambda: subset_marginals(np.log(f)), times)
    return {"seconds": seconds, "kernel": alone, "p": links.p.tolist(), "method": links.methods[0][0]}


def by_permanents(n: int) -> dict:
    """Time thewalrus: all marginals by n^2 + 1 permanents, or a few of them."""
    try:
        import thewalrus
    except ImportError:
        return {}
    f = dense(n)
    thewalrus.perm(dense(5))

    def minor(j: int, i: int) -> float:
        return thewalrus.perm(np.ascontiguousarray(np.delete(np.delete(f, j, 0), i, 1)))

    whole, one = best(lambda: thewalrus.perm(f), 3), best(lambda: minor(0, 0), 3)
    if n > WHOLE:
        return {"permanent": whole, "seconds": whole + n * n * one, "version": thewalrus.__version__}
    start = time.perf_counter()
    total = thewalrus.perm(f)
    p = [[f[j, i] * minor(j, i) / total for i in range(n)] for j in range(n)]
    return {"permanent": whole, "seconds": time.perf_counter() - start, "p": p, "version": thewalrus.__version__}


def exact(args: argparse.Namespace) -> None:
    """Print dense tables, with the peer beside them."""
    print("\n## Exact: all marginals of dense n by n densities")
    peers = {n: apart("permanents", n, python=args.peer) for n in DENSE}
    name = next((f"thewalrus {p['version']}" for p in peers.values() if p), "thewalrus (not installed)")
    table(
        ["n", "method", "ms", "limit", "kernel alone, ms", f"{name}: one permanent, ms", "all marginals, s", "ratio",
         "largest difference"]
    )  # fmt: skip
    for n in DENSE:
        ours, peer = apart("dense", n), peers[n]
        cells = [n, ours["method"], f"{1e3 * ours['seconds']:.1f}", 50 if n == 20 else "", f"{1e3 * ours['kernel']:.1f}"]
        if peer:
            implied = "" if "p" in peer else " (implied)"
            off = np.abs(np.array(ours["p"]) - peer["p"]).max() if "p" in peer else None
            if off is not None and off > 1e-10:
                sys.exit(f"answers differ by {off:.1e} at n = {n}")
            cells += [f"{1e3 * peer['permanent']:.2f}", f"{peer['seconds']:.3g}{implied}"]
            cells += [f"x {peer['seconds'] / ours['seconds']:.0f}", "" if off is None else f"{off:.0e}"]
        row(cells + [""] * (9 - len(cells)))
    print(f"\nR's expperm: {EXPPERM} s for all marginals at n = 20, as published elsewhere; not run here.")


# (b) exact, large


def banded(n: int, width: int):
    """Give one-dimensional evidence: each record's candidates are a window around its own respondent."""
    from scipy import sparse

    rng = np.random.default_rng(1)
    x = np.sort(rng.random(n)) * n
    z = x + rng.normal(size=n)
    rows = [np.arange(max(0, i - width // 2), min(n, i - width // 2 + width)) for i in range(n)]
    indptr = np.concatenate(([0], np.cumsum([one.size for one in rows])))
    values = np.concatenate([-0.5 * (z[i] - x[one]) ** 2 for i, one in enumerate(rows)])
    return sparse.csr_array((values, np.concatenate(rows), indptr), shape=(n, n))


def large(args: argparse.Namespace) -> None:
    """Print exact answers to large components with structure."""
    del args
    import confide as cf

    print("\n## Exact: large components with structure")
    table(["N = n", "evidence", "method", "seconds"])
    kinds = np.repeat(np.random.default_rng(198).normal(size=(198, 3)), 66, axis=1)
    work = [("3 kinds of respondents", kinds), ("band of 10", banded(10_000, 10)), ("band of 15", banded(10_000, 15))]
    for warm in (kinds[:30, ::6], banded(200, 10)):
        cf.link_probabilities(warm, log=True, work=math.inf)
    for name, log_f in work:
        start = time.perf_counter()
        links = cf.link_probabilities(log_f, log=True, work=math.inf)
        seconds = time.perf_counter() - start
        row([f"{log_f.shape[0]:,}", name, links.methods[0][0], f"{seconds:.2f}"])


# (c) approximate, three dimensions


def beliefs(n: int, source: str):
    """Give n sources in three dimensions, the records released from all of them, and the noise's standard deviation."""
    rng = np.random.default_rng(n)
    x = rng.normal(size=(n, 3)) if source == "normal" else rng.random((n, 3))
    sd = (1.0 if source == "normal" else 0.5) * n ** (-1 / 3)
    return x, x[rng.permutation(n)] + sd * rng.normal(size=(n, 3)), sd


def tolerance_at(n: int) -> float:
    """Give the tolerance of the project's targets."""
    return 0.005 if n <= 10_000 else 0.01 if n <= 100_000 else 0.015


def rms(x) -> float:
    """Give the root mean square."""
    return float(np.sqrt(np.mean(np.square(x))))


def held_out(appearance, z, p, seed: int, sweeps: int) -> float:
    """Judge p by two chains of another seed, without shrinkage: the mean of (p - one)(p - two) is the squared error.

    Over the largest component; the chains err apart from each other and from p, so the estimate has no bias.
    """
    from functools import partial

    from confide.linking.posterior.joint.cluster import cluster_corrected
    from confide.linking.posterior.joint.components import split
    from confide.linking.posterior.joint.feasible import check_pairs
    from confide.linking.posterior.joint.sampling import both, walk

    parts = split(check_pairs(densities_of(p, appearance, z)))
    part, label, spare = parts.joined(np.array([np.argmax(np.diff(parts.record_start))]))
    corrected = cluster_corrected(part.sparse(), labels=(label, spare))
    steps = walk(part.sparse(), corrected.weight, corrected.leave, corrected.p)
    chains = steps.start(seed, 0), steps.start(seed, 1)
    both(steps.settle, chains)
    both(partial(steps.run, sweeps=sweeps), chains)
    one, two = steps.shares(chains)
    mine = p.data[part.source]
    notable = mine > NOTABLE
    return float(np.sqrt(max(((mine - one) * (mine - two))[notable].mean(), 0.0)))


def densities_of(p, appearance, z):
    """Give the log densities of the pairs of p."""
    from scipy import sparse

    values, rows = np.empty(p.nnz), np.repeat(np.arange(p.shape[0]), np.diff(p.indptr))
    for at in range(0, p.nnz, 1 << 22):
        piece = slice(at, at + (1 << 22))
        values[piece] = appearance.log_density(z, rows[piece], p.indices[piece].astype(np.int64))
    return sparse.csr_array((values, p.indices, p.indptr), shape=p.shape)


def approximated(n: int, source: str, check: int, seconds: float) -> dict:
    """Answer once, then judge the answer by what it has not seen."""
    import confide as cf

    x, z, sd = beliefs(300, "normal")
    cf.link_probabilities(cf.NormalAppearance(x, sd=sd), z, tolerance=0.05)
    (x, z, sd), tolerance = beliefs(n, source), tolerance_at(n)
    start, processor = time.perf_counter(), time.process_time()
    links = cf.link_probabilities(cf.NormalAppearance(x, sd=sd), z, tolerance=tolerance, seconds=seconds or None)
    found = {"seconds": time.perf_counter() - start, "processor": time.process_time() - processor}
    found["gigabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    d, pairs = links.diagnostics, links.p.nnz
    found |= {"rms": d.rms, "sweeps": d.sweeps, "met": d.tolerance_met, "candidates": pairs / n, "tolerance": tolerance}
    found |= {"dropped": float(d.dropped.mean()), "most dropped": float(d.dropped.max())}
    found["effective"] = float(np.exp(-(links.p.data * np.log(np.maximum(links.p.data, 1e-300))).sum() / n))
    if check and d.sweeps:
        found["held out"] = held_out(cf.NormalAppearance(x, sd=sd), z, links.p, 1, d.sweeps)
        tight = n <= 10_000
        again = cf.link_probabilities(cf.NormalAppearance(x, sd=sd), z, tolerance=tolerance / (4 if tight else 1), seed=2)
        off = np.abs(links.p.data - again.p.data)
        found["other run"] = rms(off[links.p.data > NOTABLE]) / (1 if tight else math.sqrt(2))
        if tight:
            kept = np.maximum.reduceat(off > links.error.data, links.p.indptr[:-1])
            found["covered"] = 1.0 - float(kept.mean())
    return found


def approximate(args: argparse.Namespace) -> None:
    """Print time, memory and error from a thousand to a million records."""
    titles = {
        "normal": "normal source, noise of standard deviation N^(-1/3)",
        "uniform": "uniform source, noise of half the spacing, .5 N^(-1/3)",
    }
    head = [
        "N = n", "candidates", "effective", "tolerance", "seconds", "limit", "processor seconds", "GB", "limit",
        "rms, own account", "held-out chains", "other run", "covered", "sweeps", "dropped, mean", "largest", "growth",
    ]  # fmt: skip
    for source, sizes in (("normal", args.sizes), ("uniform", args.wide_sizes)):
        print(f"\n## Approximate: three dimensions, {titles[source]}")
        table(head)
        last = None
        for n in sizes:
            r = apart("approximate", n, source, int(not args.no_check), args.seconds)
            growth = f"x {r['seconds'] / last[1]:.1f} for x {n / last[0]:.3g}" if last else ""
            growth += " at a looser tolerance" if last and r["tolerance"] > last[2] else ""
            last, limits = (n, r["seconds"], r["tolerance"]), LIMITS.get((source, n), (None, None))
            shown = [f"{r[k]:.4f}" if k in r else "" for k in ("rms", "held out", "other run", "covered")]
            row(
                [f"{n:,}", f"{r['candidates']:.1f}", f"{r['effective']:.1f}", r["tolerance"], f"{r['seconds']:.2f}",
                 limits[0] or "", f"{r['processor']:.2f}", f"{r['gigabytes']:.2f}", limits[1] or "",
                 shown[0] + ("" if r["met"] else " (NOT met)"), *shown[1:], f"{r['sweeps']:,}",
                 f"{r['dropped']:.0e}", f"{r['most dropped']:.0e}", growth]
            )  # fmt: skip


# (d) accuracy against the exact answer


def instance(rng):
    """Give log densities of a random small case and its n/N: one or three dimensions, noise of 1 to 200 per cent."""
    wide, d, share = int(rng.choice([10, 16, 22])), int(rng.choice([1, 3])), float(rng.choice([1, 0.5, 0.1]))
    noise = float(np.exp(rng.uniform(np.log(0.01), np.log(2))))
    n = max(1, round(wide * share))
    x = rng.normal(size=(wide, d))
    z = x[rng.permutation(wide)[:n]] + noise * rng.normal(size=(n, d))
    return -0.5 * ((z[:, None] - x[None]) ** 2).sum(axis=2) / noise**2, share


def answers(log_f, seed: int) -> dict:
    """Give every method's answer, and the error it reports where it does."""
    import confide as cf
    from confide.linking.posterior.joint.approximate import Effort
    from confide.linking.posterior.joint.approximate import approximate as solve
    from confide.linking.posterior.joint.cluster import cluster_corrected
    from confide.linking.posterior.joint.components import split
    from confide.linking.posterior.joint.feasible import check_pairs
    from confide.linking.posterior.joint.sinkhorn import scaled_weights
    from confide.linking.posterior.joint.solve import log_table

    parts = split(check_pairs(log_table(log_f, log=True)))
    part, label, spare = parts.joined(np.arange(len(parts)))
    pairs, n = part.sparse(), part.records.size
    rows = np.repeat(np.arange(n), np.diff(part.indptr))

    def placed(values):
        full = np.zeros(log_f.shape)
        full[part.records[rows], part.respondents[part.indices]] = values
        return full

    plain = cluster_corrected(pairs, labels=(label, spare))
    found = solve(part, (label, spare), Effort(0.005, None, seed), time.monotonic())
    scaled = scaled_weights(part.indptr, part.indices, part.values, label, spare, 2000)[0]
    return {
        "(4.2), records in isolation": (cf.isolated(log_f, log=True), None),
        "(4.3), product form": (
            np.column_stack([cf.product_form(log_f, i, log=True) for i in range(log_f.shape[1])]), None
        ),
        "Sinkhorn": (placed(scaled), None),
        "propagation alone": (placed(plain.p), placed(plain.error(rows))),
        "propagation and two chains, tolerance .005": (placed(found.p), placed(found.error)),
    }  # fmt: skip


def accuracy(args: argparse.Namespace) -> None:
    """Print the errors of all methods on the same random cases."""
    from confide.linking.posterior.joint.exact import exact_marginals

    rng, shares = np.random.default_rng(3), (1.0, 0.5, 0.1)
    seen: dict[str, list[tuple[float, float, float, list[bool]]]] = {}
    for k in range(args.instances):
        log_f, share = instance(rng)
        truth = exact_marginals(log_f, work=np.inf)[0]
        for name, (p, error) in answers(log_f, k).items():
            off = np.abs(p - truth)
            covered = [] if error is None else (off <= error).all(axis=1).tolist()
            seen.setdefault(name, []).append((share, off.max(axis=1).mean(), off.max(), covered))
    print(f"\n## Accuracy: {args.instances} random cases with N of 10, 16 and 22, all compared with the exact answer")
    print("\nMean over the cases of the records' mean largest error / worst error.")
    table(["method", *(f"n/N = {s:g}" for s in shares), "all", "records whose error is covered"])
    for name, cases in seen.items():
        groups = [*([c for c in cases if c[0] == s] for s in shares), cases]
        cells = [f"{np.mean([c[1] for c in g]):.4f} / {max(c[2] for c in g):.3f}" if g else "" for g in groups]
        covered = [c for case in cases for c in case[3]]
        row([name, *cells, f"{100 * np.mean(covered):.1f} %" if covered else ""])
    print("\nTargets for the approximate path: .0025 / .06, and 98 % of records covered.")


# (e) messages


def messages(args: argparse.Namespace) -> None:
    """Run the measurement of one iteration against the bandwidth of the memory."""
    del args
    print("\n## Messages: an iteration against the bandwidth of the memory (benchmarks/messages.py)\n", flush=True)
    subprocess.run([sys.executable, str(Path(__file__).with_name("messages.py"))], check=True)


PARTS = {"exact": exact, "large": large, "approximate": approximate, "accuracy": accuracy, "messages": messages}


def one(what: str, n: str, *more: str) -> dict:
    """Run one measurement in this process."""
    if what == "approximate":
        return approximated(int(n), more[0], int(more[1]), float(more[2]))
    return {"dense": exact_dense, "permanents": by_permanents}[what](int(n))


def main() -> None:
    """Run the parts that were asked for, all by default."""
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--wide-sizes", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--no-check", action="store_true", help="time only; leave the held-out runs away")
    parser.add_argument("--seconds", type=float, default=0.0, help="stop chains after so long, met or not")
    parser.add_argument("--instances", type=int, default=500)
    parser.add_argument("--peer", default=sys.executable, help="an interpreter with thewalrus")
    parser.add_argument("--one", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(one(*args.one)))
        return
    unknown = set(args.parts) - set(PARTS)
    if unknown:
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")

    here("scipy")
    for name in args.parts or PARTS:
        PARTS[name](args)


if __name__ == "__main__":
    main()
