"""Precision, recall and time of probabilistic linkage, beside splink and recordlinkage.

    python benchmarks/probabilistic.py [febrl] [rldata] [survey] [large]
    python benchmarks/probabilistic.py febrl survey --peer-python PATH
    python benchmarks/probabilistic.py large --large 1000000

`febrl` links febrl4a with febrl4b and finds duplicates in febrl1, febrl2 and febrl3; `rldata` finds duplicates in RLdata500
and RLdata10000. Files are read from the folder `data` of `--shared`. `survey` links 10,000 records of a synthetic survey
with their masked copies, blocked by sex and race, `large` as many as asked, blocked by more. Every programme gets the same
files, the same blocks and the same levels of agreement. A peer links pairs from a match probability of 0.5 on, as its
documentation does; ours links by its bounds. Peers run in processes of an interpreter of their own, which has them
installed; without it their rows say 'not installed'. Seconds are those of the whole linkage: comparing, estimating,
deciding. Reading files and loading come before the clock, and ours runs once on a small file before.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

FEBRL = {
    "given_name": ("text", (0.92, 0.8)),
    "surname": ("text", (0.92, 0.8)),
    "street_number": ("exact", ()),
    "address_1": ("text", (0.92, 0.8)),
    "suburb": ("text", (0.92, 0.8)),
    "postcode": ("exact", ()),
    "state": ("exact", ()),
    "date_of_birth": ("text", (0.92, 0.8)),
    "soc_sec_id": ("text", (0.92, 0.8)),
}
FEBRL_BLOCKS = [["given_name"], ["surname"], ["date_of_birth"], ["soc_sec_id"], ["postcode"]]
RLDATA = {
    "fname_c1": ("text", (0.92, 0.8)),
    "lname_c1": ("text", (0.92, 0.8)),
    "by": ("exact", ()),
    "bm": ("exact", ()),
    "bd": ("exact", ()),
}
RL_BLOCKS = [["by", "bm"], ["bm", "bd"], ["by", "bd"], ["fname_c1", "lname_c1"]]
AMOUNTS = ["income", "tax", "ss", "hours"]
OF_SD = {"survey": (0.1, 0.3), "large": (0.01, 0.05, 0.1, 0.2, 0.4, 1.0)}
"""Where levels of amounts end, in standard deviations."""


def table(head: list[str]) -> None:
    """Print the head of a Markdown table."""
    print("\n| " + " | ".join(head) + " |\n|" + "---|" * len(head))


def row(cells: list[object]) -> None:
    """Print a row of a Markdown table."""
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


def peak() -> float:
    """Give the most memory this process has had, in GB."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 2**20


def survey(n: int, seed: int = 1):
    """Draw a survey and mask its amounts by noise of a tenth of their standard deviation."""
    import pandas as pd

    r = np.random.default_rng(seed)
    age = np.clip(r.normal(48, 18, n), 15, 90).astype(int)
    sex, race = r.integers(0, 2, n), r.choice(4, n, p=[0.84, 0.10, 0.01, 0.05])
    marital = r.choice(7, n, p=[0.52, 0.01, 0.01, 0.10, 0.15, 0.03, 0.18])
    p = np.r_[np.full(8, 0.02), 0.30, 0.18, 0.05, 0.05, 0.17, 0.05, 0.02, 0.02]
    edu, region = r.choice(16, n, p=p / p.sum()), r.zipf(1.6, n) % 51
    income = np.round(np.exp(r.normal(10.4, 0.9, n) + 0.01 * (age - 48) + 0.05 * edu)).astype(int)
    tax = np.where(r.random(n) < 0.65, np.round(np.exp(r.normal(7, 0.9, n))), 0).astype(int)
    ss = np.where((age > 62) & (r.random(n) < 0.9), np.round(r.gamma(6, 2000, n)), 0).astype(int)
    hours = np.clip(np.round(r.normal(38, 12, n)), 0, 99).astype(int)
    data = pd.DataFrame(
        {"sex": sex, "race": race, "marital": marital, "edu": edu, "age": age, "region": region, "income": income,
         "tax": tax, "ss": ss, "hours": hours}
    )  # fmt: skip
    r, masked = np.random.default_rng(seed + 1), data.copy()
    for c in AMOUNTS:
        masked[c] += r.normal(0, 0.1 * data[c].std(), n)
    return data, masked


