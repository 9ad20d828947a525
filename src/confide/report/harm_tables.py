"""The tables of harm, ready to be set in type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from confide.report.amounts import amount, amounts
from confide.report.grid import Grid
from confide.report.losses import Loss, Losses, Mixture, Place, WorstGroup, significant
from confide.report.table import DASH, MOST_COLUMNS, Cell, Table, per_cent, written

LINKS = ("not re-identified", "false re-identification", "true re-identification")
"""How the names of the outcomes begin."""


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of every scenario."""

    title: str
    """What the figure is called."""
    texts: Mapping[Place, str]
    """The figure, by release and intruder."""
    marked: Place | None = None
    """The figure to be marked."""

    def cell(self, place: Place, *, first: bool = False) -> Cell:
        """Give one figure; a dash where there is none."""
        return Cell(self.texts.get(place, DASH), place == self.marked, first)


def harm_tables(grid: Grid, found: Losses) -> tuple[Table, ...]:
    """Set out total, mean and worst harm and how many are harmed; the largest total is marked."""
    cells = found.cells
    marked = found.largest if found.any_harm and len(cells) > 1 else None
    totals = amounts([loss.total for loss in cells.values()])
    means = amounts([loss.mean for loss in cells.values()])
    columns = [
        Column("Total harm", dict(zip(cells, totals, strict=True)), marked),
        Column("Harm per target", dict(zip(cells, means, strict=True))),
        Column("No loss above", {p: amount(loss.step) for p, loss in cells.items()}),
        Column("Harmed", {p: f"{loss.bearers.harmed:,}" for p, loss in cells.items()}),
    ]
    return arranged(grid, columns)


def bearer_tables(grid: Grid, found: Losses) -> tuple[Table, ...]:
    """Set out who bears the harm."""
    cells = found.cells
    shares = written([loss.bearers.share_harmed for loss in cells.values()], is_count=False)
    columns = [
        Column("Share harmed", dict(zip(cells, shares, strict=True))),
        Column("Half is borne by", {p: _half(loss) for p, loss in cells.items()}),
        Column("The top 1 % bear", {p: _share(loss.told.top_1) for p, loss in cells.items()}),
        Column("Gini", {p: DASH if loss.told.gini is None else f"{loss.told.gini:.1f}" for p, loss in cells.items()}),
    ]
    return arranged(grid, columns)


def outcome_table(grid: Grid, found: Losses) -> Table:
    """Set out how many targets meet each outcome, one row per scenario; outcomes of the same link stand together."""
    cells = found.cells
    split = [(name, *name.partition(", ")[::2]) for name in next(iter(cells.values())).harmed.outcomes]
    split.sort(key=lambda parts: LINKS.index(parts[1]))
    columns = [written([loss.harmed.outcomes[name] for loss in cells.values()], is_count=True) for name, _, _ in split]
    first = [j == 0 or split[j - 1][1] != linked for j, (_, linked, _) in enumerate(split)]
    rows = tuple(
        (grid.names(grid.cells[place]), tuple(Cell(c[k], first=f) for c, f in zip(columns, first, strict=True)))
        for k, place in enumerate(cells)
    )
    groups = tuple((link.capitalize(), sum(linked == link for _, linked, _ in split)) for link in LINKS)
    return Table(("Release", "Intruder"), groups, tuple(inferred or "no record linked" for *_, inferred in split), rows, ())


def group_table(grid: Grid, found: Losses, groups: Sequence[WorstGroup]) -> Table:
    """Set out the groups that bear most harm per target."""
    heads = ("Targets in it", "Harm per target", "In the whole file", "Share of the harm", "Share of the targets")
    means = amounts([x for g in groups for x in (g.mean, found.cells[g.place].mean)], 3)
    rows = []
    for i, g in enumerate(groups):
        names = (g.variable, g.name, " / ".join(grid.names(grid.cells[g.place])))
        texts = (f"{g.n:,}", *means[2 * i : 2 * i + 2], _share(g.share_of_harm), per_cent(g.share_of_targets))
        rows.append((names, tuple(Cell(t) for t in texts)))
    return Table(("By", "Worst group", "Release / intruder"), (), heads, tuple(rows), ())


def mixture_table(grid: Grid, rows: Sequence[Mixture], likelihoods: Mapping[str, float]) -> Table:
    """Set out the harm of each release over the intruders: each of them, what to expect, and the worst case."""
    likely = [f"{name} (likelihood {likelihoods[name]:g})" for name in grid.intruders]
    k = len(likely)
    texts = amounts([x for row in rows for x in (*row.totals, row.expected, row.worst_total)])
    body = []
    for i, row in enumerate(rows):
        mine = texts[i * (k + 2) : (i + 1) * (k + 2)]
        mine[-1] += f" ({row.worst})"
        body.append(((row.release,), tuple(Cell(t, first=j in (0, k)) for j, t in enumerate(mine))))
    heads = (*likely, "expected", "worst case")
    return Table(("Release",), (("Total harm by", k), ("Over all intruders", 2)), heads, tuple(body), ())


def arranged(grid: Grid, columns: Sequence[Column]) -> tuple[Table, ...]:
    """Set figures out by release and intruder where every release meets every intruder, else row by row."""
    people, files = range(len(grid.intruders)), range(len(grid.releases))
    if not grid.is_table:
        flat = tuple((grid.names(s), tuple(c.cell(place) for c in columns)) for place, s in grid.cells.items())
        return (Table(("Release", "Intruder"), (), tuple(c.title for c in columns), flat, ()),)
    fit = max(1, MOST_COLUMNS // len(people))
    tables = []
    for start in range(0, len(columns), fit):
        part = columns[start : start + fit]
        rows = tuple(
            ((grid.releases[r],), tuple(column.cell((r, c), first=c == 0) for column in part for c in people)) for r in files
        )
        groups = tuple((column.title, len(people)) for column in part)
        tables.append(Table(("Release",), groups, grid.intruders * len(part), rows, ()))
    return tuple(tables)


def _half(loss: Loss) -> str:
    """Write how many bear half of the harm."""
    return DASH if loss.told.half is None else f"{loss.told.half:,}"


def _share(share: float | None) -> str:
    """Write a share of the harm with at most two digits.

    >>> [_share(x)[:-2] for x in (0.4567, 0.9987, 1.0, 0.0)], _share(None) == DASH
    (['46', '> 99', '100', '0'], True)
    """
    if share is None:
        return DASH
    kept = significant(100 * share, 2)
    text = "> 99" if share < 1 - 1e-12 and kept >= 100 else f"{kept:g}"
    return f"{text}\N{NO-BREAK SPACE}%"
