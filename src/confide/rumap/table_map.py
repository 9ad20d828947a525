"""Ways to protect a table on one map: what can be deduced against what is still published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import MapError, unknown
from confide.linking.parallel import Progress, phase_of, silent
from confide.release.marks import banner, with_mark
from confide.rumap.frontier import frontier
from confide.rumap.point import Point
from confide.tables.a_priori import APriori
from confide.tables.audit.audit import audit
from confide.tables.audit.result import Audit
from confide.tables.cell_keys import CellKeys
from confide.tables.controlled_rounding import ControlledRounding
from confide.tables.loss import lost_shares, lost_values
from confide.tables.method import TableMethod
from confide.tables.protect_table import protect_table, task_of
from confide.tables.protected import ProtectedTable
from confide.tables.rules.rule import Rule
from confide.tables.suppression import GivenSuppression, Looks, NoProtection, PrimaryOnly, Suppression, onlookers
from confide.tables.table import Table
from confide.tables.tabular_adjustment import TabularAdjustment
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl

EVERYBODY, INSIDERS = "everybody", "the closest insider"
KINDS: dict[str, tuple[type, ...]] = {
    "no protection": (NoProtection,),
    "suppression": (Suppression, PrimaryOnly, GivenSuppression),
    "rounding": (ControlledRounding,),
    "adjustment": (TabularAdjustment,),
    "noise by cell keys": (CellKeys,),
}
"""The kinds of methods."""


@dataclass(frozen=True, slots=True, eq=False)
class TableCandidate:
    """One way to protect a table."""

    rule: Rule | None = None
    """Which cells are called sensitive; None: those of the map's own rule."""
    method: TableMethod = Suppression()  # noqa: RUF009  frozen
    """How they are protected."""
    a_priori: APriori = APriori()  # noqa: RUF009  frozen
    """What is fixed beforehand."""


@dataclass(frozen=True, slots=True)
class ShareDeducible:
    """The share of sensitive cells that an attacker can estimate to within a share of the value, both ways."""

    share: float
    name = "share_deducible"
    larger_is_riskier = True

    @property
    def title(self) -> str:
        """What the axis is called."""
        return f"Share of sensitive cells deducible within {100 * self.share:g} per cent"


@dataclass(frozen=True, slots=True)
class Kept:
    """What is still told: of the value, or of the cells."""

    name: str
    title: str
    larger_is_better = True


VALUE_KEPT = Kept("value_kept", "Value kept: 1 less the changes of all cells over their values")


def cells_kept(share: float) -> Kept:
    """Name the share of cells that are published with a value near the true one."""
    return Kept("cells_kept", f"Share of cells published to within {100 * share:g} per cent of their value")


@dataclass(frozen=True, slots=True, eq=False)
class TableRow:
    """One candidate with what it gives away and what it keeps."""

    settings: Mapping[str, str]
    """Its name, under "protection", and the kind of its method, under "method"."""
    protected: ProtectedTable
    """The protected table."""
    risks: tuple[float, ...]
    """The risk, by who looks."""
    kept: Mapping[str, float]
    """What is kept, of the value and of the cells."""


