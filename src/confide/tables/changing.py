"""What methods that change values have in common: everything is published, and true values are only known to be near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from confide.linking.parallel import Progress
from confide.tables.method import PUBLISHED, TableOutcome, TableTask
from confide.tables.perturb.deduce import judged, seen
from confide.tables.suppression import Looks, onlookers
from confide.typing import FloatArray, IntArray

JUDGED = 5_000
"""Systems of at most so many cells are judged unless a method says otherwise; there is an interval for every cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Changed:
    """Values that are published in the place of the true ones."""

    word: str
    """What became of the cells: "rounded", "adjusted", "perturbed"."""
    values: FloatArray
    reach: tuple[FloatArray, FloatArray]
    """The least and the largest true value of each cell that its published value allows for."""
    costs: FloatArray
    """What readers lose with each cell."""
    told: tuple[str, ...]
    """What readers of the table are told."""
    notes: tuple[str, ...] = ()
    """What the agency should know."""
    kept: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Cells that are published as they are, which everybody knows."""
    lost: float | None = None
    """The distance to the true values, as the method counts it."""
    bound: float | None = None
    """The least distance that there can be."""
    finished: bool = True


def answered(
    asked: TableTask, found: Changed, who: Sequence[Looks], progress: Progress, *, judge: bool | None
) -> TableOutcome:
    """Judge changed values: what can be deduced of sensitive cells from all values and sums together.

    Args:
        asked: what was asked.
        found: what is published.
        who: who looks beside everybody.
        progress: called with how much of how much is done.
        judge: whether to judge; None: systems of up to 5,000 cells.
    """
    low, high = (ends.copy() for ends in found.reach)
    low[found.kept] = high[found.kept] = asked.system.values[found.kept]
    public = seen(asked.system, low, high)
    status = np.full(asked.system.n, found.word, dtype="<U12")
    status[found.kept] = PUBLISHED
    attackers, left_out = onlookers(who, asked)
    notes = [*found.notes, *left_out]
    if asked.previous.size:
        notes.append("every cell is published, so that the previous pattern is not used")
    proof = None
    if asked.system.n <= JUDGED if judge is None else judge:
        proof = judged(public, asked.protection, attackers, progress)
    else:
        why = "was not asked for" if judge is False else f"takes long for {asked.system.n:,} cells"
        notes.append(f"what can be deduced was not judged, it {why}; use judge=True, or audited() of the result")
    return TableOutcome(
        found.values, status, found.costs, proof, found.bound, found.finished, attackers, tuple(notes),
        public, found.lost, found.told,
    )  # fmt: skip