def job(name: str, shared: Path, size: int) -> dict:
    """Give the files, the comparisons, the blocks and who is who."""
    import pandas as pd

    if name in ("survey", "large"):
        files = survey(size)
        compare = dict.fromkeys(("marital", "edu", "age", "region"), ("exact", ()))
        compare |= {c: ("number", tuple(float(files[0][c].std()) * k for k in OF_SD[name])) for c in AMOUNTS}
        block = [["sex", "race"]] if name == "survey" else [["sex", "race", "age", "region"]]
        for c in block[0]:
            compare.pop(c, None)
        train = [["age", "region"], ["marital", "edu"]]
        return {"files": files, "compare": compare, "block": block, "train": train, "who": [np.arange(size)] * 2}

    def read(path: str):
        frame = pd.read_csv(shared / "data" / path, dtype=str)
        frame = frame.apply(lambda x: x.str.strip())
        return frame.where(frame.notna() & (frame != ""), None)

    if name.startswith("RL"):
        frame = read(f"rldata/{name}.csv.gz")
        return {"files": (frame,), "compare": RLDATA, "block": RL_BLOCKS, "who": [frame.identity.to_numpy()]}
    frames = [read(f"febrl/{f}.csv.gz") for f in (("febrl4a", "febrl4b") if name == "febrl4" else (name,))]
    who = [f.rec_id.str.extract(r"rec-(\d+)-")[0].astype(int).to_numpy() for f in frames]
    return {"files": tuple(frames), "compare": FEBRL, "block": FEBRL_BLOCKS, "who": who}


