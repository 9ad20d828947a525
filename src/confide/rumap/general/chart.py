"""Draw a map; nothing is computed here."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from confide.risk.picture import FAINT, INK, painted, save_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from confide.rumap.general.map import RUMap
    from confide.rumap.point import Point

COLOURS = ("#1b4f8a", "#e08214", "#009e73", "#882255", "#56b4e9", "#333333")
MARKERS = ("o", "D", "^", "s", "v", "P")
SIZE = (6.4, 4.6)


def draw(found: RUMap, path: str | PathLike[str], *, max_risk: float | None = None, overwrite: bool = False) -> Path:
    """Draw the map into a file."""
    return save_picture(Path(path), SIZE, lambda figure: paint(figure, found, max_risk), overwrite=overwrite)


def inline(found: RUMap, max_risk: float | None = None) -> str:
    """Give the map as SVG to be set into a page; marks carry ids of their settings."""
    text = painted("svg", SIZE, lambda figure: paint(figure, found, max_risk)).decode()
    return text[text.index("<svg") :]


def paint(figure: Figure, found: RUMap, max_risk: float | None) -> None:
    """Paint one curve for each intruder: all settings, and the frontier joined by a line."""
    ax = figure.add_subplot()
    for k, name in enumerate(found.intruders):
        points = found.points(name)
        if points:
            _curve(ax, found, points, k, name)
    if max_risk is not None:
        ax.axhline(max_risk, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
        ax.annotate(
            f"limit {max_risk:g}",
            (0.005, max_risk),
            xycoords=("axes fraction", "data"),
            ha="left",
            va="bottom",
            fontsize=7.5,
        )
    ax.set_xlabel(f"{found.utility.title}, {'more' if found.utility.larger_is_better else 'less'} is better")
    ax.set_ylabel(f"{found.risk.title}, {'more' if found.risk.larger_is_riskier else 'less'} is riskier")
    ax.grid(visible=True, color="#e4e7eb", linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.legend(frameon=False, fontsize=7.5, loc="best")
    figure.suptitle("Risk and utility", x=0.01, ha="left", fontsize=9.0, fontweight="bold")


def _curve(ax: Axes, found: RUMap, points: tuple[Point, ...], k: int, name: str) -> None:
    """Paint the settings of one intruder."""
    colour, marker = COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]
    for i, p in enumerate(points):
        across, up = (2 * (e or 0.0) for e in (p.utility_error, p.risk_error))
        if across or up:
            ax.errorbar(p.utility, p.risk, xerr=across, yerr=up, ecolor=FAINT, elinewidth=0.6, fmt="none", zorder=1)
        (mark,) = ax.plot(p.utility, p.risk, marker, color=colour, markersize=3.6, alpha=0.55, markeredgewidth=0, zorder=2)
        mark.set_gid(f"point-{k}-{i}")
    best = sorted(found.frontier(name), key=lambda p: p.utility)
    (line,) = ax.plot(
        [p.utility for p in best], [p.risk for p in best], "-", marker=marker, color=colour, linewidth=1.2, markersize=4.2,
        label=f"{name}: frontier", zorder=3,
    )  # fmt: skip
    line.set_gid(f"frontier-{k}")
