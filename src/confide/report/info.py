"""What the charts show, computed before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.assessment.assessment import Scenario
from confide.report.grid import Grid, expected_share, guess, per_target
from confide.risk import measure
from confide.risk.measures.expected import ExpectedMatches
from confide.risk.measures.perceived import PerceivedIdentifications
from confide.typing import FloatArray

SMALLEST_STEP = 10
"""A step of a curve stands for at least this many targets."""
SMALLEST_GROUP = 10
"""A group that is shown has at least this many targets."""
MOST_GROUPS = 12
"""A chart shows at most this many groups: the riskiest."""
LOG_FROM = 50.0
"""Figures that differ by at least this factor are shown on a logarithmic axis."""
MANTISSAS = (8.0, 6.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.5, 1.25, 1.0)


@dataclass(frozen=True, slots=True)
class Tail:
    """The share of targets with a probability of at least p."""

    p: tuple[float, ...]
    """Probabilities, decreasing."""
    share: tuple[float, ...]
    """The share of targets at or above each of them."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """The distribution of probabilities in one release, for each intruder."""

    release: str
    """The release."""
    intruders: tuple[str, ...]
    """The intruders."""
    own: tuple[Tail | None, ...]
    """Probabilities of the targets' own records, one curve per intruder; None without a scenario, or the truth."""
    best: tuple[Tail | None, ...]
    """Probabilities of the most probable records."""
    thresholds: tuple[float, ...]
    """The probabilities above which an identification is perceived."""


@dataclass(frozen=True, slots=True)
class Figures:
    """One measure in all scenarios."""

    title: str
    """What the measure is called."""
    releases: tuple[str, ...]
    """The releases."""
    intruders: tuple[str, ...]
    """The intruders."""
    values: tuple[tuple[float | None, ...], ...]
    """The figures, releases by intruders; None where undefined."""
    guess: float | None
    """The figure of random guesses, the largest one where releases differ."""
    unit: str = "targets"
    """What is counted or lost."""

    @property
    def extent(self) -> tuple[float, ...]:
        """All figures, to find an axis."""
        return (*(v for row in self.values for v in row if v is not None), *((self.guess,) if self.guess else ()))


@dataclass(frozen=True, slots=True)
class Groups:
    """Who is at risk: expected matches per 1,000 targets by the levels of a variable."""

    variable: str
    """The variable."""
    names: tuple[str, ...]
    """The groups, each of at least ten targets."""
    sizes: tuple[int, ...]
    """How many targets are in each."""
    scenarios: tuple[str, ...]
    """The scenarios that are compared."""
    rates: tuple[tuple[float, ...], ...]
    """Expected matches per 1,000 targets to three digits, scenarios by groups."""
    averages: tuple[float, ...]
    """The same for the whole file."""
    guess: float
    """The same for random guesses."""
    left_out: int
    """How many groups are not shown because there are too many."""

    @property
    def extent(self) -> tuple[float, ...]:
        """All rates, to find an axis."""
        return (*(x for r in self.rates for x in r), *self.averages)


def tail(probabilities: FloatArray, *, smallest: int = SMALLEST_STEP, lowest: float = 1e-6) -> Tail:
    """Count the targets at or above round probabilities.

    Shares are exact. Neighbouring steps of fewer than `smallest` targets are put together, at both
    ends too, so that no step can be read as one respondent; with fewer targets there is no curve.

    >>> tail(np.array([1.0] * 2 + [0.5] * 10 + [0.01] * 12))
    Tail(p=(0.5, 0.01), share=(0.5, 1.0))
    """
    n = probabilities.size
    positive = np.sort(probabilities[probabilities >= lowest])
    grid = [1.0]
    floor = float(positive[0]) if positive.size else 1.0
    exponent = 1
    while grid[-1] > floor * (1 + 1e-9):
        grid += [float(f"{m:g}e-{exponent}") for m in MANTISSAS]
        exponent += 1
    kept: list[tuple[float, int]] = []
    for p in grid:
        count = int(positive.size - np.searchsorted(positive, p * (1 - 1e-9)))
        if count - (kept[-1][1] if kept else 0) >= smallest:
            kept.append((p, count))
    if kept and 0 < n - kept[-1][1] < smallest:
        kept.pop()
        if positive.size == n:
            kept.append((next(p for p in grid if p <= floor * (1 + 1e-9)), n))
    return Tail(tuple(p for p, _ in kept), tuple(c / n for _, c in kept))