def true_pairs(who: list) -> int:
    """Count the pairs that belong together."""
    if len(who) == 2:
        return len(set(who[0].tolist()) & set(who[1].tolist()))
    _, size = np.unique(who[0].astype(str), return_counts=True)
    return int(np.sum(size * (size - 1) // 2))


def by_confide(work: dict, bounds: tuple[float, float]) -> dict:
    """Link by confide."""
    import confide as cf

    made = {"exact": lambda v, _: cf.ExactAgreement(v),
            "text": lambda v, at: cf.TextAgreement(v, at=at),
            "number": lambda v, at: cf.NumberAgreement(v, within=at)}  # fmt: skip
    compare = [made[kind](v, at) for v, (kind, at) in work["compare"].items()]
    used = {*work["compare"], *(v for rule in work["block"] for v in rule)}
    files = []
    for frame in work["files"]:
        columns = {}
        for v in frame.columns:
            if v not in used:
                continue
            x = frame[v]
            if v in AMOUNTS:
                columns[v] = cf.Column.of_numbers(x.to_numpy(float))
            elif x.dtype == object or str(x.dtype).startswith("str"):
                columns[v] = cf.Column.of_labels([a if isinstance(a, str) else None for a in x])
            else:
                columns[v] = cf.Column.of_codes(x.to_numpy(np.int64), range(int(x.max()) + 1))
        kinds = {v: cf.Kind.CONTINUOUS if v in AMOUNTS else cf.Kind.NOMINAL for v in columns}
        files.append(cf.Microdata({v: cf.Variable(v, k) for v, k in kinds.items()}, columns))
    errors = {"false_match": bounds[0], "false_non_match": bounds[1]}
    start = time.perf_counter()
    if len(files) == 2:
        place = {v: i for i, v in enumerate(work["who"][0].tolist())}
        released = cf.Released.from_files(*files, parent=[place.get(v, -1) for v in work["who"][1].tolist()])
        found = cf.probabilistic_linkage(released, compare, block=work["block"], **errors)
    else:
        found = cf.find_duplicates(files[0], compare, block=work["block"], truth=work["who"][0].tolist(), **errors)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "precision": found.precision, "recall": found.recall, "pairs": found.candidate_pairs,
            "links": int(found.links[0].size), "curve": curve(found)}  # fmt: skip


def curve(found) -> tuple:
    """Give recall and precision of the pairs from the most probable on."""
    if found.right is None:
        return ()
    order = np.argsort(-found.probability, kind="stable")
    good = np.cumsum(found.right[order])
    return good / found.true_pairs, good / np.arange(1, order.size + 1)


def at_recall(curve: tuple, recall: float) -> float:
    """Give the best precision at a recall or above."""
    reached = curve[0] >= recall - 1e-12
    return float(curve[1][reached].max()) if reached.any() else float("nan")


def by_splink(work: dict) -> dict:
    """Link by splink: u from random pairs, m by EM over two small sets of blocks, match probability 0.5."""
    import logging

    import splink.comparison_library as cl
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    logging.getLogger("splink").setLevel(logging.ERROR)
    frames = [f.assign(unique_id=np.arange(len(f))) for f in work["files"]]
    made = {
        "exact": lambda v, _: cl.ExactMatch(v),
        "text": lambda v, at: cl.JaroWinklerAtThresholds(v, list(at)),
        "number": lambda v, at: cl.CustomComparison(
            output_column_name=v,
            comparison_levels=[
                {"sql_condition": f"{v}_l IS NULL OR {v}_r IS NULL", "label_for_charts": "null", "is_null_level": True},
                *({"sql_condition": f"abs({v}_l - {v}_r) <= {c}", "label_for_charts": str(c)} for c in at),
                {"sql_condition": "ELSE", "label_for_charts": "else"},
            ],
        ),
    }
    rules = [block_on(*r) for r in work["block"]]
    settings = SettingsCreator(
        link_type="link_only" if len(frames) == 2 else "dedupe_only",
        comparisons=[made[kind](v, at) for v, (kind, at) in work["compare"].items()],
        blocking_rules_to_generate_predictions=rules,
        probability_two_random_records_match=true_pairs(work["who"]) / _all_pairs(frames),
    )
    api = DuckDBAPI()
    start = time.perf_counter()
    linker = _linker(Linker, frames, settings, api)
    linker.training.estimate_u_using_random_sampling(max_pairs=2e6, seed=1)
    for rule in [block_on(*r) for r in work.get("train", work["block"][:2])]:
        linker.training.estimate_parameters_using_expectation_maximisation(rule)
    found = linker.inference.predict(threshold_match_probability=0.5).as_pandas_dataframe()
    seconds = time.perf_counter() - start
    return scored(work, found.unique_id_l.to_numpy(), found.unique_id_r.to_numpy(), seconds)


def _linker(linker, frames: list, settings, api):
    """Make splink's linker; from version 5 on tables are registered first."""
    if not hasattr(api, "register"):
        return linker(frames if len(frames) == 2 else frames[0], settings, api)
    tables = [api.register(f, table_name=f"t{i}") for i, f in enumerate(frames)]
    return linker(tables if len(frames) == 2 else tables[0], settings)


def _all_pairs(frames: list) -> float:
    """Count all pairs."""
    n = [len(f) for f in frames]
    return n[0] * n[1] if len(n) == 2 else n[0] * (n[0] - 1) / 2


def by_recordlinkage(work: dict) -> dict:
    """Link by recordlinkage: its ECM classifier over agreements, similar texts from 0.85 on."""
    import recordlinkage as rl

    frames = [f.reset_index(drop=True) for f in work["files"]]
    start = time.perf_counter()
    index = rl.Index()
    for rule in work["block"]:
        index.block(rule)
    pairs = index.index(*frames)
    compare = rl.Compare()
    for v, (kind, at) in work["compare"].items():
        if kind == "text":
            compare.string(v, v, method="jarowinkler", threshold=0.85, label=v)
        elif kind == "number":
            compare.numeric(v, v, method="step", offset=at[4], label=v)
        else:
            compare.exact(v, v, label=v)
    vectors = compare.compute(pairs, *frames)
    found = rl.ECMClassifier().fit_predict(vectors)
    seconds = time.perf_counter() - start
    return scored(work, found.get_level_values(0).to_numpy(), found.get_level_values(1).to_numpy(), seconds)


def scored(work: dict, left, right, seconds: float) -> dict:
    """Give precision and recall of links."""
    good = int(np.sum(work["who"][0][left] == work["who"][-1][right]))
    return {"seconds": seconds, "precision": good / max(len(left), 1), "recall": good / true_pairs(work["who"]),
            "links": len(left)}  # fmt: skip


PEERS = {"splink": by_splink, "recordlinkage": by_recordlinkage}


def asked(peer: str, name: str, args: argparse.Namespace) -> dict | str:
    """Run a peer in its own interpreter."""
    command = [args.peer_python, __file__, "--one", peer, name, "--shared", str(args.shared), "--size", str(args.size)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["failed"]
        return "not installed" if "ModuleNotFoundError" in lines[-1] else lines[-1][:80]
    return json.loads(done.stdout.strip().splitlines()[-1])


def compare_on(names: list[str], title: str, args: argparse.Namespace, peers: list[str]) -> None:
    """Print precision, recall and seconds of all programmes."""
    print(f"\n## {title}")
    table(["files", "programme", "links", "precision", "recall", "F", "confide's precision at this recall", "seconds"])
    for name in names:
        work = job(name, args.shared, args.size)
        rows = {"confide": by_confide(work, (args.false_match, args.false_non_match))}
        rows |= {peer: asked(peer, name, args) for peer in peers}
        for who, r in rows.items():
            if isinstance(r, str):
                row([name, who, r, "", "", "", "", ""])
                continue
            p, c = r["precision"] or 0.0, r["recall"] or 0.0
            f = 2 * p * c / (p + c) if p + c else 0.0
            ours = f"{at_recall(rows['confide']['curve'], c):.4f}"
            row([name, who, f"{r['links']:,}", f"{p:.4f}", f"{c:.4f}", f"{f:.4f}", ours, f"{r['seconds']:.1f}"])


def large(args: argparse.Namespace) -> None:
    """Print seconds and memory of large files."""
    print("\n## Large files, blocked by sex, race, age and region")
    table(["records", "candidate pairs", "links", "precision", "recall", "seconds", "cpu seconds", "GB of the process"])
    for n in args.large:
        work, cpu = job("large", args.shared, n), time.process_time()
        r = by_confide(work, (args.false_match, args.false_non_match))
        cpu = time.process_time() - cpu
        row([f"{n:,}", f"{r['pairs']:,}", f"{r['links']:,}", f"{r['precision']:.4f}", f"{r['recall']:.4f}",
             f"{r['seconds']:.0f}", f"{cpu:.0f}", f"{peak():.1f}"])  # fmt: skip


def main() -> None:
    """Run the parts that were asked for, all by default."""
    parser = argparse.ArgumentParser()
    parts = ["febrl", "rldata", "survey", "large"]
    parser.add_argument("parts", nargs="*", help=", ".join(parts))
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--peer-python", default=sys.executable, help="an interpreter that has the peers")
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--large", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--false-match", type=float, default=0.01)
    parser.add_argument("--false-non-match", type=float, default=0.05)
    parser.add_argument("--one", nargs=2)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(PEERS[args.one[0]](job(args.one[1], args.shared, args.size))))
        return
    unknown = set(args.parts) - set(parts)
    if unknown:
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    import confide
    from confide.linking.parallel import cores

    print(
        f"{datetime.now(tz=UTC).date()}, {platform.machine()}, {cores()} cores, Python {platform.python_version()}, numpy "
        f"{np.__version__}, confide {confide.__version__}"
    )
    wanted = args.parts or parts
    by_confide(job("survey", args.shared, 1_000), (args.false_match, args.false_non_match))
    if "febrl" in wanted:
        names = ["febrl4", "febrl1", "febrl2", "febrl3"]
        compare_on(names, "FEBRL: one file with another, duplicates in one", args, [*PEERS])
    if "rldata" in wanted:
        compare_on(["RLdata500", "RLdata10000"], "RLdata: duplicates", args, [*PEERS])
    if "survey" in wanted:
        compare_on(["survey"], f"A survey of {args.size:,} and its masked copy, blocked by sex and race", args, ["splink"])
    if "large" in wanted:
        large(args)


if __name__ == "__main__":
    main()
