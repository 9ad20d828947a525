"""The coordinates in which a density has its simple form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from confide.intruder.appearance.check import as_finite_records
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Axes:
    """Values or their logarithms, made uncorrelated where there is a common covariance."""

    variables: int
    """The number of columns of a record."""
    logs: bool = False
    """Whether logarithms are taken."""
    whitening: FloatArray | None = None
    """W: a record x has coordinates W x; None: x itself."""

    def coordinates(self, records: npt.ArrayLike) -> FloatArray:
        """Give the coordinates of records; -inf throughout where a logarithm does not exist."""
        x = as_finite_records(records, self.variables)
        if not self.logs:
            return self.whiten(x)
        possible = np.all(x > 0, axis=1)
        z = self.whiten(np.log(np.where(possible[:, None], x, 1.0)))
        return np.where(possible[:, None], z, -np.inf)

    def jacobian(self, records: npt.ArrayLike) -> FloatArray:
        """Give the log of the change of scale at each record; -inf where a logarithm does not exist."""
        x = as_finite_records(records, self.variables)
        if not self.logs:
            return np.zeros(x.shape[0])
        possible = np.all(x > 0, axis=1)
        return np.where(possible, -np.log(np.where(possible[:, None], x, 1.0)).sum(axis=1), -np.inf)

    def whiten(self, x: FloatArray) -> FloatArray:
        """Give W x for every row x."""
        return x if self.whitening is None else np.ascontiguousarray(x @ self.whitening.T)

    def same_as(self, other: Axes) -> bool:
        """Say whether two axes give the same coordinates."""
        mine, others = self.whitening, other.whitening
        if self.logs != other.logs or self.variables != other.variables or (mine is None) != (others is None):
            return False
        return mine is None or np.array_equal(mine, others)  # type: ignore[arg-type]
