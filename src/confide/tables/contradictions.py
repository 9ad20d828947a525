"""Where a dominance rule contradicts itself, and which p per cent rule to use instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import TableError
from confide.tables.rules.dominance import DominanceRule
from confide.tables.rules.prior_posterior import PPercentRule, estimated
from confide.tables.table import Table
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class RuleContradictions:
    """Cells that a dominance rule calls safe and that are less safe than some it calls sensitive.

    Safety is what the paper measures: a coalition of the n second largest bounds the largest contribution from above; how
    far off, relative to it.
    """

    table: Table
    rule: DominanceRule
    closeness: FloatArray
    """For each cell, how far the bound is from the largest contribution, relative to it; NaN where all is 0."""
    sensitive: BoolArray
    """For each cell, what the rule says."""
    cells: IntArray
    """The safe cells that are less safe than some sensitive one, the least safe first."""
    safer: IntArray
    """For each of these, how many sensitive cells are safer."""

    @property
    def pairs(self) -> int:
        """How many pairs of cells the rule puts the wrong way round."""
        return int(self.safer.sum())

    @property
    def same_guarantee(self) -> PPercentRule | None:
        """The p per cent rule that promises all that this one does, in every table.

        In a cell that is safe by (n, k)-dominance the contributions after the n largest exceed 1 - k of the cell, and the
        largest is below k: n - 1 others cannot estimate it to within 100 (1 - k)/k per cent. The rule that asks just this
        calls fewer cells sensitive. For n = 1 only outsiders are kept off: coalition 0. None for k = 1, which promises
        nothing.
        """
        k = self.rule.k
        return PPercentRule(100 * (1 - k) / k, self.rule.n - 1) if k < 1 else None

    @property
    def same_number(self) -> PPercentRule | None:
        """The p per cent rule against the same coalition that calls about as many cells of this table sensitive.

        It calls at most as many sensitive, fewer where cells are equally safe; None when it would call none.
        """
        found = np.sort(self.closeness[np.isfinite(self.closeness)])
        many = int(np.count_nonzero(self.sensitive & np.isfinite(self.closeness)))
        if many == 0 or found[0] == found[min(many, found.size - 1)]:
            return None
        limit = found[many] if many < found.size else np.nextafter(found[-1], np.inf)
        return _at(float(limit), self.rule.n)

    @property
    def covering(self) -> PPercentRule | None:
        """The p per cent rule against the same coalition that calls all of these sensitive as well; None if none are."""
        chosen = self.closeness[self.sensitive & np.isfinite(self.closeness)]
        return _at(float(chosen.max()) * (1 + 1e-9) + 1e-9, self.rule.n) if chosen.size else None

    def frame(self) -> pl.DataFrame:
        """Give the contradicting cells: codes, value, closeness in per cent, how many sensitive cells are safer."""
        import polars as pl

        rows = self.table.frame()[self.cells]
        return rows.with_columns(
            pl.Series("estimated to within %", 100 * self.closeness[self.cells]),
            pl.Series("sensitive cells safer", self.safer),
        )

    def __repr__(self) -> str:
        """Say how many cells contradict the rule, and what to use instead."""
        rule = f"({self.rule.n}, {self.rule.k:g})-dominance"
        many, safe = int(self.sensitive.sum()), int((~self.sensitive).sum())
        lines = [
            f"{rule}: {many:,} cells sensitive, {safe:,} safe; {self.cells.size:,} of these less safe than a sensitive one"
        ]
        if self.cells.size:
            worst = int(self.cells[0])
            lines.append(
                f"  least safe: {self.table.cell_name(worst)}, to within {100 * self.closeness[worst]:.3g} per cent, "
                f"while {int(self.safer[0]):,} sensitive cells are safer"
            )
        instead = (
            ("same promise", self.same_guarantee),
            ("as many cells", self.same_number),
            ("all its cells", self.covering),
        )
        for what, found in instead:
            if found is not None:
                count = int(found.sensitive(self.table).sum())
                lines.append(
                    f"  {what}: PPercentRule({found.p:.6g}, coalition={found.coalition}), {count:,} cells sensitive"
                )
        return "\n".join(lines)


def rule_contradictions(table: Table, rule: DominanceRule) -> RuleContradictions:
    """Find the cells that a dominance rule calls safe though they are less safe than some it calls sensitive.

    Domingo-Ferrer and Torra 2004, section 3.2: a coalition of the n second largest contributors subtracts its own
    contributions from the cell and so bounds the largest one (A.1).

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"cell": ["a"] * 3 + ["b"] * 3, "x": [59, 40, 1, 61, 20, 19]})
    >>> print(cf.rule_contradictions(cf.tabulate(data, "cell", "x"), cf.DominanceRule(1, 0.6)))
    (1, 0.6)-dominance: 1 cells sensitive, 2 safe; 1 of these less safe than a sensitive one
      least safe: a, to within 1.69 per cent, while 1 sensitive cells are safer
      same promise: PPercentRule(66.6667, coalition=0), 1 cells sensitive
      as many cells: PPercentRule(31.1475, coalition=1), 1 cells sensitive
      all its cells: PPercentRule(31.1475, coalition=1), 2 cells sensitive
    """
    if not isinstance(rule, DominanceRule):
        raise TableError(f"contradictions are those of a DominanceRule; found {type(rule).__name__}")
    target, rest = estimated(table, rule.n)
    closeness = np.full(table.n, np.nan)
    np.divide(rest, target, out=closeness, where=target > 0)
    sensitive = rule.sensitive(table)
    marked = np.sort(closeness[sensitive & np.isfinite(closeness)])
    safe = np.flatnonzero(~sensitive & np.isfinite(closeness))
    safer = marked.size - np.searchsorted(marked, closeness[safe] + 1e-12, side="right")
    order = np.argsort(closeness[safe], kind="stable")
    order = order[safer[order] > 0]
    return RuleContradictions(table, rule, closeness, sensitive, safe[order].astype(np.int64), safer[order].astype(np.int64))


def _at(fraction: float, coalition: int) -> PPercentRule | None:
    """Make the rule that calls cells sensitive which are estimated to within less than a fraction."""
    return PPercentRule(100 * fraction, coalition) if fraction > 0 else None
