"""A map of Reiter's strategies, a search with the same number of evaluations, a search that is killed, and what they cost.

    python benchmarks/map.py [grid] [search] [killed] [cores]

The file is the synthetic CPS of 51,016 household heads; the strategies recode age, swap race and marital status, and mask
the property tax by noise or a topcode; one intruder knows the tax and one does not. `grid` takes every combination,
`search` as many evaluations as the grid has. What both choose under the same risk limit is evaluated with fresh seeds.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from printed import here, row, table

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
FORMULA = "income ~ age + property_tax + C(race) + C(marital) + C(sex)"
LIMIT = 300
"""Seconds for 200 settings and 2 intruders that the project set itself."""


def noise(sd, **more):
    """Add noise to the tax, as a share of the spread of positive amounts."""
    import confide as cf

    return cf.Noise("property_tax", sd=sd, relative_to="positive", keep_zero=True, lower=0, **more)


def strategies():
    """Give the grid: 216 combinations."""
    import confide as cf

    swaps = [cf.vary(v, none=None, tenth=cf.Swap(v, rate=0.1), third=cf.Swap(v, rate=0.3)) for v in ("race", "marital")]
    top = cf.Topcode("property_tax", at=3000)
    tax = {f"noise {sd}": noise(sd) for sd in (0.05, 0.1, 0.2, 0.4)}
    return cf.Release(
        cf.Recode("age", width=cf.vary("age", 2, 5, 10, 20)), *swaps, cf.vary("tax", nothing=None, top=top, **tax)
    )


def space():
    """Give what is searched: the same methods with any strength."""
    import confide as cf

    swaps = [
        cf.vary(v, none=None, some=cf.Swap(v, rate=cf.vary_between(f"{v} rate", 0.01, 0.3, log=True)))
        for v in ("race", "marital")
    ]
    tax = cf.vary(
        "tax", nothing=None, top=cf.Topcode("property_tax", at=3000), noise=noise(cf.vary_between("sd", 0.01, 0.5, log=True))
    )
    return cf.Release(cf.Recode("age", width=cf.vary("age", 2, 3, 4, 5, 6, 8, 10, 15, 20)), *swaps, tax)


def asked():
    """Give what every part asks."""
    import confide as cf

    knows = ["sex", "race", "marital", "age"]
    people = [cf.Intruder(knows=knows, name="tax unknown"), cf.Intruder(knows=[*knows, "property_tax"], name="tax known")]
    return {"intruders": people, "risk": cf.ExpectedMatches(), "utility": cf.RegressionKept(FORMULA), "seed": 7}


def run(what, **more):
    """Run a call, and give what it gave with seconds on the clock and of the processors."""
    wall, processor = time.perf_counter(), time.process_time()
    found = what(**more)
    return found, time.perf_counter() - wall, time.process_time() - processor


def grid(kept: dict) -> None:
    """Map the whole grid."""
    import confide as cf

    cps, family = cf.examples.cps(), strategies()
    found, wall, processor = run(lambda: cf.ru_map(cps, family, **asked()))
    kept["grid"] = found
    table(["settings", "intruders", "s", "limit", "processor s", "processor s per point", "files masked"])
    n = len(found.rows)
    cells = [n, 2, f"{wall:.0f}", LIMIT, f"{processor:.0f}", f"{processor / (2 * n):.2f}", found.store.masked]
    row(cells)
    other = [cf.Intruder(knows=["sex", "age", "property_tax"], name="another")]
    _, wall, processor = run(lambda: cf.ru_map(cps, family, **(asked() | {"intruders": other}), store=found.store))
    row([n, "1 changed", f"{wall:.0f}", "", f"{processor:.0f}", f"{processor / n:.2f}", found.store.masked])


def search(kept: dict) -> None:
    """Search with the evaluations of the grid, and compare at equal risk with fresh seeds."""
    import confide as cf

    if "grid" not in kept:
        grid(kept)
    plain = kept["grid"]
    found, wall, processor = run(
        lambda: cf.search_releases(
            cf.examples.cps(), space(), budget=cf.Budget(evaluations=len(plain.rows)), population=24, **asked()
        )
    )
    print(f"\nsearch: {len(found.rows)} evaluations in {wall:.0f} s, {processor:.0f} processor s")
    print(cf.compare_maps(found, plain))
    table(["risk limit", "from", "risk", "utility", "fresh risk", "fresh utility", "settings"])
    for limit in (0.02, 0.05, 0.1, 0.2):
        for name, one in (("grid", plain), ("search", found)):
            choice = one.choose(max_risk=limit)
            fresh = choice.verify(seeds=5)
            risk, useful = choice.risk("tax known"), choice.utility
            said = fresh.risk("tax known")
            where = repr(choice).splitlines()[0].split(": ", 1)[1].split(", of")[0]
            row([
                limit, name, f"{risk.mean:.4f}", f"{useful.mean:.4f}", f"{said.mean:.4f} ({said.se:.4f})",
                f"{fresh.utility.mean:.4f} ({fresh.utility.se:.4f})", where,
            ])  # fmt: skip


def hunted(store):
    """Search a little, for the part that is killed."""
    import confide as cf

    return cf.search_releases(
        cf.examples.cps(), space(), budget=cf.Budget(evaluations=40), population=10, store=store,
        **(asked() | {"intruders": asked()["intruders"][:1]}),
    )  # fmt: skip


def killed(kept: dict) -> None:
    """Kill a search half-way, go on, and compare with one that was left alone."""
    del kept
    import confide as cf

    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--hunt", folder]
        process = subprocess.Popen(command)
        file = Path(folder) / "evaluations.jsonl"
        while process.poll() is None and not (file.exists() and file.read_bytes().count(b"\n") >= 40):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        store = cf.FolderStore(folder)
        done = len(store)
        resumed = hunted(store)
        whole = hunted(cf.Store())
        ends = [[(p.risk, p.utility, sorted(p.settings.items())) for p in m.frontier()] for m in (resumed, whole)]
        print(
            f"\nkilled after {done} figures, {store.masked} files masked after that; of {len(whole.rows)} settings "
            f"{len(ends[1])} are on the frontier, the same ones: {'yes' if ends[0] == ends[1] else 'NO'}"
        )


def cores(kept: dict) -> None:
    """Compare one worker with two."""
    del kept
    import confide as cf

    some = list(strategies().grid())[5::18]
    table(["workers", "settings", "s", "processor s", "efficiency"])
    alone = 0.0
    for workers in (1, 2):
        _, wall, processor = run(
            lambda workers=workers: cf.ru_map(cf.examples.cps(), strategies(), settings=some, workers=workers, **asked())
        )
        alone = alone or wall
        row([workers, len(some), f"{wall:.1f}", f"{processor:.1f}", f"{alone / wall / workers:.2f}"])


PARTS = {"grid": grid, "search": search, "killed": killed, "cores": cores}


def main() -> None:
    """Run the parts that were asked for, all by default."""
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--hunt")
    args = parser.parse_args()
    if args.hunt:
        import confide as cf

        hunted(cf.FolderStore(args.hunt))
        return
    here("optuna", "scipy")
    kept: dict = {}
    for part in args.parts or PARTS:
        PARTS[part](kept)


if __name__ == "__main__":
    main()
