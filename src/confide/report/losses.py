"""What the section on harm shows, computed before anything is drawn.

Harm is a loss, and a loss may tell a value: (estimate - y)^2 beside a public estimate gives y. So no figure here
is exact: sums are multiples of a step of at least twice the largest loss, that of all targets upwards, and of fewer
than ten respondents nothing is told; see `confide.harm.told`. Charts and tables read the same rounded figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.assessment.assessment import Scenario
from confide.harm.bearers import Bearers, GroupHarm, HarmByGroup
from confide.harm.result import Harmed
from confide.harm.several import over_intruders
from confide.harm.told import Told
from confide.report.grid import Grid, expected, free_name
from confide.report.info import SMALLEST_GROUP, Figures, rounded

Place = tuple[int, int]
"""A release and an intruder, by their places in the grid."""


@dataclass(frozen=True, slots=True, eq=False)
class Loss:
    """One harm in one scenario; the figures are rounded."""

    harmed: Harmed
    """The harm to every target; nothing of it is shown as it is."""
    bearers: Bearers
    """How it is spread."""
    told: Told
    """What may be shown."""
    total: float
    """The harm to all targets together."""
    mean: float
    """The harm per target."""
    step: float
    """What sums are rounded to; no respondent's harm is above it."""

    @classmethod
    def of(cls, harmed: Harmed) -> Loss | None:
        """Reduce a harm to what may be shown; None where it is undefined, or of too few."""
        bearers, told = harmed.bearers, harmed.told
        if bearers is None or told.total is None or told.mean is None or told.step is None:
            return None
        return cls(harmed, bearers, told, told.total, told.mean, told.step)


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """One harm in all scenarios."""

    title: str
    """What the harm is called; no two the same."""
    lines: tuple[str, ...]
    """What was assumed about it."""
    cells: Mapping[Place, Loss]
    """The harm by release and intruder, where it was assessed and is defined."""
    undefined: frozenset[Place] = frozenset()
    """Where it was assessed and is undefined."""

    @property
    def largest(self) -> Place:
        """Where the total is largest; the first of several."""
        return max(self.cells, key=lambda place: self.cells[place].bearers.total)

    @property
    def any_harm(self) -> bool:
        """Whether anyone is harmed in any scenario."""
        return any(loss.bearers.total > 0 for loss in self.cells.values())

    def worst_case(self, row: int) -> Place | None:
        """Give where a release does most harm; None: it was not assessed."""
        mine = [place for place in self.cells if place[0] == row]
        return max(mine, key=lambda place: self.cells[place].bearers.total, default=None)

    def mildest(self) -> Place:
        """Give the worst case of the release whose worst case is the mildest; one with an undefined case is not."""
        rows = sorted({r for r, _ in self.cells} - {r for r, _ in self.undefined}) or sorted({r for r, _ in self.cells})
        cases = [case for row in rows if (case := self.worst_case(row)) is not None]
        return min(cases, key=lambda place: self.cells[place].bearers.total)


