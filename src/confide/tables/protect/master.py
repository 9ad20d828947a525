"""The mixed-integer programme over patterns: which cells to suppress at the least cost under the inequalities so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from confide.errors import InternalError
from confide.tables.audit.model import pass_model, solver
from confide.tables.protect.proofs import Task
from confide.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import highspy

ALONE = 200_000
"""How many entries the inequalities may have that forbid a suppressed cell alone in its equation."""


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Weights of cells whose suppressed ones must sum to 1 at least."""

    cells: IntArray
    weights: FloatArray


class Whole(NamedTuple):
    """What the programme with whole cells gave."""

    pattern: BoolArray | None
    """The cheapest pattern found; None: the time was too short for any."""
    bound: float
    """What every pattern costs at least."""
    cheapest: bool
    """Whether the pattern is proven to be the cheapest under the inequalities."""


class Master:
    """Costs, inequalities, and the two ways to solve them."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.low = np.zeros(task.system.n)
        self.low[task.primary] = 1.0
        self.high = task.usable.astype(np.float64)
        self.unit = max(float(task.costs.max(initial=0.0)), 1e-300) / 1000
        self.cuts: list[tuple[IntArray, FloatArray, float]] = []
        self._alone()

    def _alone(self) -> None:
        """In an equation no cell of a pattern may stand alone: it would be known, and could as well be published."""
        a = self.task.system.equations
        asked = np.zeros(self.task.system.n, dtype=np.bool_)
        asked[self.task.protection.sensitive] = True
        size = np.diff(a.indptr)
        if float((size.astype(np.float64) ** 2).sum()) > ALONE:
            return
        for row in range(a.shape[0]):
            cells = a.indices[a.indptr[row] : a.indptr[row + 1]].astype(np.int64)
            for k in range(cells.size):
                w = np.ones(cells.size)
                w[k] = -1.0
                if self.high[cells[k]] > 0 and (self.low[cells[k]] == 0 or asked[cells[k]]):
                    self.cuts.append((cells, w, 0.0))

    def add(self, cuts: list[Cut]) -> None:
        """Add inequalities."""
        self.cuts += [(c.cells, c.weights, 1.0) for c in cuts]

    def broken(self) -> tuple[FloatArray, float]:
        """Solve with parts of cells; give the parts and the cost."""
        import highspy

        h = self._model(None)
        h.run()
        if h.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise InternalError(f"no pattern meets the inequalities: {h.modelStatusToString(h.getModelStatus())}")
        return np.array(h.getSolution().col_value), float(h.getInfo().objective_function_value) * self.unit

    def whole(self, seconds: float | None) -> Whole:
        """Solve with whole cells."""
        import highspy

        h = self._model(seconds)
        n = self.task.system.n
        h.setOptionValue("mip_rel_gap", 1e-7)
        kinds = np.full(n, highspy.HighsVarType.kInteger)
        h.changeColsIntegrality(n, np.arange(n, dtype=np.int32), kinds)
        h.run()
        info = h.getInfo()
        low = float(info.mip_dual_bound) * self.unit
        there = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        pattern = np.array(h.getSolution().col_value) > 0.5 if there else None
        return Whole(pattern, low if np.isfinite(low) else 0.0, h.getModelStatus() == highspy.HighsModelStatus.kOptimal)

    def _model(self, seconds: float | None) -> highspy.Highs:
        h = solver(seconds)
        ends = np.cumsum([0] + [c.size for c, _, _ in self.cuts])
        if self.cuts:
            places, weights = np.concatenate([c for c, _, _ in self.cuts]), np.concatenate([w for _, w, _ in self.cuts])
        else:
            places, weights = np.zeros(0, dtype=np.int64), np.zeros(0)
        a = csr_array((weights, places, ends), shape=(len(self.cuts), self.task.system.n))
        least = np.array([b for _, _, b in self.cuts])
        pass_model(h, a, (self.task.costs / self.unit, self.low, self.high), (least, np.full(least.size, np.inf)))
        return h
