"""Draw risk beside harm as SVG; nothing is computed here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from confide.report.axes import Axis, axis
from confide.report.charts import drawn, mark, scale_across, wrapped
from confide.report.info import wide
from confide.report.losses import Dot
from confide.risk.picture import FAINT, GUIDE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NEAR = (0.08, 0.055)
"""Dots of an intruder nearer than these shares of the axes have one label."""
MARGIN = 0.09
"""This share of each axis is left free at both ends, so that labels find room."""
SIDES = ((6, 0, "left", "center"), (-6, 0, "right", "center"), (0, 5, "center", "bottom"), (0, -6, "center", "top"))
"""Where the labels of each intruder stand: how far from the mark in points, and how they are set."""


def risk_and_harm_chart(dots: Sequence[Dot], title: str, name: str, text: str) -> str:
    """Draw expected matches against total harm: a mark per release and intruder, with the number of the release.

    Args:
        dots: what to draw.
        title: what the harm is called.
        name: told apart from other charts of the page.
        text: what is said to who cannot see it.
    """
    across, up = (_scale([getattr(d, what) for d in dots]) for what in ("risk", "harm"))

    def draw(ax: Axes) -> None:
        scale_across(ax, across, None)
        _scale_up(ax, up)
        for d in dots:
            mark(ax, across.place(d.risk), up.place(d.harm), d.intruder)
        for x, y, intruder, numbers in labels(dots, across, up):
            dx, dy, ha, va = SIDES[intruder % len(SIDES)]
            ax.annotate(
                numbers,
                (x, y),
                xycoords="axes fraction",
                xytext=(dx, dy),
                textcoords="offset points",
                ha=ha,
                va=va,
                fontsize=7.5,
                zorder=4,
            )
        ax.set_title("Risk beside harm")
        ax.set_xlabel("Risk: expected matches (a count)" + (", log scale" if across.logarithmic else ""))
        ax.set_ylabel(f"Harm: {wrapped(title, 34)}\n(a loss){', log scale' if up.logarithmic else ''}", color=FAINT)

    return drawn(draw, 2.9, name, text)


def labels(dots: Sequence[Dot], across: Axis, up: Axis) -> list[tuple[float, float, int, str]]:
    """Give the labels of each intruder and where they stand, as shares of the axes; dots near each other share one.

    >>> scale = axis([0.0, 10.0], logarithmic=False)
    >>> found = labels([Dot(0, 0, 9.0, 9.0), Dot(1, 0, 1.0, 1.0), Dot(2, 0, 1.1, 1.0), Dot(2, 1, 1.1, 1.0)], scale, scale)
    >>> [(intruder, text) for _, _, intruder, text in found]
    [(0, '1'), (0, '2, 3'), (1, '3')]
    """
    found: list[tuple[float, float, int, set[int]]] = []
    for d in dots:
        x, y = _share(across, d.risk), _share(up, d.harm)
        for i, (u, v, c, numbers) in enumerate(found):
            if c == d.intruder and abs(u - x) < NEAR[0] and abs(v - y) < NEAR[1]:
                # the label stands beside the outermost of its dots
                outer = min(u, x) if SIDES[c % len(SIDES)][0] < 0 else max(u, x)
                found[i] = (outer, v, c, numbers | {d.release + 1})
                break
        else:
            found.append((x, y, d.intruder, {d.release + 1}))
    return [(x, y, c, runs(sorted(numbers))) for x, y, c, numbers in found]


def runs(numbers: Sequence[int]) -> str:
    """Write numbers with three or more in a row as a run.

    >>> runs([1, 3, 4, 5, 7, 8])
    '1, 3\N{EN DASH}5, 7, 8'
    """
    parts: list[list[int]] = []
    for k in numbers:
        if parts and parts[-1][-1] == k - 1:
            parts[-1].append(k)
        else:
            parts.append([k])
    texts = [f"{p[0]}\N{EN DASH}{p[-1]}" if len(p) > 2 else ", ".join(map(str, p)) for p in parts]
    return ", ".join(texts)


def _scale(values: Sequence[float]) -> Axis:
    """Make an axis with room for labels, of its own: a count and a loss are never put on the same one."""
    scale = axis(values, logarithmic=wide(values))
    if scale.logarithmic:
        room = (scale.high / scale.low) ** MARGIN
        return replace(scale, low=scale.low / room, high=scale.high * room)
    room = MARGIN * (scale.high - scale.low)
    return replace(scale, low=scale.low - room, high=scale.high + room)


def _scale_up(ax: Axes, scale: Axis) -> None:
    """Set the vertical axis."""
    from matplotlib.ticker import NullLocator

    if scale.logarithmic:
        ax.set_yscale("log")
    ax.set_ylim(scale.low, scale.high)
    ax.set_yticks(scale.ticks, list(scale.labels))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.grid(visible=True, color=GUIDE, linewidth=0.7)


def _share(scale: Axis, value: float) -> float:
    """Give the place of a figure as a share of its axis."""
    low, high, x = scale.low, scale.high, scale.place(value)
    if scale.logarithmic:
        low, high, x = math.log(low), math.log(high), math.log(x)
    return (x - low) / (high - low)
