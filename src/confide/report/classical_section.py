"""The section on classical measures: what they give for every released file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from confide.report.grid import Grid
from confide.report.table import DASH, MOST_COLUMNS, Cell, Table
from confide.risk.file_measure import Measured

HEADS = ("Figure", "Riskiest record", "Records as risky")


@dataclass(frozen=True, slots=True, eq=False)
class ClassicalPart:
    """What is shown of one measure."""

    title: str
    """What it is called."""
    meaning: str
    """What it is, in a sentence; empty where it has no figure."""
    tables: tuple[Table, ...]
    """Rows are releases; under each set of keys there are the figures."""
    reasons: tuple[str, ...]
    """Why some files have no figure."""


def classical_section(grid: Grid) -> tuple[ClassicalPart, ...]:
    """Give what is shown of classical measures; nothing where none was taken."""
    names = dict.fromkeys(m.name for s in grid.cells.values() for m in s.measured)
    return tuple(_part(grid, name) for name in names)


def _part(grid: Grid, name: str) -> ClassicalPart:
    """Give what is shown of one measure."""
    found: dict[tuple[int, tuple[str, ...]], Measured] = {}
    for (row, _), scenario in sorted(grid.cells.items()):
        for one in scenario.measured:
            if one.name == name:
                found.setdefault((row, one.keys), one)
    keys = list(dict.fromkeys(k for _, k in found))
    fit = MOST_COLUMNS // len(HEADS)
    tables = [_table(grid, found, keys[i : i + fit]) for i in range(0, len(keys), fit)]
    some = next((m for m in found.values() if m.result is not None), None)
    reasons = [f"{grid.releases[row]}: {m.reason}" for (row, _), m in found.items() if m.reason]
    title = next(iter(found.values())).title if some is None else some.title
    return ClassicalPart(title, "" if some is None else meaning(some), tuple(tables), tuple(reasons))


def _table(grid: Grid, found: dict[tuple[int, tuple[str, ...]], Measured], keys: Sequence[tuple[str, ...]]) -> Table:
    """Set the figures of some sets of keys."""
    rows = []
    for row, release in enumerate(grid.releases):
        cells = [cell for k in keys for cell in _cells(found.get((row, k)))]
        rows.append(((release,), tuple(cells)))
    groups = tuple((", ".join(k), len(HEADS)) for k in keys)
    return Table(("Release",), groups, HEADS * len(keys), tuple(rows), ())


def meaning(found: Measured) -> str:
    """Say in a sentence what a measure is, and which way is riskier."""
    text = (type(found.result).__doc__ or "").strip().split("\n\n")[0]
    riskier = "larger" if found.result is not None and found.result.larger_is_riskier else "smaller"
    return f"{' '.join(text.split())} A {riskier} figure is riskier."


def _cells(found: Measured | None) -> tuple[Cell, ...]:
    """Write the figures of a measure."""
    value, worst = (None, None) if found is None else (found.value, found.worst)
    figure = DASH if value is None else f"{value:,.4g}"
    record = (DASH, DASH) if worst is None else (f"{worst[0]:,.4g}", f"{worst[1]:,}")
    return tuple(Cell(text, first=i == 0) for i, text in enumerate((figure, *record)))
