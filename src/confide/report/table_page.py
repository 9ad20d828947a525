"""Pages of a protected table: one for readers, one for the agency."""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from confide.report.record import versions
from confide.report.table import per_cent
from confide.report.table_grid import number, set_out
from confide.report.templates import template, write_html
from confide.tables.frames import everybody, narrowest
from confide.tables.method import PRIMARY, PUBLISHED, SECONDARY
from confide.tables.protected import ProtectedTable
from confide.tables.reasons import parts_of, rule_name

MOST_LISTED = 300
"""How many cells the internal page lists."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure."""

    name: str
    figure: str
    detail: str


@dataclass(frozen=True, slots=True)
class Hidden:
    """A cell that is left out or changed, as the agency sees it."""

    codes: tuple[str, ...]
    value: str
    published: str
    respondents: str
    status: str
    reason: str
    asked: str
    interval: str
    attacker: str
    exposed: bool


def write_table_page(
    protected: ProtectedTable,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    internal: bool = False,
    date: dt.date | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a page of a protected table: no script, no network.

    Args:
        protected: the table.
        path: where to write the page.
        title: the heading; None: value and dimensions.
        internal: whether true values, reasons and intervals are shown; such a page is confidential.
        date: when the table was protected; None: today.
        overwrite: replace a file that is there.
    """
    return write_html(render_table(protected, title=title, internal=internal, date=date), path, overwrite=overwrite)


def render_table(
    protected: ProtectedTable, *, title: str | None = None, internal: bool = False, date: dt.date | None = None
) -> str:
    """Give the page as text; see `write_table_page`."""
    t = protected.table
    hidden = _hidden(protected) if internal else []
    return template("table_page.html.j2").render(
        title=title or f"{t.name} by {', '.join(t.by)}",
        what=f"{t.name} by {', '.join(t.by)}" if t.by else t.name,
        banner=protected.banner,
        internal=internal,
        cells=t.n,
        changes=protected.changes,
        told=protected.outcome.told,
        judged=protected.audit is not None,
        left=int(protected.suppressed.sum()),
        answer=_inside(protected) if internal else _outside(protected),
        tiles=_tiles(protected, internal=internal),
        grid=set_out(protected, internal=internal),
        reasons=_reasons(protected) if internal else (),
        hidden=hidden[:MOST_LISTED],
        more=max(0, len(hidden) - MOST_LISTED),
        by=t.by,
        attackers=0 if protected.audit is None else len(protected.audit.attackers),
        exact=protected.audit is not None and protected.audit.exact,
        rules=[rule_name(r, settings=internal) for r in parts_of(protected.rule)],
        method=protected.method.name,
        notes=(*protected.notes, *protected.told_by_pattern) if internal else (),
        date=(date or dt.datetime.now(dt.UTC).date()).isoformat()[:10],
        versions=versions(),
    )


def _outside(protected: ProtectedTable) -> list[str]:
    """Say to readers what is left out, or changed."""
    left = int(protected.suppressed.sum())
    if protected.outcome.told and not left:
        return [f"All {protected.table.n:,} cells are published, with changed values.", *protected.outcome.told]
    if not left:
        return [f"All {protected.table.n:,} cells are published."]
    head = f"{left:,} of {protected.table.n:,} cells are not published, marked c"
    return [f"{head}: they would tell too much about single respondents, or such cells could be computed from them."]


def _inside(protected: ProtectedTable) -> list[str]:
    """Say to the agency whether the protection holds."""
    cells = {e.cell for e in protected.exposed}
    known = {e.cell for e in protected.exposed if e.exact}
    lines = []
    if protected.audit is None:
        lines.append("What can be deduced was not judged." if protected.sensitive.any() else "No cell is sensitive.")
    elif not cells:
        others = f" and {len(protected.audit.attackers):,} insider(s)" if protected.audit.attackers else ""
        lines.append(f"Every sensitive cell has its protection, against everybody{others}.")
    else:
        lines.append(f"{len(cells):,} sensitive cell(s) are exposed; {len(known):,} of them can be computed exactly.")
    if not protected.outcome.finished:
        lines.append("The search was stopped; this is the best that was found.")
    return lines


def _tiles(protected: ProtectedTable, *, internal: bool) -> list[Tile]:
    """Give the figures on top; to readers only what they could compute themselves."""
    t = protected.table
    left = int(protected.suppressed.sum())
    tiles = [Tile("cells", f"{t.n:,}", f"{int(t.inner.sum()):,} of them are no totals")]
    if protected.changes:
        return [*tiles, *_changed_tiles(protected)] if internal else tiles
    if internal:
        counts = {s: int(np.sum(protected.status == s)) for s in (PRIMARY, SECONDARY)}
        tiles.append(Tile("sensitive", f"{int(protected.sensitive.sum()):,}", f"{counts[PRIMARY]:,} of them left out"))
        tiles.append(Tile("left out for their sake", f"{counts[SECONDARY]:,}", f"{left:,} left out in all"))
        gap = "not known" if protected.gap is None else per_cent(protected.gap)
        detail = f"of cells that are no totals; gap to the cheapest pattern: {gap}"
        return [*tiles, Tile("value left out", per_cent(protected.value_share), detail)]
    tiles.append(Tile("not published", f"{left:,}", f"{per_cent(left / max(t.n, 1))} of all cells"))
    if t.n and not protected.suppressed[0]:
        # with the total published, everybody can subtract what is published from it
        tiles.append(Tile("value not published", per_cent(protected.value_share), "of cells that are no totals"))
    return tiles


def _changed_tiles(protected: ProtectedTable) -> list[Tile]:
    """Give the figures of a table with changed values, which only the agency may see."""
    moved = int((np.abs(protected.values - protected.table.values) > 0).sum())
    gap = "not known" if protected.gap is None else per_cent(protected.gap)
    exposed = len({e.cell for e in protected.exposed})
    verdict = f"{exposed:,} of them exposed" if protected.judged else "not judged"
    return [
        Tile("sensitive", f"{int(protected.sensitive.sum()):,}", verdict),
        Tile(protected.changes, f"{int((protected.status != PUBLISHED).sum()):,}", f"{moved:,} have another value"),
        Tile("value changed", per_cent(protected.value_share), f"of cells that are no totals; gap to the nearest: {gap}"),
    ]


def _reasons(protected: ProtectedTable) -> list[tuple[str, int]]:
    """Count the cells of each reason."""
    found: dict[str, int] = {}
    for text in protected.reasons:
        for reason in text.split("; ") if text else ():
            found[reason] = found.get(reason, 0) + 1
    return list(found.items())


def _hidden(protected: ProtectedTable) -> list[Hidden]:
    """List the cells that are left out, or sensitive where values are changed, those that are exposed first."""
    t, audit, places, p = protected.table, protected.audit, protected.places, protected.protection
    if audit is None:
        return []
    low, high = everybody(protected)
    who, near, far = narrowest(protected)
    bad = {e.cell: e for e in protected.exposed}
    listed = protected.sensitive if protected.changes else protected.suppressed
    shown = np.flatnonzero(listed | np.isin(places, list(bad)))
    order = sorted(shown.tolist(), key=lambda c: (int(places[c]) not in bad, c))
    found = []
    for c in order:
        at = int(places[c])
        inside = who[c] is not None and far[c] - near[c] < (high[c] - low[c]) * (1 - 1e-9)
        wide = f"at least {number(float(p.sliding[at]))} wide" if p.sliding[at] > 0 else ""
        sides = f"\N{MINUS SIGN}{number(float(p.lower[at]))}, +{number(float(p.upper[at]))}"
        asked = sides if p.lower[at] > 0 or p.upper[at] > 0 else wide
        codes = tuple(d.codes[k] for d, k in zip(t.dimensions, t.codes[c].tolist(), strict=True))
        found.append(
            Hidden(
                codes,
                number(float(t.values[c])),
                "" if np.isnan(protected.values[c]) else number(float(protected.values[c])),
                "" if t.respondents is None else number(float(t.respondents[c])),
                str(protected.status[c]),
                protected.reasons[c],
                asked,
                "published" if np.isnan(low[c]) else f"{number(float(low[c]))} to {number(float(high[c]))}",
                f"{who[c]}: {number(float(near[c]))} to {number(float(far[c]))}" if inside else "",
                at in bad,
            )
        )
    return found