def distributions(grid: Grid) -> tuple[Distribution, ...]:
    """Give the distribution of probabilities in each release."""
    found = []
    columns = range(len(grid.intruders))
    for row, release in enumerate(grid.releases):
        scenarios = [grid.cells.get((row, column)) for column in columns]
        summaries = [None if s is None else s.summary for s in scenarios]
        own = tuple(None if s is None or s.why_unknown else tail(s.own) for s in summaries)
        best = tuple(None if s is None else tail(s.best) for s in summaries)
        found.append(Distribution(release, grid.intruders, own, best, thresholds(grid)))
    return tuple(found)


def thresholds(grid: Grid) -> tuple[float, ...]:
    """Give the thresholds of perceived identification."""
    measures = [m for s in grid.cells.values() for m in s.measures]
    return tuple(sorted({m.threshold for m in measures if isinstance(m, PerceivedIdentifications)}))


def figures(grid: Grid) -> tuple[Figures, ...]:
    """Give the counts of all scenarios, measure by measure."""
    names: dict[tuple[str, str], None] = {}
    for s in grid.cells.values():
        names.update({(m.name, m.title): None for m in s.measures if m.is_count})
    found = []
    for name, title in names:
        values = tuple(
            tuple(figure(grid.cells.get((r, c)), name, title) for c in range(len(grid.intruders)))
            for r in range(len(grid.releases))
        )
        guesses = [g for s in grid.cells.values() if (g := figure(s, name, title, at_random=True)) is not None]
        found.append(Figures(title, grid.releases, grid.intruders, values, max(guesses, default=None)))
    return tuple(found)


def figure(scenario: Scenario | None, name: str, title: str, *, at_random: bool = False) -> float | None:
    """Give the figure of a measure, or of random guesses; None where there is none."""
    for m in scenario.measures if scenario is not None else ():
        if (m.name, m.title) == (name, title):
            assert scenario is not None
            return m.baseline(scenario.summary) if at_random else measure.figure(m, scenario.summary)
    return None


def groups(grid: Grid, variable: str, scenarios: Sequence[Scenario]) -> Groups | None:
    """Give the risk by the levels of a variable; None when every group is too small, or the truth is not known.

    All scenarios must have the same targets. Rates are kept to three digits: more cannot be seen,
    and might let someone work out the groups that are not shown.
    """
    matches = ExpectedMatches()
    averages = [expected_share(s) for s in scenarios]
    chance = per_target(guess(scenarios[0]), scenarios[0])
    if chance is None or None in averages:
        return None
    frames = [replace(s, measures=(matches,)).by(variable, smallest=SMALLEST_GROUP) for s in scenarios]
    first = frames[0]
    sizes = first["targets"].to_list()
    shown = [g for g, size in enumerate(sizes) if size >= SMALLEST_GROUP]
    if not shown:
        return None
    per_1000 = [(1000 * f[matches.name] / f["targets"]).to_list() for f in frames]
    if len(shown) > MOST_GROUPS:
        riskiest = sorted(shown, key=lambda g: -per_1000[0][g])[:MOST_GROUPS]
        kept = sorted(riskiest)
    else:
        kept = shown
    texts = {str(k): v for k, v in _labels(scenarios[0], variable)}
    names = [str(x) for x in first[variable].to_list()]
    rates = tuple(tuple(rounded(rate[g]) for g in kept) for rate in per_1000)
    return Groups(
        variable,
        tuple(texts.get(names[g], names[g]) for g in kept),
        tuple(sizes[g] for g in kept),
        tuple(" / ".join(grid.names(s)) for s in scenarios),
        rates,
        tuple(rounded(1000 * x) for x in averages if x is not None),
        rounded(1000 * chance),
        len(shown) - len(kept),
    )


def _labels(scenario: Scenario, variable: str) -> tuple[tuple[object, str], ...]:
    """Give the texts that stand for the codes of a variable."""
    return scenario.links[0].evidence.targets.variables[variable].labels


def rounded(value: float) -> float:
    """Keep three digits.

    >>> rounded(12345.6), rounded(0.0)
    (12300.0, 0.0)
    """
    return float(f"{value:.3g}")


def wide(values: Sequence[float]) -> bool:
    """Say whether the positive figures span so much that a logarithmic axis reads better."""
    positive = [v for v in values if v > 0]
    return bool(positive) and max(positive) >= LOG_FROM * min(positive)
