"""Respondents who look at the table that they are in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from confide.errors import TableError
from confide.tables.attackers import Attacker
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.tables.table import Table
from confide.typing import BoolArray, FloatArray

SINGLETONS = 20_000
"""How many only respondents are looked at; most of them cost next to nothing."""
CONTRIBUTORS = 5_000
"""How many coalitions are looked at; each costs some linear programmes."""


@dataclass(frozen=True, slots=True)
class Looking:
    """The attackers that were chosen."""

    attackers: tuple[Attacker, ...]
    left_out: int = 0
    """How many more there are."""


@runtime_checkable
class Insiders(Protocol):
    """Says who looks at a table beside everybody."""

    def of(self, table: Table, system: System, protection: Protection) -> Looking:
        """Choose the attackers of a table."""


@dataclass(frozen=True, slots=True)
class SingletonInsiders:
    """The only respondent of a sensitive cell knows it, and every other cell that has no other respondent.

    Where there are too many, those come first whose cells stand in a sum with few other sensitive ones.
    """

    most: int = SINGLETONS
    """How many are looked at."""

    def of(self, table: Table, system: System, protection: Protection) -> Looking:
        """Choose the attackers of a table."""
        if table.respondents is None:
            raise TableError(
                "the table does not say how many respondents each cell has; use count=..., or leave insiders out"
            )
        sensitive = np.zeros(table.n, dtype=np.bool_)
        sensitive[protection.sensitive] = True
        alone = np.flatnonzero(table.respondents == 1)
        who = alone if table.contributors is None else table.contributors[alone, 0]
        groups: dict[int, list[int]] = {}
        for c, h in zip(alone.tolist(), who.tolist(), strict=True):
            groups.setdefault(h, []).append(c)
        known = [cells for cells in groups.values() if sensitive[cells].any()]
        near = _neighbours(system, sensitive)
        known.sort(key=lambda cells: (float(near[cells].min()), cells))
        chosen = [
            Attacker.knowing(system, cells, f"only respondent of {system.listed(cells, 2)}") for cells in known[: self.most]
        ]
        return Looking(tuple(chosen), max(0, len(known) - self.most))


@dataclass(frozen=True, slots=True)
class ContributingInsiders:
    """The largest contributors of sensitive cells know their own amounts, in every cell among whose largest they are.

    For each sensitive cell two coalitions are looked at: that of the largest contributors, and that of the largest but the
    first. Together they know a cell to be at least the sum of their amounts, and exactly where nobody else contributes.
    What a coalition contributes to a sensitive cell itself is for the sensitivity rule to judge; no more is asked of that
    cell than these contributions leave open.
    """

    coalition: int = 1
    """How many put their knowledge together."""
    most: int = CONTRIBUTORS
    """How many coalitions are looked at, those with the largest share of a sensitive cell first."""

    def __post_init__(self) -> None:
        """Check the settings."""
        if self.coalition < 1:
            raise TableError(f"a coalition has 1 or more members; found {self.coalition}")

    def of(self, table: Table, system: System, protection: Protection) -> Looking:
        """Choose the attackers of a table."""
        if table.contributors is None or table.respondents is None:
            raise TableError("the table does not say who contributes; make it with tabulate, or use SingletonInsiders()")
        places, k = table.contributors.shape[1], self.coalition
        if places < k + 1:
            raise TableError(
                f"coalitions of {k} need the {k + 1} largest contributors of each cell, and the table holds {places}; "
                f"use tabulate(..., largest={k + 1})"
            )
        share: dict[tuple[int, ...], float] = {}
        for c in protection.sensitive.tolist():
            for first in (0, 1):
                here = table.contributors[c, first : first + k]
                if (here >= 0).any():
                    amount = float(table.largest[c, first : first + k].sum()) / max(float(table.absolute[c]), 1e-300)
                    key = tuple(sorted(here[here >= 0].tolist()))
                    share[key] = max(share.get(key, 0.0), amount)
        ranked = sorted(share, key=lambda key: (-share[key], key))
        contributes = _contributions(table, {p for key in ranked[: self.most] for p in key})
        positive = bool((system.lower >= 0).all())
        found = []
        for i, people in enumerate(ranked[: self.most], 1):
            one = _coalition(people, i, contributes, table, system, positive=positive)
            found += [] if one is None else [one]
        return Looking(tuple(found), max(0, len(ranked) - self.most))


def _contributions(table: Table, people: set[int]) -> dict[int, list[tuple[int, float]]]:
    """Find the cells to which some people contribute, and how much."""
    assert table.contributors is not None
    wanted = np.isin(table.contributors, np.fromiter(people, dtype=np.int64, count=len(people)))
    found: dict[int, list[tuple[int, float]]] = {p: [] for p in people}
    for c, j in zip(*np.nonzero(wanted), strict=True):
        found[int(table.contributors[c, j])].append((int(c), float(table.largest[c, j])))
    return found


def _coalition(
    people: tuple[int, ...], number: int, contributes: dict[int, list[tuple[int, float]]], table: Table, system: System,
    *, positive: bool,
) -> Attacker | None:  # fmt: skip
    """Make the attacker who knows what some contributors know together."""
    amounts: dict[int, float] = {}
    members: dict[int, int] = {}
    for p in people:
        for c, x in contributes[p]:
            amounts[c], members[c] = amounts.get(c, 0.0) + x, members.get(c, 0) + 1
    lower: dict[int, float] = {}
    upper: dict[int, float] = {}
    assert table.respondents is not None
    for c, x in amounts.items():
        value = float(system.values[c])
        if members[c] == table.respondents[c]:
            lower[c] = upper[c] = value
        elif positive:
            lower[c] = min(x, value)
    word = "contributor" if len(people) == 1 else f"coalition of {len(people)}"
    return Attacker(f"{word} {number}", lower, upper) if lower else None


def _neighbours(system: System, sensitive: BoolArray) -> FloatArray:
    """Give for each cell the least number of other sensitive cells in one of its sums; infinity where there are none."""
    a = abs(system.equations)
    inside = a @ sensitive.astype(np.float64)
    least = np.full(system.n, np.inf)
    rows = np.repeat(np.arange(a.shape[0]), np.diff(a.indptr))
    others = inside[rows] - sensitive[a.indices]
    some = others > 0
    np.minimum.at(least, a.indices[some], others[some])
    return least
