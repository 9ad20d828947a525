"""Keys to the colours and marks of the charts, set as text with a small picture each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from confide.report.charts import PAIR, colour
from confide.risk.picture import COLOURS, FAINT, MARKERS

_SHAPES = {
    "o": "M6 0a6 6 0 1 0 .01 0z",
    "D": "M6-.5 12.5 6 6 12.5-.5 6z",
    "^": "M6 0 12 11.5H0z",
    "s": "M1 1H11V11H1z",
    "v": "M0 .5H12L6 12z",
    "P": "M4 0H8V4H12V8H8V12H4V8H0V4H4z",
}
_SWATCH = (
    '<svg class="swatch" viewBox="-2 -2 {width} 16" width="{width}" height="16" aria-hidden="true">'
    '<path d="{path}" fill="{fill}" stroke="{stroke}" stroke-width="2"{extra}/></svg>'
)


@dataclass(frozen=True, slots=True)
class Key:
    """One entry of a key."""

    swatch: Markup
    """The small picture."""
    text: str
    """What it stands for."""


def mark(series: int, palette: Sequence[str] = COLOURS) -> Markup:
    """Give the mark of a series."""
    shape = _SHAPES[MARKERS[series % len(MARKERS)]]
    stroke = colour(series, palette)
    fill = stroke if series % 2 == 0 else "#ffffff"
    return Markup(_SWATCH).format(width=16, path=shape, fill=fill, stroke=stroke, extra="")  # noqa: S704


def line(stroke: str, dashes: str = "") -> Markup:
    """Give a piece of a line."""
    extra = Markup(' stroke-dasharray="{}"').format(dashes) if dashes else ""
    return Markup(_SWATCH).format(width=30, path="M0 6H26", fill="none", stroke=stroke, extra=extra)  # noqa: S704


def intruder_keys(intruders: Sequence[str]) -> dict[str, list[Key]]:
    """Give the keys to the charts of measures and of probabilities."""
    guess = Key(line(FAINT, "2 3"), "random guess")
    marks = [Key(mark(i), name) for i, name in enumerate(intruders)]
    lines = [Key(line(colour(i)), f"{name}: own record") for i, name in enumerate(intruders)]
    dashed = [Key(line(colour(i), "6 3"), f"{name}: most probable record") for i, name in enumerate(intruders)]
    pairs = [key for pair in zip(lines, dashed, strict=True) for key in pair]
    return {"only": marks, "marks": [*marks, guess], "lines": [*pairs, Key(line(FAINT, "2 3"), "threshold")]}


def scenario_keys(names: Sequence[str]) -> list[Key]:
    """Give the keys to the charts of groups."""
    marks = [Key(mark(i, PAIR), name) for i, name in enumerate(names)]
    lines = [line(colour(i, PAIR), "" if i == 0 else "6 3") for i in range(len(names))]
    return [*marks, *(Key(swatch, f"file average, {name}") for swatch, name in zip(lines, names, strict=True))]


def number_keys(releases: Sequence[str]) -> list[Key]:
    """Give the keys to the numbers that stand for releases."""
    return [Key(Markup('<b class="number">{}</b>').format(i), name) for i, name in enumerate(releases, 1)]
