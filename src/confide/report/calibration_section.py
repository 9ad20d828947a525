"""The section on calibration: do the intruders' probabilities come true on this file?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from confide.calibration.chart import panel
from confide.calibration.result import Calibrated, Calibration
from confide.calibration.show import interval, notes
from confide.report.charts import drawn, wrapped
from confide.report.table import DASH, Cell, Table

HEADS = ("Stated matches", "True matches", "True minus stated (95 % interval)")


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationPart:
    """What is shown of one release."""

    release: str
    """What it is called."""
    times: int
    """How often the file was masked."""
    table: Table
    """Rows are intruders."""
    charts: tuple[Markup, ...]
    """A reliability diagram for each intruder."""
    worst: tuple[str, ...]
    """The group furthest from what was stated, in a sentence for each intruder."""
    notes: tuple[str, ...]
    """What was not compared, and assumptions that are known to fail."""


def calibration_section(found: Sequence[Calibration]) -> tuple[CalibrationPart, ...]:
    """Give what is shown of calibrations; nothing where none was made."""
    return tuple(_part(one, i) for i, one in enumerate(found))


def _part(found: Calibration, i: int) -> CalibrationPart:
    """Give what is shown of one release."""
    rows = tuple(((c.intruder.title,), _cells(c)) for c in found.intruders)
    charts = tuple(_chart(c, f"c{i}-{k}") for k, c in enumerate(found.intruders))
    told = tuple(f"{c.intruder.title}: {note}" for c in found.intruders for note in notes(c))
    return CalibrationPart(
        found.release,
        found.times,
        Table(("Intruder",), (), HEADS, rows, ()),
        charts,
        tuple(_worst(c) for c in found.intruders),
        told,
    )


def _cells(c: Calibrated) -> tuple[Cell, ...]:
    """Write stated and true matches."""
    m = c.matches
    return tuple(Cell(text) for text in (f"{m.stated:,.1f}", f"{m.true:,.1f}", interval(m)))


def _worst(c: Calibrated) -> str:
    """Name the worst group in a sentence."""
    group = c.worst_group
    if group is None:
        return f"{c.intruder.title}: {DASH}"
    m = group.matches
    off = "understated" if m.difference > 0 else "overstated"
    verdict = "no interval, no fit was shown" if not m.varied else "an interval that holds zero" if m.agrees else off
    return (
        f"{c.intruder.title}: {group.variable} {group.group}, {group.targets:,.0f} targets; stated {m.stated:,.1f}, "
        f"true {m.true:,.1f}, difference {interval(m)}: {verdict}."
    )


def _chart(c: Calibrated, name: str) -> Markup:
    """Draw a reliability diagram."""

    def draw(ax: object) -> None:
        panel(ax, c)  # type: ignore[arg-type]
        ax.set_title(wrapped(c.intruder.title, 40))  # type: ignore[attr-defined]

    m = c.matches
    text = f"Reliability diagram of {c.intruder.title}: {m.stated:,.1f} matches stated, {m.true:,.1f} true."
    return Markup(drawn(draw, 3.2, name, text))  # noqa: S704
