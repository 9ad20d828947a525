"""Draw a map of risk against utility; nothing is computed here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from confide.risk.picture import COLOURS, FAINT, MARKERS, limit_line, plain, save_picture
from confide.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1)), (0, (1, 1)))


class Curve(NamedTuple):
    """One snooper's points, in the order of the noise."""

    label: str
    """What the legend says."""
    utility: FloatArray
    """U of every point."""
    risk: FloatArray
    """R of every point; infinite ones are not drawn."""
    low: FloatArray | None = None
    """The lower end of the risk, where it is estimated."""
    high: FloatArray | None = None
    """The upper end of the risk."""
    left: FloatArray | None = None
    """The lower end of the utility."""
    right: FloatArray | None = None
    """The upper end of the utility."""
    notes: Sequence[str] = ()
    """What is written beside each point."""


def draw_curves(
    curves: Sequence[Curve],
    path: Path,
    *,
    title: str,
    max_risk: float | None = None,
    marks: bool = False,
    logarithmic: bool = True,
) -> Path:
    """Draw one curve per snooper, risk upwards, utility to the right.

    Args:
        curves: what to draw.
        path: an SVG, PNG or PDF file.
        title: written above.
        max_risk: where to draw the line of the largest tolerated risk.
        marks: whether every point gets a mark.
        logarithmic: whether the risk is on a log scale.
    """

    def on(figure: Figure) -> None:
        ax = figure.add_subplot()
        ax.set_yscale("log" if logarithmic else "linear")
        for i, curve in enumerate(curves):
            _curve(ax, curve, i, marks=marks)
        if max_risk is not None:
            limit_line(ax, max_risk, f"largest tolerated risk {max_risk:g}")
        plain(ax)
        ax.set_xlabel("data utility U")
        ax.set_ylabel("disclosure risk R" + (", log scale" if logarithmic else ""))
        figure.suptitle(title, x=0.01, ha="left", fontsize=9.0, fontweight="bold")
        if logarithmic:
            _decades(ax)
        # Below the axes, where it hides no point
        figure.legend(loc="outside lower left", frameon=False, fontsize=7.5)

    return save_picture(path, (4.6, 3.1 + 0.16 * len(curves)), on)


def _decades(ax: Axes) -> None:
    """Label powers of ten; where there are few, 2 and 5 times them, too."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = ax.get_ylim()
    ax.yaxis.set_major_locator(LogLocator(subs=(1.0,) if high > 150 * low else (1.0, 2.0, 5.0)))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    ax.yaxis.set_minor_formatter(NullFormatter())


def _curve(ax: Axes, curve: Curve, i: int, *, marks: bool) -> None:
    """Draw one curve with what is known of its errors."""
    shown = np.isfinite(curve.risk) & np.isfinite(curve.utility)
    u, r = curve.utility[shown], curve.risk[shown]
    colour = COLOURS[i % len(COLOURS)]
    ax.plot(
        u, r, color=colour, linestyle=LINES[i % len(LINES)], linewidth=1.6, label=curve.label, zorder=3,
        marker=MARKERS[i % len(MARKERS)] if marks else None, markersize=4.0,
        markerfacecolor=colour if i % 2 == 0 else "white",
    )  # fmt: skip
    if curve.low is not None and curve.high is not None:
        ax.vlines(u, curve.low[shown], curve.high[shown], color=colour, linewidth=0.8, alpha=0.8, zorder=2)
    if curve.left is not None and curve.right is not None:
        ax.hlines(r, curve.left[shown], curve.right[shown], color=colour, linewidth=0.8, alpha=0.8, zorder=2)
    for x, y, note in zip(curve.utility, curve.risk, curve.notes, strict=False):
        ax.annotate(note, (x, y), (6, -7), textcoords="offset points", fontsize=7.0, color=FAINT)
