"""Protect a table by noise that depends on the records of each cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import TableError
from confide.linking.parallel import Progress
from confide.tables.changing import Changed, answered
from confide.tables.method import TableOutcome, TableTask
from confide.tables.perturb.noise import CountNoise, MagnitudeNoise
from confide.tables.perturb.perturbed import Perturbed
from confide.tables.suppression import Looks

PERTURBED = "perturbed"
"""The status of cells with noise, those among them whose noise is 0."""


@dataclass(frozen=True, slots=True, eq=False)
class CellKeys:
    """Add noise to every cell that depends on its records only; see `perturb_cells`.

    The table must hold the keys of its cells: `tabulate(..., keys=RecordKeys(secret))`.

    >>> import confide as cf
    >>> people = cf.Microdata.from_dict({"sex": list("fmmfmmff") * 5, "area": list("nnss") * 10})
    >>> table = cf.tabulate(people, ["sex", "area"], keys=cf.RecordKeys(seed=3))
    >>> noise = cf.CountNoise(cf.PerturbationTable.of(3, 2.0))
    >>> cf.protect_table(table, cf.MinimumFrequency(6), method=CellKeys(noise))
    ProtectedTable(count by sex, area: 9 cells, all perturbed; all protected; reproducible: not for publication)
    """

    noise: CountNoise | MagnitudeNoise
    """The noise of counts, or of magnitudes."""
    attackers: Sequence[Looks] = ()
    """Who looks beside everybody."""
    judge: bool | None = None
    """Whether to find what can be deduced; None: of systems with up to 5,000 cells."""

    @property
    def name(self) -> str:
        """What it is called in prints and pages."""
        return "noise by cell keys"

    def protect(self, asked: TableTask, progress: Progress) -> TableOutcome:
        """Look up the noise, and judge what can be deduced."""
        counts = isinstance(self.noise, CountNoise)
        if counts != asked.table.counts:
            other = "a table of counts without weights needs CountNoise(...)" if asked.table.counts else (
                f"{asked.table.name!r} is no count of records, or has weights, and needs MagnitudeNoise(...)"
            )  # fmt: skip
            raise TableError(f"{type(self.noise).__name__} does not fit the table; {other}")
        if asked.frozen.size:
            raise TableError(
                f"{asked.frozen.size:,} cell(s) are frozen, and every cell has the noise of its records; freeze none, or "
                "use ControlledRounding or TabularAdjustment"
            )
        found = Perturbed.of(asked.table, self.noise)
        off = float(np.abs(found.differences).max(initial=0.0))
        notes = (f"distance {found.distance:,.6g}: the changes of all cells; sums are off by up to {off:,.6g}",)
        told = "Every value holds some noise, the same for the same respondents in every table; totals may differ from sums."
        changed = Changed(
            PERTURBED, found.values, found.told(asked.protection), asked.priced(asked.system.costs), (told,), notes,
            lost=found.distance,
        )  # fmt: skip
        return answered(asked, changed, self.attackers, progress, judge=self.judge)
