"""Ways to leave cells out of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.errors import TableError
from confide.linking.parallel import Progress
from confide.tables.attackers import Attacker
from confide.tables.audit.audit import audit
from confide.tables.costs import CellCosts, GivenCosts, ValueCosts
from confide.tables.insiders import Insiders
from confide.tables.method import TableOutcome, TableTask, statuses
from confide.tables.protect.methods import Heuristic, Method
from confide.tables.protect.suppress import suppress
from confide.typing import FloatArray, IntArray

Looks = Attacker | Insiders
"""Somebody who looks at the table beside everybody, or a choice of such people."""
NOBODY = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Suppression:
    """Leave out the sensitive cells, and others so that those stay unknown; see `suppress`."""

    search: Method = Heuristic()  # noqa: RUF009  frozen
    """How the pattern is sought: `Heuristic()` or `Exact()`."""
    costs: CellCosts | FloatArray = ValueCosts()  # noqa: RUF009  frozen
    """What readers lose with a cell: `ValueCosts()`, `EqualCosts()`, `RespondentCosts()`, or a number for each cell."""
    attackers: Sequence[Looks] = ()
    """Who looks beside everybody: `SingletonInsiders()`, `ContributingInsiders()`, or an `Attacker`."""
    time_limit: float | None = None
    """Seconds for the search; without it the same input gives the same pattern."""

    def __post_init__(self) -> None:
        """Check the settings."""
        if self.time_limit is not None and not self.time_limit > 0:
            raise TableError(f"the time limit is in seconds and must be above 0; found {self.time_limit}")

    @property
    def name(self) -> str:
        """What it is called in prints and pages."""
        return f"suppression ({type(self.search).__name__.lower()})"

    def protect(self, asked: TableTask, progress: Progress) -> TableOutcome:
        """Search a pattern and audit it."""
        costs, (attackers, notes) = prices(self.costs, asked), onlookers(self.attackers, asked)
        found = suppress(
            asked.system,
            asked.primary,
            asked.protection,
            costs=costs,
            frozen=asked.frozen,
            previous=asked.previous,
            attackers=attackers,
            method=self.search,
            time_limit=self.time_limit,
            progress=progress,
        )
        status = statuses(asked.system.n, found.primary, found.secondary)
        # the pattern's own costs and bound are those of the search, in which cells of the previous pattern are cheap
        bound = found.bound if not asked.previous.size else None
        return TableOutcome(found.published, status, costs, found.audit, bound, found.finished, attackers, notes)


@dataclass(frozen=True, slots=True, eq=False)
class PrimaryOnly:
    """Leave out the sensitive cells alone, which seldom protects them; the audit says what can be computed."""

    costs: CellCosts | FloatArray = ValueCosts()  # noqa: RUF009  frozen
    """What readers lose with a cell."""
    attackers: Sequence[Looks] = ()
    """Who looks beside everybody."""

    @property
    def name(self) -> str:
        """What it is called in prints and pages."""
        return "sensitive cells left out, no others"

    def protect(self, asked: TableTask, progress: Progress) -> TableOutcome:
        """Audit what is left."""
        return outcome_of(asked, asked.primary, prices(self.costs, asked), self.attackers, progress)


@dataclass(frozen=True, slots=True, eq=False)
class NoProtection:
    """Publish every cell."""

    @property
    def name(self) -> str:
        """What it is called in prints and pages."""
        return "no protection"

    def protect(self, asked: TableTask, progress: Progress) -> TableOutcome:
        """Publish everything; sensitive cells are exposed."""
        return outcome_of(asked, NOBODY, asked.system.costs, (), progress)


@dataclass(frozen=True, slots=True, eq=False)
class GivenSuppression:
    """A pattern from elsewhere, to be audited: cells that are not published, as places or a mask."""

    suppressed: IntArray
    """The cells that are not published."""
    attackers: Sequence[Looks] = ()
    """Who looks beside everybody."""
    exact: bool = True
    """Whether exact intervals are wanted, or only a verdict."""

    @property
    def name(self) -> str:
        """What it is called in prints and pages."""
        return "given pattern"

    def protect(self, asked: TableTask, progress: Progress) -> TableOutcome:
        """Audit the pattern."""
        cells = asked.system.cells(self.suppressed, "suppressed")
        return outcome_of(asked, cells, asked.system.costs, self.attackers, progress, exact=self.exact)


def outcome_of(
    asked: TableTask, cells: IntArray, costs: FloatArray, who: Sequence[Looks], progress: Progress, *, exact: bool = True
) -> TableOutcome:
    """Audit a pattern that is not searched."""
    attackers, notes = onlookers(who, asked)
    proof = audit(asked.system, cells, asked.protection, attackers, exact=exact, progress=progress)
    hidden = np.zeros(asked.system.n, dtype=np.bool_)
    hidden[cells] = True
    values = np.where(hidden, np.nan, asked.system.values)
    status = statuses(asked.system.n, np.intersect1d(cells, asked.primary), np.setdiff1d(cells, asked.primary))
    return TableOutcome(values, status, costs, proof, attackers=attackers, notes=notes)


def prices(costs: CellCosts | FloatArray, asked: TableTask) -> FloatArray:
    """Give the cost of each cell."""
    chosen = costs if isinstance(costs, CellCosts) else GivenCosts(costs)
    return asked.priced(chosen.of(asked.table, asked.system))


def onlookers(who: Sequence[Looks], asked: TableTask) -> tuple[tuple[Attacker, ...], tuple[str, ...]]:
    """Choose the attackers of a table, and say who was left out."""
    found: list[Attacker] = []
    notes: list[str] = []
    for one in who:
        if isinstance(one, Attacker):
            found.append(one)
            continue
        looking = one.of(asked.table, asked.system, asked.protection)
        found += looking.attackers
        if looking.left_out:
            notes.append(
                f"{type(one).__name__}: {len(looking.attackers):,} were looked at and {looking.left_out:,} more were not; "
                "raise most=... to look at all of them"
            )
    return told_apart(found), tuple(notes)


def told_apart(attackers: Sequence[Attacker]) -> tuple[Attacker, ...]:
    """Number attackers of the same name; cells of linked tables may be called alike.

    >>> [a.name for a in told_apart([Attacker("a"), Attacker("b"), Attacker("a")])]
    ['a', 'b', 'a (2)']
    """
    seen: dict[str, int] = {}
    found = []
    for a in attackers:
        seen[a.name] = seen.get(a.name, 0) + 1
        found.append(a if seen[a.name] == 1 else replace(a, name=f"{a.name} ({seen[a.name]})"))
    return tuple(found)
