"""A page to look around in: the map with what stands behind every point, in one file without scripts."""

from __future__ import annotations

import html
import re
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from confide.kit.files import free_path, write_text_whole
from confide.rumap.general.chart import inline
from confide.rumap.general.words import told

if TYPE_CHECKING:
    from confide.rumap.general.curves import Shown
    from confide.rumap.general.mapped import Mapped

STYLE = """
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1f2933; font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } p { max-width: 48rem; color: #52606d; } svg { width: 100%; max-width: 46rem; height: auto; }
svg a:hover path, svg a:focus path, svg a:hover use, svg a:focus use { stroke: #000; stroke-width: 3; opacity: 1; }
[id^="frontier-"] { pointer-events: none; }
.banner { max-width: none; padding: 1rem 1.5rem; border: 3px solid #b00020; background: #fdecea; color: #8a0018;
  font-size: 1.35rem; font-weight: 700; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #e4e7eb; }
th:first-child, td:first-child, td.word { text-align: left; }
tr:target > * { background: #fdf0dd; font-weight: 600; }
td.best { color: #1b4f8a; font-weight: 600; }
"""


def write_page(found: Mapped, path: str | PathLike[str], shown: Shown, *, overwrite: bool = False) -> Path:
    """Write the page; every mark tells its settings and leads to its row."""
    path = free_path(path, overwrite=overwrite)
    write_text_whole(path, page(found, shown), overwrite=overwrite)
    return path


def page(found: Mapped, shown: Shown) -> str:
    """Give the page as text; it holds figures of whole files and no respondent's values."""
    picture = inline(found, shown)
    rows = []
    for k, curve in enumerate(shown.curves(found)):
        for i, (point, best) in enumerate(zip(curve.points, found.on_frontier(curve.points), strict=True)):
            text = f"{curve.name}: {told(point.settings)}; risk {point.risk:.4g}, utility {point.utility:.5g}"
            picture = _linked(picture, f"point-{k}-{i}", text)
            share = found.efficiency(point)
            cells = [
                f'<td class="word">{html.escape(told(point.settings))}</td>',
                f'<td class="word">{html.escape(curve.name)}</td>',
                f"<td>{_figure(point.risk, point.risk_error)}</td>",
                f"<td>{_figure(point.utility, point.utility_error)}</td>",
                f"<td>{'-' if share is None else f'{100 * share:.4g} %'}</td>",
                f'<td class="best">{"on it" if best else ""}</td>',
            ]
            rows.append(f'<tr id="row-{k}-{i}">{"".join(cells)}</tr>')
    heads = ("Settings", shown.by or "Intruder", found.risk.title, found.utility.title, "Of the file as it is", "Frontier")
    head = "".join(f"<th>{html.escape(h)}</th>" for h in heads)
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Risk and utility</title><style>{STYLE}</style></head><body>\n{_banner(found)}"
        f"<h1>{html.escape(shown.title(found))}</h1>\n"
        f"<p>{len(found.rows):,} settings, {found.replicates} replicate(s). Rest on a mark to see its settings, click it to "
        "see its row. This page holds figures of whole files and no values of respondents; for use inside the agency.</p>\n"
        f"{_said(found)}"
        f'{picture}\n<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n'
        + "\n".join(rows)
        + "\n</tbody></table></div></body></html>\n"
    )


def _banner(found: Mapped) -> str:
    """Write what stands first, large, where there is something."""
    return f'<p class="banner" role="alert">{html.escape(found.banner)}</p>\n' if found.banner else ""


def _said(found: Mapped) -> str:
    """Say what the axis of risk is, and how many settings are not shown."""
    left_out, meaning = len(found.rows) - len(found.points()), getattr(found.risk, "meaning", "")
    lines = [meaning] if meaning else []
    lines += [f"Without a figure, and left out: {left_out:,} settings"] if left_out else []
    lines += [note.removesuffix(".") for note in getattr(found, "notes", ())]
    return "".join(f"<p>{html.escape(line)}.</p>\n" for line in lines)


def _linked(picture: str, mark: str, text: str) -> str:
    """Let a mark tell its text and lead to its row."""
    row = mark.replace("point", "row")
    start = f'<a href="#{row}" id="{mark}"><title>{html.escape(text)}</title><g>'
    # a mark is a group that holds one other group
    inside = rf'<g id="{mark}">(.*?</g>\s*)</g>'
    return re.sub(inside, lambda found: f"{start}{found.group(1)}</g></a>", picture, count=1, flags=re.DOTALL)


def _figure(value: float, error: float | None) -> str:
    """Write a figure with its standard error."""
    return f"{value:.4g}" + ("" if error is None else f" ± {error:.2g}")
