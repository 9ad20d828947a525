"""Protect a table by controlled adjustment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from confide.linking.parallel import Progress
from confide.tables.changing import Changed, answered
from confide.tables.costs import CellCosts, EqualCosts
from confide.tables.method import TableOutcome, TableTask
from confide.tables.perturb.adjust import AdjustmentMethod, adjust_table
from confide.tables.perturb.beyond import beyond, in_units
from confide.tables.perturb.keys import RecordKeys
from confide.tables.perturb.swing import weights_of
from confide.tables.suppression import Looks, prices
from confide.typing import FloatArray

ADJUSTED = "adjusted"
"""The status of cells that an adjustment may change; nobody outside knows which it did."""


@dataclass(frozen=True, slots=True, eq=False)
class TabularAdjustment:
    """Move sensitive cells beyond their protection levels and others a little, so that all sums hold; see `adjust_table`.

    How far beyond is a secret random amount: up to the level again, or twenty units of the table's last decimal if that is
    more. Otherwise the true value of a cell of one respondent could be found by dividing, since rules are known.

    >>> import confide as cf
    >>> firms = cf.Microdata.from_dict({"area": list("nnnsss"), "trade": list("aabbbb"), "x": [90, 5, 40, 30, 20, 25]})
    >>> cf.protect_table(cf.tabulate(firms, ["area", "trade"], "x"), cf.PPercentRule(10), method=TabularAdjustment())
    ProtectedTable(x by area, trade: 8 cells, all adjusted; all protected)
    """

    method: AdjustmentMethod | None = None
    """How directions are sought: `OptimalAdjustment()` or `BalancedAdjustment()`; None: by the number of sensitive cells."""
    time_limit: float | None = None
    """Seconds for the search; without it the same input gives the same table."""
    costs: CellCosts | FloatArray = EqualCosts()  # noqa: RUF009  frozen
    """What readers lose with a whole cell; a change costs its share of the value. `EqualCosts()` makes relative changes
    small, `ValueCosts()` absolute ones."""
    told: float | None = None
    """The share of its value by which no cell was changed by more, if that is told with the table."""
    attackers: Sequence[Looks] = ()
    """Who looks beside everybody."""
    judge: bool | None = None
    """Whether to find what can be deduced; None: of systems with up to 5,000 cells."""
    keys: RecordKeys | None = None
    """What the amounts hang on: `RecordKeys(secret)` gives the same table again; None: a fresh secret each time."""

    @property
    def name(self) -> str:
        """What it is called in prints and pages."""
        return "controlled tabular adjustment"

    def protect(self, asked: TableTask, progress: Progress) -> TableOutcome:
        """Adjust, and judge what can be deduced."""
        costs = prices(self.costs, asked)
        levels = beyond(asked.table, asked.system, asked.protection, self.keys or RecordKeys())
        found = adjust_table(
            asked.system, levels, costs=costs * weights_of(asked.system, None), frozen=asked.frozen,
            method=self.method, time_limit=self.time_limit,
        )  # fmt: skip
        notes = [f"distance {found.distance:,.6g}: the changes of all cells as shares of their values, times the costs"]
        if asked.system.whole:
            notes.append("adjusted counts are not kept whole; ControlledRounding and CellKeys keep them so")
        told = ["Some values were changed by amounts that are not told, to protect single respondents; all sums hold."]
        if self.told is not None:
            told.append(f"No value was changed by more than {100 * self.told:g} per cent.")
        changed = Changed(
            ADJUSTED, in_units(asked.table, found.values), found.reach(self.told), costs, tuple(told), tuple(notes),
            asked.frozen, found.distance, found.bound, found.finished,
        )  # fmt: skip
        return answered(asked, changed, self.attackers, progress, judge=self.judge)
