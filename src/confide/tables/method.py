"""What a method of protecting a table is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from confide.linking.parallel import Progress
from confide.tables.attackers import Attacker
from confide.tables.audit.result import Audit
from confide.tables.protection import Protection
from confide.tables.system import System
from confide.tables.table import Table
from confide.typing import FloatArray, IntArray

StatusArray: TypeAlias = npt.NDArray[np.str_]
PUBLISHED, PRIMARY, SECONDARY = "published", "primary", "secondary"
"""What becomes of a cell; methods that change values have words of their own, such as "rounded"."""


@dataclass(frozen=True, slots=True, eq=False)
class TableTask:
    """What is asked of a method: the cells, how little may be learned of them, and what is fixed beforehand."""

    table: Table
    """The table, or the linked ones as one."""
    system: System
    """Its cells and sums."""
    protection: Protection
    """What must remain unknown."""
    primary: IntArray
    """The sensitive cells."""
    frozen: IntArray
    """Cells that must be published."""
    previous: IntArray
    """Cells that were not published last time."""
    costs: FloatArray
    """Costs given for single cells; NaN where none is."""

    def priced(self, costs: FloatArray) -> FloatArray:
        """Put given costs in the place of others."""
        return np.where(np.isnan(self.costs), costs, self.costs)


@dataclass(frozen=True, slots=True, eq=False)
class TableOutcome:
    """What a method answers, for each cell of the system."""

    values: FloatArray
    """What is published; NaN where nothing is."""
    status: StatusArray
    """What became of each cell."""
    costs: FloatArray
    """What readers lose with each cell that is not published."""
    audit: Audit | None = None
    """The proof; None where a large table with changed values was not judged."""
    bound: float | None = None
    """What every pattern that protects costs at least, or how far away every such table is; None: not known."""
    finished: bool = True
    """Whether the method came to its end."""
    attackers: tuple[Attacker, ...] = ()
    """Who was taken to look beside everybody."""
    notes: tuple[str, ...] = ()
    """What readers of the result should know."""
    seen: System | None = None
    """Where values are changed: the cells with what everybody knows of them from the published values."""
    lost: float | None = None
    """Where values are changed: the distance to the true ones, which `bound` bounds."""
    told: tuple[str, ...] = ()
    """Sentences that are published with the table."""


@runtime_checkable
class TableMethod(Protocol):
    """A way to protect a table."""

    @property
    def name(self) -> str:
        """What it is called in prints and pages."""

    def protect(self, asked: TableTask, progress: Progress) -> TableOutcome:
        """Protect what is asked; raise `Unprotectable` where nothing does."""


def statuses(n: int, primary: IntArray, secondary: IntArray) -> StatusArray:
    """Write the status of each cell.

    >>> statuses(3, np.array([1]), np.array([2])).tolist()
    ['published', 'primary', 'secondary']
    """
    found = np.full(n, PUBLISHED, dtype="<U12")
    found[secondary], found[primary] = SECONDARY, PRIMARY
    return found
