"""Protect a table by controlled rounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import TableError
from confide.linking.parallel import Progress
from confide.tables.changing import Changed, answered
from confide.tables.method import TableOutcome, TableTask
from confide.tables.perturb.rounding import RoundingMethod, round_table
from confide.tables.suppression import Looks

ROUNDED = "rounded"
"""The status of rounded cells, those among them that were multiples already."""


@dataclass(frozen=True, slots=True)
class ControlledRounding:
    """Publish every cell as a multiple of a base, so that all sums hold; see `round_table`.

    Protection levels do not steer the rounding, they are judged: where cells are exposed, take a larger base.

    >>> import confide as cf
    >>> firms = cf.Microdata.from_dict({"area": list("nnnsss"), "trade": list("aabbbb"), "x": [90, 5, 40, 30, 20, 25]})
    >>> cf.protect_table(cf.tabulate(firms, ["area", "trade"], "x"), cf.PPercentRule(10), method=ControlledRounding(50))
    ProtectedTable(x by area, trade: 8 cells, all rounded; all protected)
    """

    base: float
    """What published values are multiples of."""
    method: RoundingMethod | None = None
    """How the rounding is sought: `OptimalRounding()` or `FamilyRounding()`; None: by the number of cells."""
    time_limit: float | None = None
    """Seconds for the search; without it the same input gives the same table."""
    power: float = 1.0
    """The power of the differences that is added up to the distance."""
    attackers: Sequence[Looks] = ()
    """Who looks beside everybody."""
    judge: bool | None = None
    """Whether to find what can be deduced; None: of systems with up to 5,000 cells."""

    @property
    def name(self) -> str:
        """What it is called in prints and pages."""
        return f"controlled rounding to multiples of {self.base:g}"

    def protect(self, asked: TableTask, progress: Progress) -> TableOutcome:
        """Round, and judge what can be deduced."""
        x = asked.system.values[asked.frozen]
        off = asked.frozen[np.abs(x - self.base * np.round(x / self.base)) > 1e-9 * np.maximum(1.0, np.abs(x))]
        if off.size:
            raise TableError(
                f"{off.size:,} frozen cell(s) are no multiples of {self.base:g} and cannot be kept by rounding: "
                f"{asked.system.listed(off)}; freeze fewer cells, or use another base or method"
            )
        found = round_table(
            asked.system, self.base, fixed=asked.frozen, power=self.power, method=self.method, time_limit=self.time_limit
        )
        steps = found.most_steps
        near = "a neighbouring multiple" if steps == 1 else f"a multiple less than {steps} times that away"
        told = f"Every value is a multiple of {self.base:g}: the true one was rounded to {near}, so that all sums hold."
        notes = (
            f"distance {found.distance:,.6g}: the changes of all cells; {found.stepped.size:,} took more than one step",
        )
        changed = Changed(
            ROUNDED, found.values, found.reach(), asked.priced(asked.system.costs), (told,), notes, asked.frozen,
            found.distance, found.bound, found.finished,
        )  # fmt: skip
        return answered(asked, changed, self.attackers, progress, judge=self.judge)
