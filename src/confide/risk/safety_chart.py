"""Draw a safety map; nothing is computed here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from confide.risk.picture import FAINT, INK, save_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from confide.risk.safety import SafetyMap

SAFE = "#d3e9f5"
WARM = ("#fdebd6", "#f9c48d", "#ef9543", "#cf6413", "#96400a")
"""From few linked to many; told apart from the safe colour with any colour vision."""
STEPS = (0.01, 0.05, 0.2, 0.5)
"""Where the share linked changes its colour."""


def draw(found: SafetyMap, path: Path) -> Path:
    """Draw the map into a file that appears whole or not at all."""
    wide, high = 1.3 + 0.95 * found.precisions.size, 1.25 + 0.55 * found.knowledge.size

    def paint(figure: Figure) -> None:
        _cells(figure.add_subplot(), found)
        figure.suptitle("Respondents linked, and linked correctly", x=0.01, ha="left", fontsize=9.0, fontweight="bold")

    return save_picture(path, (max(wide, 4.6), high), paint)


def colour(linked: float) -> str:
    """Give the colour of a share linked.

    >>> colour(0.0), colour(1.0)
    ('#fdebd6', '#96400a')
    """
    return WARM[sum(linked >= step for step in STEPS)]


def _cells(ax: Axes, found: SafetyMap) -> None:
    """Draw one box per intruder, the one who knows most on top."""
    from matplotlib.patches import Rectangle

    for k in range(found.knowledge.size):
        for s in range(found.precisions.size):
            safe, unsure = bool(found.safe[k, s]), bool(found.unsure[k, s])
            linked, right = float(found.linked[k, s]), float(found.correct[k, s])
            face = SAFE if safe else colour(linked)
            hatch = "///" if unsure else None
            ax.add_patch(Rectangle((s, k), 1, 1, facecolor=face, edgecolor="white", linewidth=1.5, hatch=hatch))
            ink = INK if safe or linked < STEPS[2] else "white" if linked >= STEPS[3] else INK
            first = "safe" if safe else f"{linked:.1%}"
            under = f"{linked:.1%} linked" if safe and linked > 0 else "" if safe else f"{right:.1%} right"
            ax.text(s + 0.5, k + (0.64 if under else 0.5), first, ha="center", va="center", color=ink, fontweight="bold")
            ax.text(s + 0.5, k + 0.3, under, ha="center", va="center", color=ink, fontsize=7.0)
    ax.set_xlim(0, found.precisions.size)
    ax.set_ylim(0, found.knowledge.size)
    ax.set_xticks([s + 0.5 for s in range(found.precisions.size)], [f"{v:g}" for v in found.precisions])
    ax.set_yticks([k + 0.5 for k in range(found.knowledge.size)], [f"{100 * v:g} %" for v in found.knowledge])
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_xlabel("relative sd of the intruder's beliefs")
    ax.set_ylabel("respondents known")
    left = "; hatched: left open by the errors" if bool(found.unsure.any()) else ""
    ax.set_title(f"safe: at most {found.allowed:.2%} linked{left}", loc="left", fontsize=7.5, color=FAINT)
