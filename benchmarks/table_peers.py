"""Patterns of confide and of pytauargus for the same tables, sensitive cells, protection levels and costs, in the same run.

    python benchmarks/table_peers.py --peer-python PATH [--cases 0 6 ...] [--seconds 120]

pytauargus is the engine of tau-ARGUS with HiGHS as its solver. It reads each table with all totals, and searches by the
modular approach (MOD, with its three options against singletons) and by optimisation (OPT). It cannot read linked tables or
groupings that do not nest. Each of its patterns is audited by confide: against the external attacker, and against those who
are alone in a cell. Seconds are those of the search, without reading files; a search of the peer that takes longer than
its limit is stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

METHODS = {"MOD": "MOD(1,{minutes},1,1,1)", "OPT": "OPT(1,{minutes})"}
"""Minutes are the limit that the peer is told."""
MOST = 500
"""Tables with more cells are not given to OPT."""


def hand_over(folder: Path, found, levels, method: str) -> None:
    """Write a table as tau-ARGUS reads it: cells, hierarchies, metadata and a batch."""
    meta = ['<SEPARATOR> ";"', "<SAFE> S", "<UNSAFE> U", "<PROTECT> P"]
    for k, d in enumerate(found.dimensions):
        meta += [f"d{k}", "<RECODEABLE>", f'<TOTCODE> "{d.codes[0]}"']
        if int(d.parents[0].max()) > 0:
            depth = np.zeros(d.size, dtype=int)
            for c in range(1, d.size):
                depth[c] = depth[d.parents[0, c]] + 1
            lines = ["@" * (depth[c] - 1) + d.codes[c] for c in range(1, d.size)]
            (folder / f"d{k}.hrc").write_text("\n".join(lines) + "\n", encoding="utf-8")
            meta += ["<HIERARCHICAL>", f'<HIERCODELIST> "{folder / f"d{k}.hrc"}"', '<HIERLEADSTRING> "@"']
    whole = bool(np.all(found.values == np.round(found.values)))
    meta += ["value", "<NUMERIC>", f"<DECIMALS> {0 if whole else 4}", "freq", "<FREQUENCY>", "status", "<STATUS>"]
    meta += ["lpl", "<NUMERIC> <LOWERPL>", "upl", "<NUMERIC> <UPPERPL>"]
    (folder / "t.rda").write_text("\n".join(meta) + "\n", encoding="utf-8")
    number = np.ones(found.n) if found.respondents is None else np.maximum(np.round(found.respondents), 1)
    sensitive = np.isin(np.arange(found.n), levels.sensitive)
    rows = []
    for c in range(found.n):
        codes = [d.codes[i] for d, i in zip(found.dimensions, found.codes[c].tolist(), strict=True)]
        asked = [repr(float(levels.lower[c])), repr(float(levels.upper[c]))]
        rows.append(";".join([*codes, repr(float(found.values[c])), str(int(number[c])), "SU"[int(sensitive[c])], *asked]))
    (folder / "t.tab").write_text("\n".join(rows) + "\n", encoding="utf-8")
    names = "".join(f'"d{k}"' for k in range(len(found.dimensions)))
    (folder / "t.arb").write_text(
        f'<OPENTABLEDATA> "{folder / "t.tab"}"\n<OPENMETADATA> "{folder / "t.rda"}"\n<SPECIFYTABLE> {names}|"value"||\n'
        f'<SAFETYRULE> MAN(10)\n<READTABLE> 2\n<SUPPRESS> {method}\n<WRITETABLE> (1,5,SO+,"{folder / "out.tab"}")\n',
        encoding="utf-8",
    )


def search(folder: Path) -> dict:
    """Run the batch in this process: the seconds of the search."""
    from pytauargus import engine

    taken = []
    real = engine.Engine.suppress

    def timed(self, command):
        start = time.perf_counter()
        try:
            return real(self, command)
        finally:
            taken.append(time.perf_counter() - start)

    engine.Engine.suppress = timed
    engine.run_batch(str(folder / "t.arb"))
    return {"seconds": taken[0]}


def pattern(folder: Path, found) -> np.ndarray:
    """Read which cells the peer suppressed."""
    names = [{c: i for i, c in enumerate(d.codes)} for d in found.dimensions]
    at = {tuple(codes): c for c, codes in enumerate(found.codes.tolist())}
    chosen = []
    for line in (folder / "out.tab").read_text(encoding="utf-8").splitlines():
        fields = [x.strip().strip('"').strip() for x in line.split(";")]
        if fields[-3] in {"U", "M"}:
            chosen.append(at[tuple(n[x] for n, x in zip(names, fields, strict=False))])
    return np.unique(chosen).astype(np.int64)


def asked_of_peer(found, levels, kind: str, args: argparse.Namespace) -> tuple[np.ndarray, float] | str:
    """Let the peer search in its own interpreter."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hand_over(folder, found, levels, METHODS[kind].format(minutes=max(args.seconds // 60, 1)))
        command = [args.peer_python, str(Path(__file__).resolve()), "--one", name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=name,
                                  timeout=args.seconds)  # fmt: skip  # it writes logs where it runs
        except subprocess.TimeoutExpired:
            return f"stopped after {args.seconds} s"
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"ended with {done.returncode}"]
            return "not installed" if "ModuleNotFoundError" in lines[-1] else lines[-1][:70]
        return pattern(folder, found), json.loads(done.stdout.strip().splitlines()[-1])["seconds"]


