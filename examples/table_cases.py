"""Every table of the data that tau-ARGUS, sdcTable, SSBtools and rtauargus ship, protected against everybody who looks."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import confide as cf

DATA = Path(os.environ.get("CONFIDE_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "data"
FOLDERS = ("tauargus", "sdctable", "ssbtools", "business_rtauargus")


# [case]
@dataclass(frozen=True)
class Case:
    """A table, what must remain unknown of it, and what others publish about it."""

    data: str
    table: str
    make: Callable[[], tuple[cf.Table, cf.Protection]]
    zeros: bool = True
    """Whether zeros may be suppressed."""
    counts: bool = False
    """Whether values count people, each contributing 1."""
    peer: str = ""
    """What others publish: all suppressed cells of how many primary ones."""
    slow: bool = False


# [insiders]
def insiders_of(table: cf.Table, system: cf.System, *, counts: bool) -> list[cf.Attacker]:
    """Find those who are alone in cells: each knows all the cells in which nobody else is."""
    number = table.values if counts else table.respondents
    alone = np.flatnonzero(np.round(number) == 1)
    told = table.contributors is not None and not counts
    who = table.contributors[alone, 0] if told else groups_of(table, alone)
    return [cf.Attacker.knowing(system, alone[who == w]) for w in np.unique(who)]


def groups_of(table: cf.Table, cells: np.ndarray) -> np.ndarray:
    """Number cells with one respondent so that a total and the part in which this one is have the same number."""
    a = table.equations()
    root, chosen = np.arange(table.n), np.isin(np.arange(table.n), cells)
    lines = [slice(a.indptr[r], a.indptr[r + 1]) for r in range(a.shape[0])]
    tied = [a.indices[x][chosen[a.indices[x]]] for x in lines if chosen[a.indices[x][a.data[x] < 0]].all()]
    changed = True
    while changed:
        before = root.copy()
        for together in tied:
            root[together] = root[together].min()
        changed = bool((root != before).any())
    return root[cells]


def coalitions_of(table: cf.Table, system: cf.System) -> list[cf.Attacker]:
    """Find the two who are alone in a cell together: they know it, and the cells in which one of them is alone."""
    if table.contributors is None:
        return []
    two = np.flatnonzero(np.round(table.respondents) == 2)
    one = np.flatnonzero(np.round(table.respondents) == 1)
    pairs = np.sort(table.contributors[two, :2], axis=1)
    found = []
    for pair in np.unique(pairs, axis=0):
        together = two[(pairs == pair).all(axis=1)]
        known = np.union1d(together, one[np.isin(table.contributors[one, 0], pair)])
        found.append(cf.Attacker.knowing(system, known, f"both of {system.name(int(together[0]))}"))
    return found


# [protect]
@dataclass(frozen=True)
class Result:
    """What was found for a case."""

    case: Case
    table: cf.Table
    system: cf.System
    levels: cf.Protection
    attackers: tuple[cf.Attacker, ...]
    outside: cf.Pattern
    """The pattern that holds for everybody without a cell of their own."""
    pattern: cf.Pattern
    """The pattern that holds for insiders too."""
    seconds: tuple[float, float]

    @property
    def suppressed(self) -> np.ndarray:
        """The cells that are not published."""
        return self.pattern.suppressed

    @property
    def hash(self) -> str:
        """The pattern in eight letters."""
        return hashlib.sha256(self.suppressed.astype(np.int64).tobytes()).hexdigest()[:8]

    @property
    def share(self) -> float:
        """The share of the value of the inner cells that is suppressed."""
        inner = np.abs(self.system.values) * self.table.inner
        return float(inner[self.suppressed].sum() / max(inner.sum(), 1e-300))

    def exposed(self) -> int:
        """Audit the pattern anew, from nothing but its cells: how many are exposed to whom.

        Of a large one give the audit that came with it, which was handed the moves that the search found, and checked them.
        """
        if self.case.slow:
            return len(self.pattern.audit.exposed)
        return len(cf.audit(self.system, self.suppressed, self.levels, self.attackers, exact=False).exposed)


def everybody(case: Case, table: cf.Table, system: cf.System) -> list[cf.Attacker]:
    """List who looks beside the public."""
    if case.counts or table.respondents is None:
        return insiders_of(table, system, counts=True) if case.counts else []
    return insiders_of(table, system, counts=False) + coalitions_of(table, system)


def protect(case: Case, method: cf.Heuristic | cf.Exact = cf.Heuristic(), *, insiders: bool = True) -> Result:  # noqa: B008
    """Protect a table from the public, and from everybody."""
    table, levels = case.make()
    system = cf.System.of_table(table, tolerance=1e-6)
    frozen = () if case.zeros else np.flatnonzero(table.values == 0)
    start = time.perf_counter()
    outside = pattern = cf.suppress(system, protection=levels, frozen=frozen, method=method)
    middle = time.perf_counter()
    attackers = everybody(case, table, system) if insiders else []
    if attackers:
        pattern = cf.suppress(system, protection=levels, frozen=frozen, method=method, attackers=attackers)
    end = time.perf_counter()
    return Result(case, table, system, levels, tuple(attackers), outside, pattern, (middle - start, end - middle))


# [tauargus]
def tau(*by: str, rule, weight=None, request=None):
    """Tabulate the test file of tau-ARGUS."""

    def make():
        data = cf.read(DATA / "tauargus" / "tau_testW.csv.gz", text=["IndustryCode"])
        nests = {"IndustryCode": cf.Digits(3, 1, 1), "Region": DATA / "tauargus" / "region2.hrc"}
        nests = {k: v for k, v in nests.items() if k in by}
        table = cf.tabulate(data, by, "Var2", hierarchies=nests, weight=weight, request=request)
        return table, cf.Protection.by_rule(rule, table)

    return make


def enterprises(*by: str):
    """Tabulate the enterprises of the Slovenian office, with their holdings."""

    def make():
        folder = DATA / "tauargus"
        data = cf.read(folder / "example_enterprise.csv.gz", text=["act", "region", "mun", "product"])
        nests = {
            "act": cf.read_hierarchy(folder / "nace_divisions.hrc").with_codes("00"),
            "region": folder / "KohStatReg.hrc",
            "mun": folder / "NUTS.hrc",
        }
        nests = {k: v for k, v in nests.items() if k in by}
        table = cf.tabulate(data, by, "turnover", hierarchies=nests, holding="h_id")
        return table, cf.Protection.by_rule(cf.MinimumFrequency(3) | cf.PPercentRule(10), table)

    return make


# [sdctable]
def microdata1():
    """Count the first file; a cell is given as sensitive."""
    table = cf.tabulate(cf.read(DATA / "sdctable" / "microdata1.csv.gz"), ["region", "gender"])
    system = cf.System.of_table(table)
    return table, cf.Protection.not_exact(system, [table.cell(region="A", gender="female")])


def microdata2():
    """Link two tables of the second file; the old and the new branches have the same coarse codes."""
    data = cf.read(DATA / "sdctable" / "microdata2.csv.gz")
    same = {"A": ("eco", "A"), "B": ("eco", "B"), "C": ("eco", "A"), "D": ("eco", "B")}
    old = cf.Hierarchy.of({"A": ["Aa", "Ab"], "B": ["Ba", "Bb"]})
    new = cf.Hierarchy.of({"C": ["Ca", "Cb", "Cc"], "D": ["Da", "Db", "Dc"]})
    old, new = (cf.Hierarchy(h.parents, {k: v for k, v in same.items() if k in h.parents}) for h in (old, new))
    first = cf.tabulate(data, ["gender", "ecoOld"], hierarchies={"ecoOld": old})
    second = cf.tabulate(data, ["region", "gender", "ecoNew"], hierarchies={"ecoNew": new})
    table = cf.link_tables(first, second)
    cells = [table.cell(eco="A"), table.cell(gender="f", eco="A")]
    return table, cf.Protection.not_exact(cf.System.of_table(table), cells)


def vignette():
    """Count the file of the vignette: of V1 the code B has three parts."""
    data = cf.read(DATA / "sdctable" / "vignette_microdat.csv.gz")
    branches = cf.Hierarchy.of({"A": [], "B": ["Ba", "Bb", "Bc"], "C": [], "D": []})
    table = cf.tabulate(data, ["V1", "V2", "V3"], hierarchies={"V1": branches})
    return table, small(table, 10)


# [ssbtools]
def small(table: cf.Table, most: int) -> cf.Protection:
    """Ask that no count up to some size, other than 0, can be computed."""
    count = np.round(table.values)
    return cf.Protection.not_exact(cf.System.of_table(table), (count > 0) & (count <= most))


REGION, INCOME = ("region", "hovedint"), ("region", "hovedint", "mnd")


def agencies(name: str, most: int, by=REGION, *, region: tuple[str, ...] = ("fylke", "kostragr"), months: bool = True):
    """Tabulate people by region, main income and months; regions may be grouped in two ways."""

    def make():
        data = cf.read(DATA / "ssbtools" / f"{name}.csv.gz")
        nests = {"region": [cf.Levels(r) for r in region], "mnd": cf.Levels("mnd2")}
        nests = {k: v for k, v in nests.items() if k in by and v and (k != "mnd" or months)}
        value = None if name == "z1micro" else "ant"
        table = cf.tabulate(data, by, value, hierarchies=nests)
        return table, small(table, most)

    return make


def four_formulas():
    """Link region x month, income x month, and both groupings of regions x income x month."""
    data = cf.read(DATA / "ssbtools" / "sosialFiktiv.csv.gz")
    pairs = (["region", "mnd"], ["hovedint", "mnd"], ["fylke", "hovedint", "mnd"], ["kostragr", "hovedint", "mnd"])
    regions = {"region": [cf.Levels("fylke"), cf.Levels("kostragr")]}
    table = cf.link_tables(*(cf.tabulate(data, by, "ant", hierarchies=regions if "region" in by else None) for by in pairs))
    return table, small(table, 3)


# [business]
RULE = cf.MinimumFrequency(3) | cf.DominanceRule(1, 0.85)
BY = {"act": "ACTIVITY", "nuts": "NUTS", "size": "SIZE", "cj": "CJ"}


def turnover_table(name: str) -> cf.Table:
    """Read one of the tables of turnover, with its totals."""
    import polars as pl

    folder = DATA / "business_rtauargus"
    east = name.startswith("act_nuts")
    rows = {
        "ACTIVITY": pl.read_csv(folder / "activity_corr_table.csv.gz", infer_schema=False).rows(),
        "NUTS": pl.read_csv(folder / "nuts23_fr_corr_table.csv.gz", infer_schema=False).rows(),
    }
    by = [BY[part] for part in name.split("_")]
    nests = {
        k: cf.Hierarchy.of_correspondence([r for r in rows[k] if r[0].startswith("FR4") or not east or k != "NUTS"])
        for k in rows if k in by
    }  # fmt: skip
    return cf.table_of_aggregates(
        folder / f"turnover_{name}.csv.gz", by, "TOT", count="N_OBS", largest="MAX", hierarchies=nests, tolerance=1e-7,
        total={"NUTS": "Total_EAST"} if east else "Total",
    )  # fmt: skip


def flagged(table: cf.Table, sensitive: np.ndarray) -> cf.Protection:
    """Ask for a tenth of each sensitive value in both directions, as rtauargus does."""
    return cf.Protection.by_rule(cf.GivenRule(sensitive, share=0.1), table)


def turnover(*names: str):
    """Protect one table of turnover, or several linked ones."""

    def make():
        tables = [turnover_table(name) for name in names]
        table = tables[0] if len(tables) == 1 else cf.link_tables(*tables, tolerance=1e-7)
        return table, flagged(table, RULE.sensitive(table))

    return make


def firms(*by: str, value: str = "TURNOVER"):
    """Tabulate the firms of rtauargus, with their weights."""

    def make():
        data = cf.read(DATA / "business_rtauargus" / "indiv_dt.csv.gz")
        nests = {"A88": cf.Levels("A10", "A21"), "NUTS3": cf.Levels("NUTS1", "NUTS2")}
        table = cf.tabulate(data, by, value, hierarchies={k: v for k, v in nests.items() if k in by}, weight="WEIGHT")
        return table, cf.Protection.by_rule(RULE, table)

    return make


def pizzas(name: str, *by: str):
    """Read a table of four or five dimensions; the sensitive cells are given."""

    def make():
        import polars as pl

        frame = pl.read_csv(DATA / "business_rtauargus" / f"{name}.csv.gz", infer_schema_length=None)
        table = cf.table_of_aggregates(frame, by, "pizzas_tot", count="nb_obs", largest="pizzas_max", tolerance=1e-7)
        given = table.frame().join(frame.select(*by, "is_secret_prim"), on=list(by), how="left", maintain_order="left")
        return table, flagged(table, given["is_secret_prim"].to_numpy())

    return make


# [cases]
P15, DOMINANT, ASKED = cf.PPercentRule(15), cf.DominanceRule(3, 0.75), cf.RequestRule({"1": 0.7})
ALL4 = ("act_size", "act_cj", "nuts_size", "nuts_cj")
FOUR, FIVE = ("treff", "cj", "A10", "type_distrib"), ("treff", "cj", "A10", "type_distrib", "nuts1")
Z, M = {"zeros": False, "counts": True}, {"counts": True}
CASES = [
    Case("tau_testW", "Size x Region, p 15", tau("Size", "Region", rule=P15)),
    Case("tau_testW", "Size x Region, weighted, p 15", tau("Size", "Region", rule=P15, weight="Wgt")),
    Case("tau_testW", "Size x Region, request 0.7", tau("Size", "Region", rule=ASKED, request="Request")),
    Case("tau_testW", "IndustryCode x Size, (3, 75)", tau("IndustryCode", "Size", rule=DOMINANT), slow=True),
    Case("tau_testW", "IndustryCode x Region, p 15", tau("IndustryCode", "Region", rule=P15), slow=True),
    Case("tau_testW", "IndustryCode x Size x Region, p 15", tau("IndustryCode", "Size", "Region", rule=P15), slow=True),
    Case("enterprise", "product x region, holdings", enterprises("product", "region")),
    Case("enterprise", "act x product, holdings", enterprises("act", "product"), slow=True),
    Case("enterprise", "act x region, holdings", enterprises("act", "region"), slow=True),
    Case("enterprise", "mun x product, holdings", enterprises("mun", "product"), slow=True),
    Case("enterprise", "act x product x region, holdings", enterprises("act", "product", "region"), slow=True),
    Case("microdata1", "region x gender", microdata1, **M, peer="4 (sdcTable)"),
    Case("microdata2", "gender x ecoOld, region x gender x ecoNew", microdata2, **M),
    Case("vignette", "V1 x V2 x V3, counts to 10", vignette, **M),
    Case("z1", "region x hovedint, counts to 3", agencies("z1", 3, region=()), **Z, peer="6 (Gauss)"),
    Case("z1micro", "the same from records", agencies("z1micro", 3, region=()), **Z),
    Case("z2", "two groupings x hovedint, counts to 2", agencies("z2", 2), **Z, peer="20 (Gauss), 28 (sdcTable)"),
    Case("z2", "two groupings x hovedint, counts to 10", agencies("z2", 10), **Z, peer="44 (Gauss), 47 (sdcTable)"),
    Case("z3", "fylke x hovedint x mnd, counts to 3", agencies("z3", 3, INCOME, region=("fylke",)),
         **Z, peer="515 (Gauss), 497 (sdcTable)", slow=True),
    Case("z3", "two groupings x hovedint x mnd, counts to 3", agencies("z3", 3, INCOME),
         **Z, peer="521, inside 619 (Gauss); 557, 18 open (sdcTable)", slow=True),
    Case("sosialFiktiv", "four linked tables, counts to 3", four_formulas, **Z, slow=True),
    Case("sosialFiktiv", "two groupings x hovedint x mnd, counts to 2",
         agencies("sosialFiktiv", 2, INCOME, months=False), **Z, peer="2168 (Gauss); 1995, 38 open (sdcTable)", slow=True),
    Case("sosialFiktiv", "the same with mnd2, counts to 3", agencies("sosialFiktiv", 3, INCOME), **Z, slow=True),
    Case("turnover", "activity x size", turnover("act_size"), peer="141 (tau-ARGUS, optimal)"),
    Case("turnover", "activity x cj", turnover("act_cj")),
    Case("turnover", "nuts x size", turnover("nuts_size")),
    Case("turnover", "nuts x cj", turnover("nuts_cj")),
    Case("turnover", "activity x nuts x size, east", turnover("act_nuts_size"), slow=True),
    Case("turnover", "four linked tables", turnover(*ALL4), peer="630 with shared cells (tau-ARGUS, in turn)", slow=True),
    Case("indiv_dt", "A88 x SIZE, weighted", firms("A88", "SIZE")),
    Case("indiv_dt", "A88 x CJ, weighted", firms("A88", "CJ")),
    Case("indiv_dt", "NUTS3 x SIZE, weighted", firms("NUTS3", "SIZE")),
    Case("indiv_dt", "A88 x NUTS3 x SIZE, weighted", firms("A88", "NUTS3", "SIZE"), slow=True),
    Case("datatest1", "4 dimensions, given", pizzas("datatest1", *FOUR), slow=True),
    Case("datatest2", "5 dimensions, given", pizzas("datatest2", *FIVE), slow=True),
]  # fmt: skip


# [print]
def absent() -> str:
    """Say which data are not here."""
    lost = [f for f in FOLDERS if not (DATA / f).is_dir()]
    return f"The tables are not here; set CONFIDE_SHARED to the folder that holds data/{lost[0]}." if lost else ""


def chosen(args: argparse.Namespace) -> Iterator[Case]:
    """Give the cases that were asked for."""
    for i, case in enumerate(CASES):
        if i in args.cases if args.cases else (args.all or not case.slow):
            yield case


def main() -> None:
    """Protect the tables and print a line for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", help="the large tables too")
    parser.add_argument("--cases", type=int, nargs="*", help="numbers of cases, from 0")
    parser.add_argument("--outside", action="store_true", help="without insiders")
    parser.add_argument("--seconds", action="store_true", help="print how long each took")
    args = parser.parse_args()
    if absent():
        print(absent())
        return
    print(f"{'data':13}{'table':45}{'cells':>7}{'prim':>6}{'all':>7}{'inside':>7}{'value':>7}{'who':>6}", end="")
    print(f"  {'audit':8}{'pattern':9}published by others")
    for case in chosen(args):
        r = protect(case, insiders=not args.outside)
        exposed = r.exposed()
        verdict = "clean" if not exposed else f"{exposed} open"
        line = f"{case.data:13}{case.table:45}{r.table.n:7,}{r.outside.primary.size:6,}{r.outside.suppressed.size:7,}"
        line += f"{r.suppressed.size:7,}{r.share:7.1%}{1 + len(r.attackers):6,}  {verdict:8}{r.hash:9}{case.peer}"
        print(line.rstrip() + (f"  [{r.seconds[0]:.1f} s, {r.seconds[1]:.1f} s]" if args.seconds else ""), flush=True)


if __name__ == "__main__":
    sys.exit(main())
