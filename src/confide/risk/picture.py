"""Pictures as files: the house's style, one figure, one file that appears whole or not at all."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from confide.data.atomic import written_whole
from confide.errors import DataError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, FAINT = "#1f2933", "#52606d"
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
    if path.exists() and not overwrite:
        raise DataError(f"{str(path)!r} is there already; pass overwrite=True to replace it")
    data = painted(kind, size, paint)
    with written_whole(path) as target:
        target.write(data)
    return path


def painted(kind: str, size: tuple[float, float], paint: Callable[[Figure], None]) -> bytes:
    """Give the bytes of a picture."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise DataError("pictures need matplotlib; type: pip install 'confide[report]'") from None
    with mpl.rc_context():
        mpl.rcdefaults()
        cast("dict[str, Any]", mpl.rcParams).update(STYLE)
        figure: Figure = Figure(figsize=size, layout="constrained")
        paint(figure)
        file = io.BytesIO()
        told: dict[str, Any] = {"svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}[kind]
        figure.savefig(file, format=kind, dpi=150, metadata=told)
    return file.getvalue()