def compare(case, args: argparse.Namespace, table_cases) -> None:
    """Print a line for each programme."""
    from printed import row

    import confide as cf

    found, levels = case.make()
    if found.sums is not None or any(d.parents.shape[0] > 1 for d in found.dimensions):
        row([case.data, case.table, f"{found.n:,}", "pytauargus", "cannot read it", *[""] * 6])
        return
    system = cf.System.of_table(found, tolerance=1e-6)
    if levels.sliding.any():
        levels = cf.Protection.of(system, levels.sensitive, 0.1, least=1.0)
    inside = table_cases.everybody(case, found, system)
    rows = {}
    for name, method, who in (
        ("confide", cf.Heuristic(), []), ("confide, insiders", cf.Heuristic(), inside), ("confide, exact", cf.Exact(), []),
    ):  # fmt: skip
        if (name == "confide, insiders" and not inside) or (name == "confide, exact" and found.n > MOST):
            continue
        start = time.perf_counter()
        limit = float(args.seconds) if name == "confide, exact" else None
        ours = cf.suppress(system, protection=levels, method=method, attackers=who, time_limit=limit)
        rows[name] = (ours.suppressed, time.perf_counter() - start)
    for kind in METHODS:
        if kind != "OPT" or found.n <= MOST:
            rows[f"pytauargus {kind}"] = asked_of_peer(found, levels, kind, args)
    base = rows["confide"]
    for name, answer in rows.items():
        if isinstance(answer, str):
            row([case.data, case.table, f"{found.n:,}", name, answer, *[""] * 6])
            continue
        cells, seconds = answer
        value = float(system.costs[cells].sum())
        open_ = cf.audit(system, cells, levels, inside, exact=False).exposed
        outside = {e.cell for e in open_ if e.attacker == "external"}
        within = {e.cell for e in open_} - outside
        ratio = f"x {seconds / base[1]:.2f}", f"x {value / max(float(system.costs[base[0]].sum()), 1e-300):.2f}"
        row([case.data, case.table, f"{found.n:,}", name, f"{levels.sensitive.size:,}", f"{cells.size:,}", f"{value:,.4g}",
             ratio[1], len(outside), len(within), f"{seconds:.2f} ({ratio[0]})"])  # fmt: skip


def main() -> None:
    """Compare on all tables of one file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--peer-python", default=sys.executable, help="an interpreter that has pytauargus")
    parser.add_argument("--cases", type=int, nargs="*", help="numbers of cases of examples/table_cases.py, from 0")
    parser.add_argument("--seconds", type=int, default=120, help="when a search of the peer is stopped")
    parser.add_argument("--one")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(search(Path(args.one))))
        return
    os.environ["CONFIDE_SHARED"] = str(args.shared)
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
    import table_cases
    from printed import here, table

    if table_cases.absent():
        print(table_cases.absent())
        return
    here("highspy")
    table(["data", "table", "cells", "programme", "sensitive", "suppressed", "their value", "beside confide",
           "exposed", "to insiders alone", "seconds"])  # fmt: skip
    for i, case in enumerate(table_cases.CASES):
        if args.cases is None or i in args.cases:
            compare(case, args, table_cases)


if __name__ == "__main__":
    main()
