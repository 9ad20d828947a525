"""The tables that a plan declares, ready to be protected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from confide.linking.parallel import Progress, silent
from confide.tables.a_priori import APriori
from confide.tables.method import TableMethod
from confide.tables.perturb.keys import RecordKeys
from confide.tables.protect_table import protect_tables
from confide.tables.protected import ProtectedTable
from confide.tables.rules.rule import Rule
from confide.tables.table import Table

EXACT_UP_TO = 2_000
"""Exact intervals are computed unasked up to so many cells left out."""


@dataclass(frozen=True, slots=True)
class TableOutputs:
    """The files to write of one table."""

    published: tuple[Path, ...] = ()
    """What is published, held until it is signed."""
    internal: Path | None = None
    page: Path | None = None
    """The page for readers, held as well."""
    internal_page: Path | None = None
    held: Path = Path()
    """The folder that holds what is published."""

    @property
    def shown_inside(self) -> bool:
        """Whether intervals are shown to the agency."""
        return self.internal is not None or self.internal_page is not None


@dataclass(frozen=True, slots=True, eq=False)
class DeclaredTable:
    """One table of a plan."""

    name: str
    table: Table
    rule: Rule
    a_priori: APriori
    outputs: TableOutputs
    place: str
    """Where it stands in the plan, for messages."""
    edition: int = 1
    """Counts tables of that name that are published one after the other."""
    keys: RecordKeys | str | None = None
    """What its noise hangs on; None: nothing in it is random."""


@dataclass(frozen=True, slots=True, eq=False)
class TableGroup:
    """Tables that are protected as one."""

    tables: tuple[DeclaredTable, ...]
    method: TableMethod
    whole: bool | None = None
    exact: bool | None = None
    """Whether exact intervals are wanted; None: where it is cheap."""

    def protect(self, progress: Progress = silent) -> tuple[ProtectedTable, ...]:
        """Protect the tables."""
        found = protect_tables(
            [t.table for t in self.tables],
            [t.rule for t in self.tables],
            method=self.method,
            a_priori=[t.a_priori for t in self.tables],
            whole=self.whole,
            progress=progress,
        )
        audit = found[0].audit
        asked = any(t.outputs.shown_inside for t in self.tables)
        cheap = audit is not None and audit.suppressed.size <= EXACT_UP_TO
        if audit is None or audit.exact or not asked or not (cheap if self.exact is None else self.exact):
            return found
        again = found[0].audited(progress=progress)
        return tuple(t.with_outcome(again.outcome) for t in found)


@dataclass(frozen=True, slots=True, eq=False)
class TablePlan:
    """All tables of a plan, those that share cells together."""

    groups: tuple[TableGroup, ...]
    seed: int | None = None
    """An integer in place of the secret, for tests and studies."""
    secret: Path | None = None
    """Where the secret is, or will be; None: there is a seed."""
    path: Path | None = None
    """The plan file."""
    reads: Mapping[str, Path] = field(default_factory=dict)
    """The files that it reads, by their names in the plan, without the secret."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the tables."""
        return tuple(t.name for g in self.groups for t in g.tables)
