"""Arrange scenarios by release and intruder, and find those that matter most."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from confide.assessment.assessment import Assessment, Scenario
from confide.risk.measures.expected import ExpectedMatches
from confide.risk.measures.right import RightLinks


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Scenarios by release and intruder."""

    releases: tuple[str, ...]
    """The releases' names, no two the same."""
    intruders: tuple[str, ...]
    """The intruders' names, no two the same."""
    cells: Mapping[tuple[int, int], Scenario]
    """The scenario of a release and an intruder, by their places."""

    @classmethod
    def of(cls, assessment: Assessment) -> Grid:
        """Arrange an assessment; names that stand for several things are numbered."""
        pairs = [(s.released.name, s.intruder.title) for s in assessment.scenarios]
        by_name = len(set(pairs)) == len(pairs)
        rows: dict[object, int] = {}
        columns: dict[object, int] = {}
        row_names: list[str] = []
        column_names: list[str] = []
        cells: dict[tuple[int, int], Scenario] = {}
        for s in assessment.scenarios:
            row = s.released.name if by_name else id(s.released)
            column = s.intruder.title if by_name else id(s.intruder)
            if row not in rows:
                rows[row] = len(rows)
                row_names.append(free_name(s.released.name, row_names))
            if column not in columns:
                columns[column] = len(columns)
                column_names.append(free_name(s.intruder.title, column_names))
            cells[rows[row], columns[column]] = s
        return cls(tuple(row_names), tuple(column_names), cells)

    @property
    def is_table(self) -> bool:
        """Whether several releases meet several intruders and no scenario is missing."""
        several = len(self.releases) > 1 and len(self.intruders) > 1
        return several and len(self.cells) == len(self.releases) * len(self.intruders)

    def names(self, scenario: Scenario) -> tuple[str, str]:
        """Give the names of a scenario's release and intruder."""
        row, column = next(place for place, s in self.cells.items() if s is scenario)
        return self.releases[row], self.intruders[column]

    def riskiest(self, row: int | None = None) -> Scenario:
        """Give the scenario with the largest share of expected matches, of all or of one release.

        A scenario where they are undefined is riskier than any: unknown is never safe. Of equals it is the one with most
        right links acted on.
        """
        return max((s for (r, _), s in self.cells.items() if row is None or r == row), key=danger)

    def most_protective(self) -> Scenario:
        """Give the riskiest scenario of the release whose riskiest scenario is the least risky."""
        return min((self.riskiest(r) for r in range(len(self.releases))), key=danger)


def danger(scenario: Scenario) -> tuple[float, float]:
    """Say how dangerous a scenario is: by expected matches per target, then by right links acted on."""
    first, second = (per_target(x, scenario) for x in (expected(scenario), right(scenario)))
    return math.inf if first is None else first, math.inf if second is None else second


def right(scenario: Scenario) -> float | None:
    """Give the right links acted on, as the scenario counts them, or at the usual threshold."""
    return acting(scenario).value(scenario.summary)


def acting(scenario: Scenario) -> RightLinks:
    """Give the rule by which the intruder acts."""
    return next((m for m in scenario.measures if isinstance(m, RightLinks)), RightLinks())


def expected(scenario: Scenario) -> float | None:
    """Give the expected matches, also where they are not among the chosen measures; None where undefined."""
    return ExpectedMatches().value(scenario.summary)


def guess(scenario: Scenario) -> float | None:
    """Give the expected matches of random guesses."""
    return ExpectedMatches().baseline(scenario.summary)


def expected_share(scenario: Scenario) -> float | None:
    """Give the expected matches per target; None where undefined."""
    return per_target(expected(scenario), scenario)


def per_target(value: float | None, scenario: Scenario) -> float | None:
    """Divide a figure by the number of targets."""
    return None if value is None else value / max(scenario.summary.n, 1)


def free_name(name: str, taken: list[str]) -> str:
    """Number a name that is taken."""
    free, k = name, 1
    while free in taken:
        k += 1
        free = f"{name} ({k})"
    return free
