"""Time and memory of the utility measures, and their growth; beside scikit-learn for the propensity score.

    python benchmarks/utility.py [--sizes 10000 100000 1000000] [--peer PYTHON]

Ten variables: five with 2 to 51 categories, five numbers; two numbers get noise, one is recoded, one category swapped. Every
row is measured in a process of its own, best of three turns after one that loads the compiled loops. `PYTHON` is an
interpreter with scikit-learn, which confide itself does not need; it fits the same logistic regression without penalty.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np
from printed import growth, here, measured, row, table

LEVELS = {"sex": 2, "race": 4, "marital": 7, "edu": 16, "region": 51}
NUMBERS = ["age", "income", "tax", "hours", "debt"]


def arrays(n: int, seed: int = 1) -> dict[str, np.ndarray]:
    """Draw ten variables."""
    rng = np.random.default_rng(seed)
    drawn = {name: rng.integers(0, k, n) for name, k in LEVELS.items()}
    return drawn | {
        "age": rng.integers(18, 90, n),
        "income": rng.lognormal(10, 1, n),
        "tax": rng.lognormal(8, 1, n) * (rng.random(n) < 0.6),
        "hours": rng.normal(38, 12, n),
        "debt": rng.gamma(2, 100, n),
    }


def released_file(n: int):
    """Make and mask a file."""
    import polars as pl

    import confide as cf

    drawn = arrays(n)
    kinds = dict.fromkeys(LEVELS, "nominal") | dict.fromkeys(NUMBERS, "continuous") | {"age": "integer"}
    data = cf.from_frame(pl.DataFrame(drawn)).declare(kinds=kinds)
    release = cf.Release(
        cf.Noise("income", sd=5_000), cf.Noise("hours", sd=3), cf.Swap("region", rate=0.1), cf.Recode("age", width=5)
    )
    return release.apply(data, seed=1)


def measures():
    """Give what is measured, by name."""
    import confide as cf

    return {
        "means": cf.MeansKept(),
        "quantiles": cf.QuantilesKept(),
        "covariances": cf.CovariancesKept(),
        "regression": cf.RegressionKept("income ~ age + sex + edu + hours"),
        "hellinger": cf.Hellinger(),
        "pairs": cf.Hellinger(ways=2),
        "kullback": cf.KullbackLeibler(ways=2),
        "il1s": cf.IL1s(),
        "eigenvalues": cf.EigenvalueLoss(),
        "values": cf.ValueLoss(),
        "propensity": cf.PropensityScore(),
        "interactions": cf.PropensityScore(["sex", "race", *NUMBERS], interactions=True),
    }


WORK = {
    "means": "means of 5 numbers",
    "quantiles": "5 quantiles of 5 numbers",
    "covariances": "15 covariances",
    "regression": "regression, 19 coefficients",
    "hellinger": "Hellinger, 10 variables",
    "pairs": "Hellinger, 45 pairs",
    "kullback": "Kullback-Leibler, 45 pairs",
    "il1s": "IL1s of 5 numbers",
    "eigenvalues": "eigenvalues of 5 numbers",
    "values": "distances of values, 10 variables",
    "propensity": "propensity score, 81 coefficients",
    "interactions": "propensity score of 7 variables with interactions",
}
PEER = """
import sys, time, numpy as np
try:
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import OneHotEncoder
    from scipy.sparse import csr_matrix, hstack
except ImportError:
    print("not installed"); sys.exit()
z = np.load(sys.argv[1])
start = time.perf_counter()
x = z["numbers"]; x = (x - x.mean(0)) / x.std(0)
x = hstack([csr_matrix(x), OneHotEncoder(drop="first").fit_transform(z["codes"])]).tocsr()
fit = LogisticRegression(C=np.inf, tol=1e-6, max_iter=1000).fit(x, z["target"])
p = fit.predict_proba(x)[:, 1]
print(time.perf_counter() - start, np.mean((p - 0.5) ** 2))
"""


def peer(n: int, python: str) -> str:
    """Fit the same logistic regression with scikit-learn; give the seconds and how far pMSE is from ours."""
    import tempfile

    import confide as cf
    from confide.utility.reading import as_read

    file = released_file(n)
    read, _ = as_read(file)
    both = file.source, read.data
    labels = {name: tuple(dict.fromkeys((*both[0].columns[name].labels, *both[1].columns[name].labels))) for name in LEVELS}
    codes = [np.column_stack([f.columns[v].relabelled(labels[v]).codes for v in LEVELS]) for f in both]
    numbers = [np.column_stack([f.columns[v].numbers for v in NUMBERS]) for f in both]
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/files.npz"
        np.savez(path, codes=np.vstack(codes), numbers=np.vstack(numbers), target=np.repeat([0, 1], n))
        out = subprocess.run([python, "-W", "ignore", "-c", PEER, path], capture_output=True, text=True, check=True).stdout
    if out.strip() == "not installed":
        return "not installed"
    seconds, value = map(float, out.split())
    return f"{seconds:.2f} s, pMSE {abs(value - cf.PropensityScore().of(file).value):.0e} from ours"


def measure(what: str, n: int, rounds: int = 4) -> dict[str, float]:
    """Run one measurement in this process: the fewest seconds, and the peak memory with the files."""
    file, use = released_file(n), measures()[what]
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        use.of(file)
        seconds.append(time.perf_counter() - start)
    return {"seconds": min(seconds[1:]), "gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20}


def main() -> None:
    """Run everything, each measurement in its own process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", nargs="+", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--peer", default="")
    parser.add_argument("--one", nargs=2)
    parser.add_argument("--together", action="store_true")
    args = parser.parse_args()
    if args.one:
        what, n = args.one[0], int(args.one[1])
        print(peer(n, args.peer) if what == "peer" else json.dumps(measure(what, n)))
        return

    here()
    head = ["records", "work", "s", "growth", "GB", "scikit-learn"]
    table(head)
    for what, title in WORK.items():
        last = None
        for n in args.sizes:
            found = measured(__file__, measure, what, n)
            grown = growth(last, n, found["seconds"])
            other = ""
            if what == "propensity" and args.peer:
                # in a process of its own: a child's peak memory is at least that of its parent
                command = [sys.executable, __file__, "--peer", args.peer, "--one", "peer", str(n)]
                other = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
            cells = [f"{n:,}", title, f"{found['seconds']:.3f}", grown, f"{found['gigabytes']:.2f}", other]
            row(cells)
            last = n, found["seconds"]


if __name__ == "__main__":
    main()
