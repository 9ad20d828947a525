"""A table with its protection: what is published, and what only the agency may see."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from confide.linking.parallel import Progress, silent
from confide.release.marks import banner, short_mark
from confide.tables.audit.audit import audit
from confide.tables.audit.result import EXTERNAL, Audit, Exposed
from confide.tables.frames import internal_frame, intervals_frame, published_frame
from confide.tables.loss import lost_shares, lost_values
from confide.tables.method import PRIMARY, PUBLISHED, SECONDARY, StatusArray, TableMethod, TableOutcome
from confide.tables.protection import Protection
from confide.tables.rules.rule import Rule
from confide.tables.table import Table
from confide.tables.told_by_pattern import told_by_pattern
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl

    from confide.tables.attackers import Attacker
    from confide.tables.write.format import TableFormat


@dataclass(frozen=True, slots=True, eq=False)
class ProtectedTable:
    """A table, what is published of it, why cells are not, and the proof; from `protect_table`.

    `published` and what `write` writes hold no secret. Everything else does.
    """

    table: Table
    """The table with its true values."""
    rule: Rule
    """Which cells are sensitive."""
    places: IntArray
    """The place of each cell in the system that was protected; of linked tables that is larger than this table."""
    reasons: tuple[str, ...]
    """Which rules call each cell sensitive; empty where none does."""
    sensitive: BoolArray
    """Whether each cell is sensitive."""
    outcome: TableOutcome = field(repr=False)
    """What the method answered for the whole system."""
    protection: Protection = field(repr=False)
    """What must remain unknown of the cells of the whole system."""
    method: TableMethod
    """How it was protected."""
    notes: tuple[str, ...] = ()
    """What readers of the result should know."""

    @property
    def values(self) -> FloatArray:
        """What is published of each cell; NaN where nothing is."""
        return self.outcome.values[self.places]

    @property
    def status(self) -> StatusArray:
        """What became of each cell: "published", "primary", "secondary", or a word of another method."""
        return self.outcome.status[self.places]

    @property
    def suppressed(self) -> BoolArray:
        """Whether each cell is left out."""
        return np.isnan(self.values)

    @property
    def changes(self) -> str:
        """What the method does to values: "rounded", "adjusted", "perturbed"; empty where it leaves cells out instead."""
        words = np.setdiff1d(self.outcome.status, (PUBLISHED, PRIMARY, SECONDARY))
        return " or ".join(words.tolist())

    @property
    def audit(self) -> Audit | None:
        """The audit of the whole system; None where a large table with changed values was not judged."""
        return self.outcome.audit

    @property
    def exposed(self) -> tuple[Exposed, ...]:
        """Sensitive cells of this table of which an attacker learns too much; `cell` is a place in the system."""
        if self.audit is None:
            return ()
        mine = set(self.places.tolist())
        return tuple(e for e in self.audit.exposed if e.cell in mine)

    @property
    def clean(self) -> bool:
        """Whether it is proven that every sensitive cell of this table has its protection from every attacker."""
        return not self.exposed and self.judged

    @property
    def judged(self) -> bool:
        """Whether there is an audit, or nothing to judge; `audited()` makes one."""
        return self.audit is not None or not self.sensitive.any()

    @property
    def banner(self) -> str:
        """What stands first wherever it is shown, if its noise hangs on a seed; empty otherwise."""
        return banner(self.table.seed)

    @property
    def told_by_pattern(self) -> tuple[str, ...]:
        """Warnings where empty cells and cells left out tell something by themselves; see `lines_in_one_cell`."""
        return told_by_pattern(self)

    @property
    def cost_share(self) -> float:
        """What readers lose, as a share of the costs of all cells of this table; a changed cell costs the share changed."""
        costs = self.outcome.costs[self.places]
        total = float(costs.sum())
        return float((costs * lost_shares(self.table.values, self.values)).sum()) / total if total > 0 else 0.0

    @property
    def value_share(self) -> float:
        """The share of the value of inner cells that is left out, or by which values were changed."""
        inner = self.table.inner
        total = float(np.abs(self.table.values[inner]).sum())
        return float(lost_values(self.table.values, self.values)[inner].sum()) / total if total > 0 else 0.0

    @property
    def gap(self) -> float | None:
        """By which share of its cost the pattern of the whole system may be dearer than the cheapest; None: not known.

        Where values are changed: by which share of its distance the table may be farther away than the nearest.
        """
        if self.outcome.bound is None:
            return None
        hidden = float(self.outcome.costs[np.isnan(self.outcome.values)].sum())
        cost = hidden if self.outcome.lost is None else self.outcome.lost
        return max(0.0, (cost - self.outcome.bound) / cost) if cost > 0 else 0.0

    def audited(
        self, attackers: tuple[Attacker, ...] | None = None, *, exact: bool = True, progress: Progress = silent
    ) -> ProtectedTable:
        """Audit again: with the exact intervals, against other attackers, or where a large table was not judged.

        The audit of a search ends as soon as protection is proven, and its intervals may be wider than it shows.

        Args:
            attackers: who looks beside everybody; None: the same as before.
            exact: whether exact intervals are wanted.
            progress: called with how much of how much is done.
        """
        seen = self.outcome.seen
        if seen is not None:
            system, hidden = seen, np.arange(seen.n)
        elif self.audit is not None:
            system, hidden = self.audit.system, self.audit.suppressed
        else:
            return self
        who = self.outcome.attackers if attackers is None else attackers
        found = audit(system, hidden, self.protection, who, exact=exact, progress=progress)
        return self.with_outcome(replace(self.outcome, audit=found, attackers=who))

    def with_outcome(self, outcome: TableOutcome) -> ProtectedTable:
        """Give the same table with another answer for its system, such as one with an exact audit."""
        return replace(self, outcome=outcome)

    def published(self, flag: str = "c", *, texts: bool = False) -> pl.DataFrame:
        """Give what may be published: codes, the value or nothing, and a flag where it is confidential.

        The flag does not tell sensitive cells from those left out for their sake.

        Args:
            flag: what marks cells that are left out.
            texts: whether to write what codes mean, where a code list says so.

        >>> import confide as cf
        >>> data = cf.Microdata.from_dict({"sex": ["f", "m", "m"], "x": [3, 4, 5]})
        >>> cf.protect_table(cf.tabulate(data, "sex", "x"), cf.MinimumFrequency(2)).published().rows()
        [('Total', 12, None), ('f', None, 'c'), ('m', None, 'c')]
        """
        return published_frame(self.table, self.values, flag, texts=texts)

    def internal(self) -> pl.DataFrame:
        """Give all that is known of each cell; it is confidential.

        Codes, the true value, what is published, the status, respondents, the reason, the levels, the interval that
        everybody can deduce, the narrowest interval of another attacker, and whether the cell is exposed.
        """
        return internal_frame(self)

    def intervals(self) -> pl.DataFrame:
        """Give the interval that each attacker can deduce for each cell left out, one row each; it is confidential."""
        return intervals_frame(self)

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        internal: bool = False,
        format: TableFormat | None = None,  # noqa: A002  what it is called everywhere
        overwrite: bool = False,
    ) -> Path:
        """Write the table for publication, or the internal one; the file appears whole or not at all, for its owner only.

        Args:
            path: where to; .csv, .tsv, .parquet, .sdmx.csv for SDMX-CSV 2.0, or .json for JSON-stat 2.0.
            internal: write `internal()` instead, which is confidential; as .csv, .tsv or .parquet.
            format: a format with settings of its own, such as `SdmxCsv(agency="...")`; None: by the ending.
            overwrite: replace a file that is there.
        """
        from confide.tables.write.format import write_table

        return write_table(self, path, internal=internal, format=format, overwrite=overwrite)

    def __repr__(self) -> str:
        """Write counts and the verdict, without values."""
        words = [(w, int(np.sum(self.status == w))) for w in (PRIMARY, SECONDARY)]
        left = " and ".join(f"{n:,} {w}" for w, n in words) + " left out"
        if self.changes:
            kept = int(np.sum(self.status == PUBLISHED))
            left = f"{f'{self.table.n - kept:,}' if kept else 'all'} {self.changes}"
        verdict = "not judged" if not self.judged else "all protected" if self.clean else _found(self)
        end = "" if self.outcome.finished else "; stopped early"
        end += f"; {short_mark(self.table.seed)}" if self.banner else ""
        return (
            f"ProtectedTable({self.table.name} by {', '.join(self.table.by)}: {self.table.n:,} cells, {left}; "
            f"{verdict}{end})"
        )


def _found(protected: ProtectedTable) -> str:
    """Count exposed cells, and those of them that everybody can expose."""
    cells = {e.cell for e in protected.exposed}
    everybody = {e.cell for e in protected.exposed if e.attacker == EXTERNAL}
    return f"{len(cells):,} exposed, {len(everybody):,} of them to everybody"
