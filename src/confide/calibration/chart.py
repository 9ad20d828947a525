"""Draw a reliability diagram; nothing is computed here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from confide.calibration.reliability import Reliability
from confide.risk.picture import COLOURS, FAINT, MARKERS, headed, plain, save_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from confide.calibration.result import Calibrated, Calibration

LOWEST = 1e-4
"""Where the axes begin at the latest."""
SHOWN = 10
"""A bin is drawn from so many cases over all replicates."""


def draw(found: Calibration, path: Path) -> Path:
    """Draw a panel for each intruder into a file that appears whole or not at all."""

    def paint(figure: Figure) -> None:
        panels = figure.subplots(1, len(found.intruders), squeeze=False)[0]
        for ax, one in zip(panels, found.intruders, strict=True):
            panel(ax, one)
            ax.set_title(one.intruder.title, loc="left", fontsize=8.0)
            plain(ax)
        headed(figure, found.given_seed)

    return save_picture(path, (3.4 * len(found.intruders), 3.2), paint)


def series(found: Calibrated) -> list[tuple[str, Reliability]]:
    """Give what a panel shows, by name."""
    shown = [("the record that fits best", found.best), ("any record", found.pairs)]
    return shown + ([("the null link", found.null)] if found.null is not None else [])


def panel(ax: Axes, found: Calibrated) -> None:
    """Draw stated probabilities against the share that came true, with intervals; on the line they agree."""
    ax.plot([LOWEST / 10, 1], [LOWEST / 10, 1], color=FAINT, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    lowest = 0.5
    for k, (name, reliability) in enumerate(series(found)):
        p, share, low, high = points(reliability)
        lowest = min([lowest, *(x for x in (*p, *share) if x > 0)])
        for at, a, b in zip(p, low, high, strict=True):
            ax.plot([at, at], [max(a, LOWEST / 10), max(b, LOWEST / 10)], color=COLOURS[k], linewidth=1.1, zorder=2)
        face = COLOURS[k] if k % 2 == 0 else "white"
        ax.plot(
            p, share, marker=MARKERS[k], markersize=5, markerfacecolor=face, markeredgecolor=COLOURS[k], linestyle="none",
            label=name, zorder=3,
        )  # fmt: skip
    begin = max(lowest / 1.5, LOWEST)
    for axis, scale, limit in ((ax.xaxis, ax.set_xscale, ax.set_xlim), (ax.yaxis, ax.set_yscale, ax.set_ylim)):
        scale("log")
        limit(begin, 1.3)
        axis.set_major_formatter(lambda x, _: f"{x:g}")
    ax.set_box_aspect(1.0)
    ax.set_xlabel("probability stated")
    ax.set_ylabel("share that came true")
    ax.legend(loc="lower right", fontsize=7.0)


def points(found: Reliability) -> tuple[list[float], ...]:
    """Give the mean probability of each bin, the share that came true, and its interval; none where nothing varied."""
    count, half = found.count.mean(axis=0), np.nan_to_num(found.half_width())
    kept = found.count.sum(axis=0) >= SHOWN
    count, half = count[kept], half[kept]
    p, share = found.stated.mean(axis=0)[kept] / count, found.true.mean(axis=0)[kept] / count
    low, high = (share - half / count).clip(0.0, 1.0), (share + half / count).clip(0.0, 1.0)
    return p.tolist(), share.tolist(), low.tolist(), high.tolist()
