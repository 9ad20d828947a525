"""Noise, rank swapping and microaggregation on one map, for the three reference files of the CASC project.

Swapping by ranks and microaggregation are not methods of confide: they are written here, as a user would.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

import confide as cf
from confide.data.column import Column
from confide.release.vary import Varying

shared = Path(os.environ.get("CONFIDE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
folder = shared / "data" / "casc"
if not folder.is_dir():
    print("The CASC files are not here; set CONFIDE_SHARED to the folder that holds data/casc.")
    sys.exit(0)


# [own]
class Own(Varying):
    """A method of one's own, on several numbers at once; Varying lets its arguments be left open."""

    channels = MappingProxyType({})  # nothing is said about likelihoods

    def bind(self, data):
        """Take the method as it is: it reads nothing from the file beforehand."""
        del data
        return self

    def apply(self, draft, stream):
        """Replace the numbers."""
        x = np.column_stack([draft.data.column(v).numbers for v in self.variables])
        masked = self.masked(x, lambda j: stream.uniform(draft.keys, draw=j))
        columns = {v: Column.of_numbers(masked[:, j]) for j, v in enumerate(self.variables)}
        return replace(draft, data=draft.data.with_columns(columns))


# [swapping]
@dataclass(frozen=True)
class RankSwap(Own):
    """Exchange each value with one whose rank is at most so many per cent of the records away."""

    variables: tuple[str, ...]
    percent: float

    def describe(self):
        """Say in one line what is done."""
        return f"swap within {self.percent:g} per cent of the ranks"

    def masked(self, x, uniform):
        """Swap variable by variable: go up the ranks and exchange with a free record not too far above."""
        reach, out = int(self.percent * len(x) / 100), x.copy()
        for j in range(x.shape[1]):
            u, ranked, free = uniform(j), np.argsort(x[:, j], kind="stable"), np.ones(len(x), dtype=bool)
            for r in range(len(x)):
                above = r + 1 + np.flatnonzero(free[r + 1 : r + 1 + reach])
                if free[r] and above.size:
                    s = above[int(u[ranked[r]] * above.size)]
                    free[[r, s]] = False
                    out[ranked[[r, s]], j] = x[ranked[[s, r]], j]
        return out


# [microaggregation]
@dataclass(frozen=True)
class Microaggregate(Own):
    """Put records that are near each other into groups of k or more, and release the means of the groups."""

    variables: tuple[str, ...]
    k: int

    def describe(self):
        """Say in one line what is done."""
        return f"means of groups of {self.k}"

    def masked(self, x, uniform):
        """Replace every record by the mean of its group."""
        del uniform
        out = x.copy()
        for rows in groups((x - x.mean(axis=0)) / x.std(axis=0), self.k):
            out[rows] = x[rows].mean(axis=0)
        return out


def groups(z, k):
    """Give groups around the record farthest from the mean, around the one farthest from that, and so on (MDAV)."""
    left = np.arange(len(z))
    while left.size >= 2 * k:
        centre = z[left].mean(axis=0)
        for _ in range(2 if left.size >= 3 * k else 1):
            first = z[left[np.argmax(((z[left] - centre) ** 2).sum(axis=1))]]
            near = np.argsort(((z[left] - first) ** 2).sum(axis=1), kind="stable")[:k]
            yield left[near]
            left, centre = np.delete(left, near), first
    yield left


# [files]
files = {
    "census": (["WSALVAL", "FICA", "EMCONTRB"], ["AFNLWGT"]),
    "tarragona": (["FIXED.ASSETS", "PAID.UP.CAPITAL", "SALES"], []),
    "eia": (["TOTREVENUE", "TOTSALES", "RESSALES"], ["UTILITYID", "UTILNAME", "STATE", "YEAR", "MONTH"]),
}


# [map]
def mapped(name):
    """Map the three methods for an intruder who knows three variables and one who knows all."""
    few, left_out = files[name]
    data = cf.read(folder / f"{name}.csv.gz").without(left_out)
    data = data.declare(kinds=dict.fromkeys(data.names, "continuous"))
    sd = cf.vary("sd", 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
    family = cf.Release(
        cf.vary(
            "method",
            noise=[cf.Noise(v, sd=sd, relative_to="all") for v in data.names],
            swapping=RankSwap(data.names, percent=cf.vary("p", 1, 2, 5, 10, 20, 40)),
            microaggregation=Microaggregate(data.names, k=cf.vary("k", 3, 5, 10, 20, 50, 100)),
        )
    )
    return cf.ru_map(
        data, family, [cf.Intruder(knows=few, name="few"), cf.Intruder(knows=data.names, name="many")],
        risk=[cf.FileMeasure(cf.distance_linkage), cf.FileMeasure(cf.interval_disclosure, around=cf.RankWidth(10))],
        utility=[cf.CovariancesKept(), cf.QuantilesKept(), cf.IL1s(per_value=True)],
        seed=7, replicates=3,
    )  # fmt: skip


# [print]
def table(ru):
    """Print the figures of every release; a star where no other release beats it for covariances."""
    print(f"{'':26}{'linked':>14}{'inside':>14}{'kept':>24}")
    print(f"{'':26}{'few':>7}{'many':>7}{'few':>7}{'many':>7}{'covariances':>14}{'quantiles':>10}{'IL1s':>7}")
    best = [p.settings for p in ru.frontier("many")]
    for row in ru.rows:
        (_, method), (axis, strength) = row.settings.items()
        risks = [row.risk(k, r.name).mean for r in ru.question.risks for k in range(2)]
        covariances, quantiles, il1s = (row.utility(u.name).mean for u in ru.question.utilities)
        print(f"{method:17}{axis:>4}{strength:>5g}" + "".join(f"{x:7.3f}" for x in risks), end="")
        print(f"{covariances:14.3f}{quantiles:10.3f}{il1s:7.3f} {'*' if row.settings in best else ''}".rstrip())


maps = {name: mapped(name) for name in files}
for name, ru in maps.items():
    source = ru.question.source
    print(f"{name}: {source.n:,} records, {len(source.names)} variables; few: {', '.join(files[name][0])}\n")
    table(ru)
    print()

# [choose]
for name, ru in maps.items():
    print(f"{name}\n{ru.choose(max_risk=0.1)}")
    print(ru.on(utility="quantiles_kept").choose(max_risk=0.1))
    print(f"{ru.choose(max_risk=0.1, limits={'interval_disclosure': 0.4})}\n")

# [draw]
if len(sys.argv) > 1:
    pictures = Path(sys.argv[1])
    for name, ru in maps.items():
        ru.plot(pictures / f"casc-{name}.svg", by="method", intruder="many", max_risk=0.1, overwrite=True)
    quantiles, intervals = maps["census"].on(utility="quantiles_kept"), maps["eia"].on("interval_disclosure")
    quantiles.plot(pictures / "casc-census-quantiles.svg", by="method", intruder="many", max_risk=0.1, overwrite=True)
    intervals.plot(pictures / "casc-eia-intervals.svg", by="method", intruder="many", max_risk=0.4, overwrite=True)
