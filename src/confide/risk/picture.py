"""Pictures as files: the house's style, one figure, one file that appears whole or not at all."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from confide.errors import DataError
from confide.kit.files import free_path, written_whole
from confide.release.marks import short_mark

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#1b4f8a", "#e08214", "#009e73", "#882255", "#56b4e9", "#333333")
"""Told apart by people with any colour vision; neighbours differ in lightness too."""
MARKERS = ("o", "D", "^", "s", "v", "P")
INK, FAINT, GUIDE = "#1f2933", "#52606d", "#e4e7eb"
WARNING = "#b00020"
KINDS = ("svg", "png", "pdf")
STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "confide",
    "text.parse_math": False,
    "font.size": 8.0,
    "font.family": "DejaVu Sans",
    "text.color": INK,
    "axes.labelcolor": FAINT,
    "xtick.color": INK,
    "ytick.color": INK,
}


def plain(ax: Axes) -> None:
    """Give axes a faint grid behind what is drawn, and no frame above and to the right."""
    ax.grid(visible=True, color=GUIDE, linewidth=0.7)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def headed(figure: Figure, seed: int | None) -> None:
    """Write above a picture that what it shows was made with a seed; nothing where it was not."""
    if short_mark(seed):
        figure.suptitle(short_mark(seed), x=0.01, ha="left", fontsize=9.0, fontweight="bold", color=WARNING)


def limit_line(ax: Axes, at: float, text: str) -> None:
    """Draw a dashed line at a limit, with a word above its left end."""
    ax.axhline(at, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    ax.annotate(
        text, (0.005, at), (0, 2.5), xycoords=("axes fraction", "data"), textcoords="offset points", fontsize=7.5, zorder=4
    )


def save_picture(path: Path, size: tuple[float, float], paint: Callable[[Figure], None], *, overwrite: bool = True) -> Path:
    """Paint a figure and write it as SVG, PNG or PDF, the same bytes every time.

    Args:
        path: where to; the suffix says how.
        size: how wide and how high, in inches.
        paint: paints the figure.
        overwrite: replace a file that is there.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise DataError(f"pictures are drawn as SVG, PNG or PDF; give a path that ends so, not in {path.suffix!r}")
    free_path(path, overwrite=overwrite)
    data = painted(kind, size, paint)
    with written_whole(path, overwrite=overwrite) as target:
        target.write(data)
    return path


def painted(
    kind: str, size: tuple[float, float], paint: Callable[[Figure], None], style: Mapping[str, Any] = STYLE, **more: Any
) -> bytes:
    """Give the bytes of a picture, the same every time.

    Args:
        kind: svg, png or pdf.
        size: how wide and how high, in inches.
        paint: paints the figure.
        style: settings of matplotlib.
        more: what `savefig` is told beside.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise DataError("charts and pictures need matplotlib; type: pip install 'confide[report]'") from None
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a user's settings, and fonts that lack a sign
        mpl.rcdefaults()
        cast("dict[str, Any]", mpl.rcParams).update(style)
        figure: Figure = Figure(figsize=size, layout="constrained")
        paint(figure)
        file = io.BytesIO()
        told: dict[str, Any] = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}[kind]
        figure.savefig(file, format=kind, dpi=150, metadata=told, **more)
    return file.getvalue()
