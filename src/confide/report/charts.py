"""Draw the charts of a report as SVG; nothing is computed here.

Every panel is a picture of its own, so that a page can put as many beside each other as it is wide.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from confide.report.axes import Axis
from confide.report.info import Distribution, Figures, Groups, Tail
from confide.risk.picture import COLOURS, FAINT, GUIDE, INK, MARKERS, STYLE, painted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAIR = ("#333333", "#cc5a9a")
"""For scenarios that are compared, so that they are not taken for intruders."""
WIDTH = 3.5
"""The width of a panel in inches."""
PANEL: dict[str, Any] = STYLE | {
    "text.usetex": False,
    "axes.titlesize": 9.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.edgecolor": FAINT,
    "axes.titlecolor": INK,
    "xtick.color": FAINT,
    "ytick.left": False,
    "axes.linewidth": 0.8,
    "xtick.major.width": 0.8,
    "xtick.minor.bottom": False,
    "axes.axisbelow": True,
    "legend.frameon": False,
}


def colour(i: int, palette: Sequence[str] = COLOURS) -> str:
    """Give the colour of the i-th series."""
    return palette[i % len(palette)]


def figures_chart(info: Figures, name: str, scale: Axis) -> str:
    """Draw one measure: a row per release, a mark per intruder, a dotted line for random guesses.

    Args:
        info: what to draw.
        name: told apart from other charts of the page.
        scale: the axis, the same for all measures.
    """
    labels = [wrapped(r) for r in info.releases]

    def draw(ax: Axes) -> None:
        _rows(ax, labels)
        scale_across(ax, scale, info.guess)
        for row, values in enumerate(info.values):
            x = [scale.place(v) for v in values if v is not None]
            if len(x) > 1:
                ax.plot([min(x), max(x)], [row, row], color="#b8c0c8", linewidth=1.2, zorder=2)
            for i, value in enumerate(values):
                if value is not None:
                    mark(ax, scale.place(value), row, i)
        ax.set_title(info.title)
        ax.set_xlabel(info.unit + (", log scale" if scale.logarithmic else ""))

    return drawn(draw, _height(labels), name, _figures_text(info))


def distribution_chart(info: Distribution, name: str, lowest: tuple[float, float]) -> str:
    """Draw the share of targets at or above each probability: own record solid, best record dashed.

    Args:
        info: what to draw.
        name: told apart from other charts of the page.
        lowest: the smallest probability and the smallest share on the axes.
    """
    from matplotlib.ticker import NullLocator

    def draw(ax: Axes) -> None:
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlim(lowest[0] / 1.3, 1.35)
        ax.set_ylim(lowest[1] / 1.5, 1.6)
        for threshold in info.thresholds:
            ax.axvline(threshold, color=FAINT, linewidth=0.9, linestyle=(0, (1, 2)))
        for i in range(len(info.intruders)):
            _curve(ax, info.best[i], i, lowest[1], dashed=True)
            _curve(ax, info.own[i], i, lowest[1], dashed=False)
        ax.grid(visible=True, color=GUIDE, linewidth=0.7)
        x, y = _decades(lowest[0]), _decades(lowest[1])
        ax.set_xticks(x, [f"{t:g}" for t in x])
        ax.set_yticks(y, [f"{100 * t:g} %" for t in y])
        ax.xaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_minor_locator(NullLocator())
        ax.set_title(wrapped(info.release, 40))
        ax.set_xlabel("probability p")
        ax.set_ylabel("targets with at least p", color=FAINT)

    return drawn(draw, 2.45, name, _distribution_text(info))


def groups_chart(info: Groups, name: str, scale: Axis) -> str:
    """Draw who is at risk: a row per group, a mark per scenario, a line for each file average.

    Args:
        info: what to draw.
        name: told apart from other charts of the page.
        scale: the axis, the same for all variables.
    """
    labels = [f"{wrapped(g)} ({n:,})" for g, n in zip(info.names, info.sizes, strict=True)]

    def draw(ax: Axes) -> None:
        _rows(ax, labels)
        scale_across(ax, scale, info.guess)
        for i, (rates, average) in enumerate(zip(info.rates, info.averages, strict=True)):
            ax.axvline(scale.place(average), color=colour(i, PAIR), linewidth=1.1, linestyle="-" if i == 0 else "--")
            for row, rate in enumerate(rates):
                mark(ax, scale.place(rate), row, i, PAIR)
        ax.set_title(wrapped(info.variable, 40))
        ax.set_xlabel("matches per 1,000 targets" + (", log scale" if scale.logarithmic else ""))

    return drawn(draw, _height(labels), name, _groups_text(info))


def wrapped(text: str, width: int = 20) -> str:
    """Break a name into at most two lines."""
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split()) or "(no name)"
    return "\n".join(textwrap.wrap(clean, width, max_lines=2, placeholder=" …")) or clean[:width]


def _rows(ax: Axes, labels: Sequence[str]) -> None:
    """Put one named row under the other, the first on top."""
    ax.set_yticks(range(len(labels)), list(labels))
    ax.set_ylim(len(labels) - 0.5, -0.5)
    for row in range(len(labels)):
        ax.axhline(row, color=GUIDE, linewidth=0.7, zorder=0)


def scale_across(ax: Axes, scale: Axis, guess: float | None) -> None:
    """Set the horizontal axis and draw the line of random guesses where it is on it."""
    from matplotlib.ticker import NullLocator

    if scale.logarithmic:
        ax.set_xscale("log")
    ax.set_xlim(scale.low, scale.high)
    ax.set_xticks(scale.ticks, list(scale.labels))
    ax.xaxis.set_minor_locator(NullLocator())
    if guess and scale.low <= guess <= scale.high:
        ax.axvline(guess, color=FAINT, linewidth=1.2, linestyle=(0, (1, 2)), zorder=1)


def mark(ax: Axes, x: float, y: float, series: int, palette: Sequence[str] = COLOURS) -> None:
    """Draw a mark: filled for the first series, with a white middle for every second one."""
    face = colour(series, palette) if series % 2 == 0 else "white"
    ax.plot(
        [x],
        [y],
        marker=MARKERS[series % len(MARKERS)],
        markersize=6,
        markerfacecolor=face,
        clip_on=False,
        markeredgecolor=colour(series, palette),
        markeredgewidth=1.4,
        linestyle="none",
        zorder=3,
    )


def _curve(ax: Axes, curve: Tail | None, series: int, floor: float, *, dashed: bool) -> None:
    """Draw a step curve that falls to the axis where it ends."""
    if curve is None or not curve.p:
        return
    x, y = [*curve.p[::-1], curve.p[0]], [*curve.share[::-1], floor / 10]
    ax.plot(
        x,
        y,
        drawstyle="steps-pre",
        color=colour(series),
        linewidth=1.3 if dashed else 1.9,
        linestyle=(0, (3.5, 1.8)) if dashed else "-",
        zorder=2 if dashed else 3,
    )


def _decades(low: float) -> list[float]:
    """Give the powers of ten from 1 down to a number, at most five of them."""
    powers = [p for p in range(20) if 10.0**-p >= low / 1.3]
    return [float(f"1e-{p}") for p in powers[:: 1 + (len(powers) - 1) // 5]][::-1]


def _height(labels: Sequence[str]) -> float:
    """Give the height of a chart of rows in inches."""
    return 0.8 + sum(0.34 if "\n" in label else 0.25 for label in labels)


def drawn(draw: Any, height: float, name: str, text: str) -> str:
    """Draw on a fresh figure and give its SVG, without anything that changes from run to run."""

    def paint(figure: Figure) -> None:
        draw(figure.add_subplot())

    return _inline(painted("svg", (WIDTH, height), paint, PANEL, transparent=True).decode(), name, text)


def _inline(svg: str, name: str, text: str) -> str:
    """Strip what a page does not need, give every id the chart's name, and add a text for who cannot see."""
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<[^<>]*\bid=")', rf"\g<1>{name}-", svg)
    svg = re.sub(r'(<[^<>]*\bhref="#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r"(<[^<>]*url\(#)", rf"\g<1>{name}-", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(text)}" ', 1)


def _figures_text(info: Figures) -> str:
    """Say in words what a chart of one measure shows."""
    shown = [v for row in info.values for v in row if v is not None]
    if not shown:
        return f"{info.title}: undefined in every scenario."
    ends = f"from {min(shown):,.4g} to {max(shown):,.4g}"
    return f"{info.title} by release and intruder, {ends}; the table gives every figure."


def _distribution_text(info: Distribution) -> str:
    """Say in words what a chart of probabilities shows."""
    parts = []
    for intruder, own in zip(info.intruders, info.own, strict=True):
        if own is not None and own.p:
            parts.append(f"{intruder}: the curve of own records ends at probability {own.p[0]:g}")
    return f"Share of targets by probability in release {info.release}. " + "; ".join(parts)


def _groups_text(info: Groups) -> str:
    """Say in words what a chart of groups shows."""
    top = max(range(len(info.names)), key=lambda g: info.rates[0][g])
    return (
        f"Expected matches per 1,000 targets by {info.variable}. In {info.scenarios[0]} the most exposed group is "
        f"{info.names[top]} with {info.rates[0][top]:,g}; the file average is {info.averages[0]:,g}."
    )
