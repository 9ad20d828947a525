"""The table of scenarios, ready to be set in type."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from confide.assessment.assessment import Assessment
from confide.report.grid import Grid, danger
from confide.report.info import figure

DASH = "\N{EN DASH}"
MOST_COLUMNS = 10
"""A table with more columns of figures is cut into several."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of a table."""

    text: str
    """The figure."""
    riskiest: bool = False
    """Whether it is the headline figure."""
    first: bool = False
    """Whether it begins a group of columns."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of figures with their headers."""

    stubs: tuple[str, ...]
    """The headers of the columns that name a row."""
    groups: tuple[tuple[str, int], ...]
    """Headers over several columns, with how many; empty when there is only one level."""
    heads: tuple[str, ...]
    """The headers of the columns of figures."""
    rows: tuple[tuple[tuple[str, ...], tuple[Cell, ...]], ...]
    """The names and the figures of each row."""
    guess: tuple[Cell, ...]
    """The figures of random guesses."""


def tables(assessment: Assessment) -> tuple[Table, ...]:
    """Set the scenarios out as Reiter's Table 6 where every release meets every intruder, else row by row."""
    grid = Grid.of(assessment)
    if not grid.is_table:
        return (_flat(assessment, grid),)
    measures = _measures(assessment)
    fit = max(1, MOST_COLUMNS // len(grid.intruders))
    return tuple(_crossed(grid, measures[i : i + fit]) for i in range(0, len(measures), fit))


def _measures(assessment: Assessment) -> list[tuple[str, str, bool]]:
    """Give name, title and whether it is a count of every measure."""
    return list(dict.fromkeys((m.name, m.title, m.is_count) for s in assessment.scenarios for m in s.measures))


def _crossed(grid: Grid, measures: Sequence[tuple[str, str, bool]]) -> Table:
    """Rows are releases; columns are measures times intruders."""
    worst = grid.riskiest()
    columns: list[list[Cell]] = []
    guess: list[Cell] = []
    for name, title, is_count in measures:
        for c in range(len(grid.intruders)):
            scenarios = [grid.cells[r, c] for r in range(len(grid.releases))]
            texts = written([figure(s, name, title) for s in scenarios], is_count=is_count)
            columns.append(
                [Cell(t, s is worst and name == "expected_matches", c == 0) for t, s in zip(texts, scenarios, strict=True)]
            )
            chances = [figure(s, name, title, at_random=True) for s in scenarios]
            guess.append(Cell(span(chances, is_count=is_count), first=c == 0))
    rows = tuple(((release,), tuple(column[r] for column in columns)) for r, release in enumerate(grid.releases))
    groups = tuple((title, len(grid.intruders)) for _, title, _ in measures)
    return Table(("Release",), groups, grid.intruders * len(measures), rows, tuple(guess))


def _flat(assessment: Assessment, grid: Grid) -> Table:
    """One row per scenario."""
    measures = _measures(assessment)
    worst = max(assessment.scenarios, key=danger)
    columns = [[Cell(f"{s.summary.n:,}") for s in assessment.scenarios]]
    guess = [Cell("")]
    for name, title, is_count in measures:
        texts = written([figure(s, name, title) for s in assessment.scenarios], is_count=is_count)
        several = len(assessment.scenarios) > 1 and name == "expected_matches"
        columns.append([Cell(t, several and s is worst) for t, s in zip(texts, assessment.scenarios, strict=True)])
        guess.append(Cell(span([figure(s, name, title, at_random=True) for s in assessment.scenarios], is_count=is_count)))
    rows = tuple((grid.names(s), tuple(column[i] for column in columns)) for i, s in enumerate(assessment.scenarios))
    return Table(("Release", "Intruder"), (), ("Targets", *(title for _, title, _ in measures)), rows, tuple(guess))


def written(values: Sequence[float | None], *, is_count: bool) -> list[str]:
    """Write the figures of a column alike: counts with a decimal if any needs it, shares in per cent.

    >>> written([2192.0, 343.94], is_count=True)
    ['2,192.0', '343.9']
    >>> [text.split()[0] for text in written([0.5, 0.0004], is_count=False)]
    ['50.00', '0.04']
    """
    if not is_count:
        decimals = max((_decimals(v) for v in values if v is not None), default=1)
        return [DASH if v is None else per_cent(v, decimals) for v in values]
    whole = all(v is None or abs(v - round(v)) < 5e-7 for v in values)
    return [DASH if v is None else count(v, whole=whole) for v in values]


def count(value: float, *, whole: bool = False) -> str:
    """Write a count; small ones with two digits."""
    if whole or value == 0:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if value >= 0.95 else f"{value:.2g}"


def per_cent(share: float, decimals: int | None = None) -> str:
    """Write a share in per cent, with a space that does not break."""
    places = _decimals(share) if decimals is None else decimals
    return f"{100 * share:.{places}f}\N{NO-BREAK SPACE}%"


def _decimals(share: float) -> int:
    """Give the decimals that keep a small share from reading as nothing, or a large one as all."""
    rest = 100 * min(share, 1.0 - share)
    return 1 if rest <= 0 or rest >= 0.95 else min(8, 1 - math.floor(math.log10(rest * 1.0526)) - 1)


def span(values: Sequence[float | None], *, is_count: bool) -> str:
    """Write a figure that may differ between releases as a span.

    >>> span([1.0, 1.0], is_count=True), span([0.5, 2.0], is_count=True)
    ('1', '0.5 to 2.0')
    """
    known = sorted(v for v in values if v is not None)
    if not known:
        return DASH
    ends = written([known[0], known[-1]], is_count=is_count)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