@dataclass(frozen=True, slots=True, eq=False)
class TableMap:
    """Risk and utility of several ways to protect one table; from `table_map`."""

    table: Table
    rule: Rule
    """Which cells are sensitive: the yardstick for all candidates."""
    rows: tuple[TableRow, ...]
    intruders: tuple[str, ...]
    """Who looks: everybody, and insiders where they were asked for."""
    risk: ShareDeducible
    utility: Kept = VALUE_KEPT
    replicates: int = 1

    def on(self, utility: str) -> TableMap:
        """Give the same map with another axis of utility: "value_kept" or "cells_kept"."""
        known = {k.name: k for k in (VALUE_KEPT, cells_kept(self.risk.share))}
        if utility not in known:
            raise MapError(unknown("utility", utility, known))
        return replace(self, utility=known[utility])

    @property
    def banner(self) -> str:
        """What stands first wherever it is shown; empty: its tables hang on no seed."""
        return banner(*(row.protected.table.seed for row in self.rows))

    def points(self, intruder: str | None = None) -> tuple[Point, ...]:
        """Give the points of one who looks, or of whoever is most dangerous for each candidate."""
        if intruder is not None and intruder not in self.intruders:
            raise MapError(unknown("intruder", intruder, self.intruders))
        places = range(len(self.intruders)) if intruder is None else [self.intruders.index(intruder)]
        return tuple(Point(dict(r.settings), max(r.risks[k] for k in places), r.kept[self.utility.name]) for r in self.rows)

    def on_frontier(self, points: Sequence[Point]) -> BoolArray:
        """Mark the points that no other point beats."""
        return frontier([p.risk for p in points], [p.utility for p in points])

    def frontier(self, intruder: str | None = None) -> tuple[Point, ...]:
        """Give the points that no other point beats, from the least risk to the most."""
        points = self.points(intruder)
        kept = [p for p, best in zip(points, self.on_frontier(points), strict=True) if best]
        return tuple(sorted(kept, key=lambda p: (p.risk, p.utility)))

    def efficiency(self, point: Point) -> float | None:
        """Give the utility of a point relative to that without protection, which is 1."""
        return point.utility

    def __getitem__(self, name: str) -> ProtectedTable:
        """Give the protected table of a candidate."""
        found = {r.settings["protection"]: r.protected for r in self.rows}
        if name not in found:
            raise MapError(unknown("candidate", name, found))
        return found[name]

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each candidate and each who looks."""
        import polars as pl

        rows = []
        for k, name in enumerate(self.intruders):
            best = self.on_frontier(self.points(name))
            rows += [
                {**r.settings, "intruder": name, self.risk.name: r.risks[k], **r.kept, "on_frontier": bool(top)}
                for r, top in zip(self.rows, best, strict=True)
            ]
        return with_mark(pl.DataFrame(rows), *(row.protected.table.seed for row in self.rows))

    def plot(
        self,
        path: str | PathLike[str],
        *,
        max_risk: float | None = None,
        by: str | None = None,
        intruder: str | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Draw the map: SVG, PNG or PDF by the suffix, or one page to look around in for `.html`; see `RUMap.plot`.

        Kinds of methods are told apart where only one looks; ask for it with `by="method"` where there are insiders.
        """
        from confide.rumap.general.chart import draw
        from confide.rumap.general.curves import Shown
        from confide.rumap.general.page import write_page

        write = write_page if Path(path).suffix.lower() == ".html" else draw
        alone = len(self.intruders) == 1 or intruder is not None
        return write(self, path, Shown(max_risk, by or ("method" if alone else None), intruder), overwrite=overwrite)

    def __repr__(self) -> str:
        """List the candidates."""
        lines = [self.banner] if self.banner else []
        lines += [f"TableMap({len(self.rows)} candidates: {self.risk.title} against {self.utility.title})"]
        best = self.on_frontier(self.points())
        for r, p, top in zip(self.rows, self.points(), best, strict=True):
            lines.append(
                f"  {r.settings['protection']}: risk {p.risk:.4g}, kept {p.utility:.4g}{', on the frontier' if top else ''}"
            )
        return "\n".join(lines)