@dataclass(frozen=True, slots=True)
class WorstGroup:
    """The group that bears most harm per target."""

    variable: str
    """The variable that tells groups apart."""
    place: Place
    """The release and the intruder."""
    name: str
    """The group."""
    n: int
    """How many targets belong to it."""
    mean: float
    """The harm per target in it."""
    share_of_harm: float | None
    """Which share of all harm it bears, by the rounded sums; None: these are 0."""
    share_of_targets: float
    """Which share of all targets it is."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One release and intruder by risk and harm."""

    release: int
    """The place of the release."""
    intruder: int
    """The place of the intruder."""
    risk: float
    """The expected matches: a count."""
    harm: float
    """The total harm: a loss."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """The harm of one release when it is not known who will look at it."""

    release: str
    """The release."""
    totals: tuple[float, ...]
    """The total harm of each intruder, in the order of the grid."""
    expected: float
    """The total harm to be expected over all of them."""
    worst: str
    """The intruder who does most harm."""
    worst_total: float
    """The total harm of that intruder."""


def losses(grid: Grid) -> tuple[Losses, ...]:
    """Give every harm that is defined somewhere; harms of one name that were declared differently are numbered."""
    found: dict[tuple[str, tuple[str, ...]], dict[Place, Loss | None]] = {}
    for place, scenario in grid.cells.items():
        for harmed in scenario.harms:
            found.setdefault((harmed.harm.title, harmed.harm.describe()), {})[place] = Loss.of(harmed)
    names: list[str] = []
    for title, _ in found:
        names.append(free_name(title, names))
    made = []
    for name, ((_, lines), cells) in zip(names, found.items(), strict=True):
        known = {place: loss for place, loss in cells.items() if loss is not None}
        if known:
            made.append(Losses(name, lines, known, frozenset(cells) - frozenset(known)))
    return tuple(made)


def significant(value: float, digits: int) -> float:
    """Keep some digits.

    >>> significant(987654.0, 2), significant(0.0, 2)
    (990000.0, 0.0)
    """
    return float(f"{value:.{digits}g}")


def total_figures(grid: Grid, found: Losses) -> Figures:
    """Give the total harm by release and intruder, to be drawn."""
    values = tuple(
        tuple(found.cells[r, c].total if (r, c) in found.cells else None for c in range(len(grid.intruders)))
        for r in range(len(grid.releases))
    )
    return Figures("Total harm", grid.releases, grid.intruders, values, None, "harm (a loss)")


def dots(grid: Grid, found: Losses) -> tuple[Dot, ...]:
    """Set risk beside harm, one dot per scenario where both are defined; they are two axes and never one number."""
    risks = {place: expected(grid.cells[place]) for place in found.cells}
    return tuple(Dot(*place, risk, found.cells[place].total) for place, risk in risks.items() if risk is not None)


def out_of_order(points: Sequence[Dot]) -> tuple[Dot, Dot] | None:
    """Give two releases against one intruder of which the first has less risk and more harm.

    Of several pairs the one that differs most; None: risk and harm put the releases in the same order.

    >>> out_of_order([Dot(0, 0, 10.0, 1.0), Dot(1, 0, 5.0, 2.0), Dot(1, 1, 0.0, 9.0)])
    (Dot(release=1, intruder=0, risk=5.0, harm=2.0), Dot(release=0, intruder=0, risk=10.0, harm=1.0))
    """
    pairs = [
        (a, b)
        for a in points
        for b in points
        if a.intruder == b.intruder and rounded(a.risk) < rounded(b.risk) and a.harm > b.harm
    ]
    return max(pairs, key=lambda p: min(1 - p[0].risk / p[1].risk, 1 - p[1].harm / p[0].harm), default=None)


def worst_groups(grid: Grid, found: Losses, variables: Sequence[str]) -> tuple[WorstGroup, ...]:
    """Give the group that bears most harm per target, by each variable, where harm is largest and where it is mildest.

    Groups of fewer than ten targets are put together or left out; a variable without two groups to compare is left out.
    """
    places = dict.fromkeys((found.largest, found.mildest()))
    rows = [_worst_group(grid.cells[p], found.cells[p], v, p) for v in variables for p in places]
    return tuple(r for r in rows if r is not None)


def _worst_group(scenario: Scenario, loss: Loss, variable: str, place: Place) -> WorstGroup | None:
    """Give the group that bears most harm per target; None: no harm, or no two groups that may be shown."""
    names, member = scenario.groups(variable, smallest=SMALLEST_GROUP)
    each = loss.harmed.per_target
    shown: dict[int, GroupHarm] = {
        g: group for g, group in enumerate(HarmByGroup.of(each, member, names).groups) if group.n >= SMALLEST_GROUP
    }
    if len(shown) < 2 or not any(g.total > 0 for g in shown.values()):
        return None
    top = max(shown, key=lambda g: shown[g].mean or 0.0)
    group = shown[top]
    told = Told.of(each[member == top], loss.step)
    if told.total is None or told.mean is None:
        return None
    # the share is that of the sums told, so that it tells no more than they do
    share = min(1.0, told.total / loss.total) if loss.total > 0 else None
    return WorstGroup(variable, place, group.name, group.n, told.mean, share, group.share_of_respondents)


def mixtures(grid: Grid, found: Losses, likelihoods: Mapping[str, float]) -> tuple[Mixture, ...]:
    """Average a harm over the intruders who may look at each release; releases where it is undefined are left out.

    Args:
        grid: the scenarios.
        found: the harm.
        likelihoods: how likely each intruder is, by its name in the grid.
    """
    rows = []
    for row, release in enumerate(grid.releases):
        mine = {grid.intruders[c]: loss for (r, c), loss in found.cells.items() if r == row}
        if any(r == row for r, _ in found.undefined):
            continue
        over = over_intruders({name: loss.harmed for name, loss in mine.items()}, likelihoods)
        totals = tuple(mine[name].total for name in grid.intruders)
        rows.append(Mixture(release, totals, over.told(over.expected), over.worst, mine[over.worst].total))
    return tuple(rows)


def without_value(found: Losses) -> int:
    """Give how many targets have no true value of the attribute; the most in one scenario."""
    return max(int(np.sum(~loss.harmed.has_value)) for loss in found.cells.values())
