"""The section on harm: one part for each harm that was assessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from confide.errors import HarmError
from confide.report import harm_tables, harm_words
from confide.report.axes import axis
from confide.report.charts import figures_chart
from confide.report.grid import Grid
from confide.report.harm_charts import risk_and_harm_chart
from confide.report.info import wide
from confide.report.losses import Losses, dots, losses, mixtures, total_figures, without_value, worst_groups
from confide.report.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What is shown of one harm."""

    found: Losses
    """The figures."""
    charts: tuple[Markup, ...]
    """The total harm, and risk beside harm."""
    order: str
    """Whether risk and harm put the releases in the same order."""
    totals: tuple[Table, ...]
    """The harm by release and intruder."""
    outcomes: Table
    """How many targets meet each outcome."""
    without_value: int
    """How many targets have no true value."""
    bearers: tuple[Table, ...]
    """Who bears the harm."""
    groups: Table | None
    """The groups that bear most; None: none may be shown."""
    mixture: Table | None
    """The harm over the intruders; None: it was not said how likely they are."""


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """What is shown of all harms."""

    parts: tuple[Part, ...]
    """One for each harm."""
    answer: tuple[Markup, ...]
    """A sentence for each, to stand at the top of the page."""
    several: bool
    """Whether there are several scenarios."""
    nobody: float | None
    """How likely it is that nobody tries; None: nothing was said, or somebody will."""


def harm_section(
    grid: Grid, variables: Sequence[str] = (), likelihoods: Mapping[str, float] | None = None
) -> Section | None:
    """Give what is shown of harm; None where none was assessed.

    Args:
        grid: the scenarios.
        variables: by which to say which group bears most.
        likelihoods: how likely each intruder is, by its name; what is left to one is that nobody tries.
    """
    found = losses(grid)
    if not found:
        if likelihoods is not None and not any(s.harms for s in grid.cells.values()):
            raise HarmError("likelihoods are for the harm over several intruders; give assess(..., harms=[Harm(...)]) first")
        return None
    nobody = None if likelihoods is None else 1 - sum(likelihoods.values())
    return Section(
        tuple(_part(grid, one, f"h{i}", variables, likelihoods) for i, one in enumerate(found)),
        tuple(harm_words.harm_answer(grid, one) for one in found),
        several=len(grid.cells) > 1,
        nobody=nobody if nobody is not None and nobody > 1e-9 else None,
    )


def _part(grid: Grid, found: Losses, name: str, variables: Sequence[str], likelihoods: Mapping[str, float] | None) -> Part:
    """Give what is shown of one harm."""
    points = dots(grid, found)
    order = harm_words.order(grid, points)
    groups = worst_groups(grid, found, variables) if found.any_harm else ()
    over = () if likelihoods is None else mixtures(grid, found, likelihoods)
    return Part(
        found,
        _charts(grid, found, name, order),
        order,
        harm_tables.harm_tables(grid, found),
        harm_tables.outcome_table(grid, found),
        without_value(found),
        harm_tables.bearer_tables(grid, found),
        harm_tables.group_table(grid, found, groups) if groups else None,
        None if not over or likelihoods is None else harm_tables.mixture_table(grid, over, likelihoods),
    )


def _charts(grid: Grid, found: Losses, name: str, order: str) -> tuple[Markup, ...]:
    """Draw the total harm, and risk beside harm, on axes of their own."""
    figures, points = total_figures(grid, found), dots(grid, found)
    scale = axis(figures.extent, logarithmic=wide(figures.extent))
    both = [figures_chart(figures, f"{name}t", scale)]
    if points:
        both.append(risk_and_harm_chart(points, found.title, f"{name}r", harm_words.picture(found, points, order)))
    return tuple(Markup(chart) for chart in both)  # noqa: S704
