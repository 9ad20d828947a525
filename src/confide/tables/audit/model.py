"""One linear programme that is kept and solved again with another objective, from where it stood."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csc_array, csr_array

from confide.errors import InternalError, TableError
from confide.typing import FloatArray, IntArray

if TYPE_CHECKING:
    import highspy


def solver(seconds: float | None = None) -> highspy.Highs:
    """Make a silent solver on one thread, so that the same input gives the same answer."""
    import highspy

    h = highspy.Highs()  # type: ignore[no-untyped-call]
    h.setOptionValue("output_flag", False)
    h.setOptionValue("threads", 1)
    h.setOptionValue("random_seed", 0)
    if seconds is not None:
        h.setOptionValue("time_limit", max(seconds, 0.01))
    return h


def pass_model(
    h: highspy.Highs,
    a: csr_array,
    columns: tuple[FloatArray, FloatArray, FloatArray],
    rows: tuple[FloatArray, FloatArray],
) -> None:
    """Give a solver its equations, columns (cost, lower, upper) and rows (lower, upper)."""
    import highspy

    by_column = csc_array(a)
    lp: Any = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = a.shape
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = columns
    lp.row_lower_, lp.row_upper_ = rows
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = by_column.indptr.astype(np.int32)
    lp.a_matrix_.index_ = by_column.indices.astype(np.int32)
    lp.a_matrix_.value_ = by_column.data.astype(np.float64)
    h.passModel(lp)


TYPICAL, LARGEST = 10, 1e15
"""Typical amounts are brought to 2 ** 10; of larger ones than 10 ** 15 then the solver keeps no digit that matters, and from
10 ** 20 on it takes them for endless."""


class WarmModel:
    """A d = 0, low <= d <= high; minimise one objective after the other."""

    def __init__(self, a: csr_array, low: FloatArray, high: FloatArray) -> None:
        size = np.concatenate([np.abs(low), np.abs(high)])
        size = size[np.isfinite(size) & (size > 0)]
        # amounts of about a thousand suit the solver's tolerances; a power of two changes no digit
        self.scale = 2.0 ** np.round(np.log2(np.median(size)) - TYPICAL) if size.size else 1.0
        if size.size and float(size.max()) > LARGEST * self.scale:
            raise TableError(
                f"one amount is more than {LARGEST / 2**TYPICAL:.0e} times the typical one of its table; amounts of such "
                "different size cannot be audited: check whether it is an error, or leave the cell out"
            )
        self.n = low.size
        self.solved = self.pivots = 0
        self.low, self.high = low, high
        self._h = solver()
        self._h.setOptionValue("presolve", "off")
        self._h.setOptionValue("solver", "simplex")
        self._h.setOptionValue("simplex_strategy", 4)
        zero = np.zeros(a.shape[0])
        pass_model(self._h, a, (np.zeros(self.n), low / self.scale, high / self.scale), (zero, zero))
        self._used = np.zeros(0, dtype=np.int64)

    def minimise(self, columns: IntArray, weights: FloatArray) -> FloatArray:
        """Give a solution with the least weighted sum; raise when there is none."""
        if self._used.size:
            self._cost(self._used, np.zeros(self._used.size))
        self._cost(columns, weights)
        self._used = columns
        import highspy

        self._h.run()
        self.solved += 1
        self.pivots += int(self._h.getInfo().simplex_iteration_count)
        status = self._h.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:  # once more from the beginning, with everything on
            self._h.clearSolver()
            for name, value in (("simplex_strategy", 1), ("presolve", "on")):
                self._h.setOptionValue(name, value)
            self._h.run()
            status = self._h.getModelStatus()
            for name, value in (("simplex_strategy", 4), ("presolve", "off")):
                self._h.setOptionValue(name, value)
        if status != highspy.HighsModelStatus.kOptimal:
            raise InternalError(f"a bound of the audit has no solution: {self._h.modelStatusToString(status)}")
        d = np.array(self._h.getSolution().col_value) * self.scale
        return np.clip(d, self.low, self.high)

    def duals(self) -> tuple[FloatArray, FloatArray]:
        """Give the multipliers of rows and the reduced costs of columns of the last solution."""
        found = self._h.getSolution()
        return np.array(found.row_dual), np.array(found.col_dual)

    def bound(self, columns: IntArray, low: FloatArray, high: FloatArray) -> None:
        """Change the bounds of columns."""
        self.low, self.high = self.low.copy(), self.high.copy()
        self.low[columns], self.high[columns] = low, high
        self._h.changeColsBounds(columns.size, columns.astype(np.int32), low / self.scale, high / self.scale)

    def _cost(self, columns: IntArray, weights: FloatArray) -> None:
        self._h.changeColsCost(columns.size, columns.astype(np.int32), weights.astype(np.float64))
