"""Attacks with a control group: risks and seconds, beside anonymeter when it is installed.

    python benchmarks/attacks.py [--data FOLDER] [--attacks 2000] [--rounds 3] [--peer PYTHON]

FOLDER holds `adult/adult.csv.gz` and `cps2000_drechsler5000/`; without it a survey is drawn. Adult is divided at random in
three: train, control and others. Three files are attacked: train itself, half of train with half of the others, and the
others alone, who leak nothing about train. The CPS file is attacked by its partially synthetic copy; no control group exists
for it, so that rates of success are shown.

`--peer` names an interpreter that has anonymeter, if this one has not; both read the same CSV files in the same run, one
after the other, loading and compiling before the clock, least of the rounds. The peer runs on all cores, as we do.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from printed import here, table

LEFT_OUT = ["fnlwgt", "education_num", "split", "m", "row"]
WORK = {
    "adult": {
        "singling out, one variable": ("univariate",),
        "singling out, 3 variables": ("multivariate", 3),
        "linkability": ("link", ["age", "education", "marital_status"], ["occupation", "hours_per_week", "race", "sex"]),
        "inference of income": ("infer", ["age", "education", "marital_status", "occupation", "sex"], "income"),
        "inference of hours": ("infer", ["age", "education", "occupation", "sex", "workclass"], "hours_per_week"),
    },
    "cps": {
        "singling out, one variable": ("univariate",),
        "singling out, 3 variables": ("multivariate", 3),
        "linkability": ("link", ["age", "race", "income"], ["sex", "educ", "marital"]),
        "inference of income": ("infer", ["age", "educ", "marital", "race", "sex"], "income"),
    },
}
NOMINAL = {"adult": [], "cps": ["marital", "race", "sex", "educ"]}


def drawn(n: int):
    """Draw a survey with the names of adult."""
    import polars as pl

    r = np.random.default_rng(1)
    names = {"education": 16, "marital_status": 7, "occupation": 14, "race": 5, "sex": 2, "workclass": 8, "income": 2}
    codes = {
        k: np.array([f"{k} {i}" for i in range(m)])[np.minimum(r.geometric(0.35, n) - 1, m - 1)] for k, m in names.items()
    }
    numbers = {"age": r.integers(17, 90, n), "hours_per_week": np.clip(r.normal(40, 12, n), 1, 99).astype(int)}
    return pl.DataFrame(codes | numbers | {"capital_gain": np.where(r.random(n) < 0.9, 0, r.integers(1, 9_999, n))})


def write(folder: Path, data: Path | None, n: int) -> dict[str, list[str]]:
    """Write the files of every case, and name the cases of each source."""
    import polars as pl

    adult = drawn(n) if data is None else pl.read_csv(data / "adult" / "adult.csv.gz")
    adult = adult.drop(LEFT_OUT, strict=False)
    order = np.random.default_rng(7).permutation(adult.height)
    third = adult.height // 3
    train, control, others = (adult[order[k * third : (k + 1) * third]] for k in range(3))
    released = {
        "train itself": train,
        "half of train": pl.concat([train[: third // 2], others[third // 2 :]]),
        "others alone": others,
    }
    cases = {"adult": list(released)}
    for name, file in released.items():
        for what, frame in (("original", train), ("released", file), ("control", control)):
            frame.write_csv(folder / f"adult {name} {what}.csv")
    if data is not None:
        cps = data / "cps2000_drechsler5000"
        synthetic = pl.read_csv(cps / "synthetic_cps_m5.csv.gz").filter(pl.col("m") == 1).drop(LEFT_OUT, strict=False)
        pl.read_csv(cps / "cps5000.csv.gz").write_csv(folder / "cps partly synthetic original.csv")
        synthetic.write_csv(folder / "cps partly synthetic released.csv")
        cases["cps"] = ["partly synthetic"]
    return cases


def timed(work, attacks: int, rounds: int):
    """Give the fewest seconds after one call with few attacks, and what it gave."""
    work(20)
    best, found = np.inf, None
    for _ in range(rounds):
        start = time.perf_counter()
        found = work(attacks)
        best = min(best, time.perf_counter() - start)
    return best, found


def ours(folder: Path, source: str, case: str, what: tuple, attacks: int, rounds: int) -> tuple:
    """Give seconds, value, limits, and the number of attacks."""
    import polars as pl

    import confide as cf

    files = []
    for part in ("original", "released", "control"):
        path = folder / f"{source} {case} {part}.csv"
        frame = pl.read_csv(path) if path.exists() else None
        kinds = None if frame is None else {
            n: "nominal" if n in NOMINAL[source] or not d.is_numeric() else "integer" for n, d in frame.schema.items()
        }  # fmt: skip
        files.append(None if frame is None else cf.from_frame(frame).declare(kinds=kinds))
    works = {
        "univariate": lambda k: cf.singling_out(*files, predicates=cf.Univariate(), attacks=k),
        "multivariate": lambda k: cf.singling_out(*files, predicates=cf.Multivariate(what[1]), attacks=k),
        "link": lambda k: cf.linkability(*files, (what[1], what[2]), attacks=k),
        "infer": lambda k: cf.inference(*files, what[1], what[2], attacks=k),
    }
    seconds, found = timed(works[what[0]], attacks, rounds)
    shown = found.risk if files[2] is not None else found.main
    return seconds, shown.value, shown.low, shown.high, found.main.attacks, found.beats_guessing


def theirs(folder: Path, source: str, case: str, what: tuple, attacks: int, rounds: int) -> tuple:
    """Give the same of anonymeter; its attacks are not seeded."""
    import logging
    import warnings

    import pandas as pd
    from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    files = []
    for part in ("original", "released", "control"):
        path = folder / f"{source} {case} {part}.csv"
        frame = pd.read_csv(path) if path.exists() else None
        if frame is not None:
            text = [c for c in frame if not pd.api.types.is_numeric_dtype(frame[c]) or c in NOMINAL[source]]
            frame = frame.astype(dict.fromkeys(text, str)).astype(dict.fromkeys(text, object))
        files.append(frame)

    def single(k: int, mode: str, columns: int):
        made = SinglingOutEvaluator(*files[:2], n_attacks=k, n_cols=columns, control=files[2], max_attempts=100 * k)
        return made.evaluate(mode=mode)

    def link(k: int):
        made = LinkabilityEvaluator(*files[:2], aux_cols=(what[1], what[2]), n_attacks=k, n_neighbors=1, control=files[2])
        return made.evaluate(n_jobs=-1)

    def infer(k: int):
        made = InferenceEvaluator(*files[:2], aux_cols=what[1], secret=what[2], n_attacks=k, control=files[2])
        return made.evaluate(n_jobs=-1)

    works = {
        "univariate": lambda k: single(k, "univariate", 1),
        "multivariate": lambda k: single(k, "multivariate", what[1]),
        "link": link,
        "infer": infer,
    }
    seconds, found = timed(works[what[0]], attacks, rounds)
    risk = found.risk()
    return seconds, risk.value, *risk.ci


def shown(found: tuple) -> str:
    """Write a value with its limits."""
    return f"{found[1]:.3f} ({found[2]:.3f} to {found[3]:.3f})"


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("--size", type=int, default=30_000, help="records of the survey that is drawn without --data")
    parser.add_argument("--attacks", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peer", default=sys.executable)
    parser.add_argument("--one", nargs=6)
    args = parser.parse_args()
    if args.one:
        folder, source, case, what, attacks, rounds = args.one
        print(json.dumps(theirs(Path(folder), source, case, tuple(json.loads(what)), int(attacks), int(rounds))))
        return
    has = "import importlib.metadata as m; print(m.version('anonymeter'))"
    asked = subprocess.run([args.peer, "-c", has], capture_output=True, text=True, check=False)
    peer = asked.stdout.strip() if asked.returncode == 0 else ""

    here()
    head = ["file", "released", "attack", "risk or rate", "attacks", "s", "anonymeter", "its s", "ratio"]
    table(head)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for source, cases in write(folder, args.data, args.size).items():
            for case in cases:
                for title, what in WORK[source].items():
                    found = ours(folder, source, case, what, args.attacks, args.rounds)
                    cells = [
                        source,
                        case,
                        title,
                        shown(found),
                        f"{found[4]:,}" + ("" if found[5] else " *"),
                        f"{found[0]:.3f}",
                    ]
                    other = ["", "", ""]
                    if peer:
                        asking = [name, source, case, json.dumps(what), str(args.attacks), str(args.rounds)]
                        ran = subprocess.run(
                            [args.peer, __file__, "--one", *asking], capture_output=True, text=True, check=True
                        )
                        told = json.loads(ran.stdout.splitlines()[-1])
                        other = [shown(told), f"{told[0]:.3f}", f"{found[0] / told[0]:.3f}"]
                    print("| " + " | ".join([*cells, *other]) + " |", flush=True)
    print("\n\\* no better than guessing")


if __name__ == "__main__":
    main()
