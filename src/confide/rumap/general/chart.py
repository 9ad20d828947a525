"""Draw a map; nothing is computed here."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from confide.release.released import NOT_FOR_PUBLICATION
from confide.risk.picture import COLOURS, FAINT, MARKERS, limit_line, painted, plain, save_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from confide.rumap.general.curves import Curve, Shown
    from confide.rumap.general.mapped import Mapped

SIZE = (6.4, 4.6)


def draw(found: Mapped, path: str | PathLike[str], shown: Shown, *, overwrite: bool = False) -> Path:
    """Draw the map into a file."""
    return save_picture(Path(path), SIZE, lambda figure: paint(figure, found, shown), overwrite=overwrite)


def inline(found: Mapped, shown: Shown) -> str:
    """Give the map as SVG to be set into a page; marks carry ids of their settings."""
    text = painted("svg", SIZE, lambda figure: paint(figure, found, shown)).decode()
    return text[text.index("<svg") :]


def paint(figure: Figure, found: Mapped, shown: Shown) -> None:
    """Paint the curves: all settings, and the frontier of each curve joined by a line."""
    ax = figure.add_subplot()
    curves, max_risk = shown.curves(found), shown.max_risk
    for k, curve in enumerate(curves):
        if curve.points:
            _curve(ax, found, curve, k)
    if max_risk is not None:
        limit_line(ax, max_risk, f"limit {max_risk:g}")
    ax.set_xlabel(f"{found.utility.title}, {'more' if found.utility.larger_is_better else 'less'} is better")
    ax.set_ylabel(f"{found.risk.title}, {'more' if found.risk.larger_is_riskier else 'less'} is riskier")
    plain(ax)
    if any(curve.points for curve in curves):
        ax.legend(frameon=False, fontsize=7.5, loc="best")
    title = f"{shown.title(found)}\n{NOT_FOR_PUBLICATION}" if found.banner else shown.title(found)
    figure.suptitle(title, x=0.01, ha="left", fontsize=9.0, fontweight="bold")


def _curve(ax: Axes, found: Mapped, curve: Curve, k: int) -> None:
    """Paint the settings of one curve."""
    # a seventh curve has the colour of the first and the marker of the second
    colour, marker = COLOURS[k % len(COLOURS)], MARKERS[(k + k // len(COLOURS)) % len(MARKERS)]
    for i, p in enumerate(curve.points):
        across, up = (2 * (e or 0.0) for e in (p.utility_error, p.risk_error))
        if across or up:
            ax.errorbar(p.utility, p.risk, xerr=across, yerr=up, ecolor=FAINT, elinewidth=0.6, fmt="none", zorder=1)
        (mark,) = ax.plot(p.utility, p.risk, marker, color=colour, markersize=3.6, alpha=0.55, markeredgewidth=0, zorder=2)
        mark.set_gid(f"point-{k}-{i}")
    best = [p for p, top in zip(curve.points, found.on_frontier(curve.points), strict=True) if top]
    best.sort(key=lambda p: p.utility)
    (line,) = ax.plot(
        [p.utility for p in best], [p.risk for p in best], "-", marker=marker, color=colour, linewidth=1.2, markersize=4.2,
        label=f"{curve.name}: frontier", zorder=3,
    )  # fmt: skip
    line.set_gid(f"frontier-{k}")