def table_map(
    table: Table,
    rule: Rule,
    candidates: Mapping[str, TableCandidate],
    *,
    share: float = 0.1,
    attackers: Sequence[Looks] = (),
    progress: Progress = silent,
) -> TableMap:
    """Map ways to protect a table: which share of its sensitive cells can be deduced, and how much is still published.

    A sensitive cell is deducible when the interval that is left for it lies within a share of its value to both sides; one
    that is published as it is always is. All candidates are judged by the same sensitive cells, whatever they call
    sensitive themselves. Methods that leave cells out and those that change values are compared by two measures.
    "value_kept" is 1 less the sum of all absolute changes over the sum of all absolute values, where a cell that is left
    out counts with its whole value. "cells_kept" is the share of cells that are published with a value within the share
    of the true one.

    Args:
        table: the table.
        rule: which cells are sensitive.
        candidates: ways to protect it, by name.
        share: how close is too close, as a share of the value.
        attackers: insiders who look, too: `SingletonInsiders()`, `ContributingInsiders()`.
        progress: called with how much of how much is done.

    >>> import confide as cf
    >>> people = cf.Microdata.from_dict({"a": list("nnnsss"), "b": list("ppqpqq"), "x": [9, 2, 4, 5, 7, 6]})
    >>> found = cf.table_map(cf.tabulate(people, ["a", "b"], "x"), cf.MinimumFrequency(2), {
    ...     "none": cf.TableCandidate(method=cf.NoProtection()), "cells": cf.TableCandidate()})
    >>> [p.risk for p in found.points()]
    [1.0, 0.0]
    """
    if not candidates:
        raise MapError("a map needs candidates; give at least one by name: {'p 10': TableCandidate(PPercentRule(10))}")
    if not share > 0:
        raise MapError(f"share must be above 0, found {share}; 0.1 is 10 per cent")
    task = task_of(table, rule)
    who = onlookers(attackers, task)[0]
    sensitive = np.zeros(table.n, dtype=np.bool_)
    sensitive[task.primary] = True
    rows = []
    for i, (name, one) in enumerate(candidates.items()):
        report = phase_of(progress, i, len(candidates))
        done = protect_table(table, one.rule or rule, method=one.method, a_priori=one.a_priori, progress=report)
        public = done.outcome.seen
        hidden = done.suppressed if public is None else np.ones(table.n, dtype=np.bool_)
        proof = audit(task.system if public is None else public, hidden, task.protection, who)
        risks = deducible(done, proof, sensitive, share, insiders=bool(who))
        lost = lost_values(table.values, done.values)
        total = float(np.abs(table.values).sum())
        kept = {"value_kept": 1 - float(lost.sum()) / total if total > 0 else 1.0}
        kept["cells_kept"] = float(
            (~done.suppressed & (lost_shares(table.values, done.values) <= share * (1 + 1e-9))).mean()
        )
        rows.append(TableRow({"protection": name, "method": kind_of(one.method)}, done, risks, kept))
    names = (EVERYBODY, INSIDERS) if who else (EVERYBODY,)
    return TableMap(table, rule, tuple(rows), names, ShareDeducible(share))


def kind_of(method: TableMethod) -> str:
    """Name the kind of a method, by which a picture tells candidates apart.

    >>> kind_of(Suppression()), kind_of(ControlledRounding(5))
    ('suppression', 'rounding')
    """
    return next((kind for kind, types in KINDS.items() if isinstance(method, types)), method.name)


def deducible(
    done: ProtectedTable, proof: Audit, sensitive: BoolArray, share: float, *, insiders: bool
) -> tuple[float, ...]:
    """Give the share of sensitive cells that everybody deduces, and that some insider does."""
    if not sensitive.any():
        return (0.0, 0.0) if insiders else (0.0,)
    x = done.table.values
    near = share * np.abs(x) + 1e-9 * np.maximum(1.0, np.abs(x))

    def within(low: FloatArray, high: FloatArray, cells: IntArray) -> BoolArray:
        return np.asarray((low >= x[cells] - near[cells]) & (high <= x[cells] + near[cells]), dtype=np.bool_)

    known = ~done.suppressed
    cells = proof.suppressed
    known[cells] = within(proof.low, proof.high, cells)
    some = known.copy()
    for own in proof.attackers.values():
        mine = cells[own.at]
        some[mine] |= within(own.low, own.high, mine)
    found = (float(known[sensitive].mean()), float(some[sensitive].mean()))
    return found if insiders else found[:1]
