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

    def place(self, records: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Give the coordinates of records and the log of the change of scale; -inf where a logarithm does not exist."""
        x = as_finite_records(records, self.variables)
        if not self.logs:
            return self.whiten(x), np.zeros(x.shape[0])
        impossible = np.flatnonzero((x <= 0).any(axis=1))
        if impossible.size:
            x = x.copy()
            x[impossible] = 1.0
        logs = np.log(x)
        z, jacobian = self.whiten(logs), -logs.sum(axis=1)
        z[impossible], jacobian[impossible] = -np.inf, -np.inf
        return z, jacobian

    def coordinates(self, records: npt.ArrayLike) -> FloatArray:
        """Give the coordinates of records; -inf throughout where a logarithm does not exist."""
        return self.place(records)[0]

    def whiten(self, x: FloatArray) -> FloatArray:
        """Give W x for every row x."""
        return x if self.whitening is None else np.einsum("nk,lk->nl", x, self.whitening)

    def same_as(self, other: Axes) -> bool:
        """Say whether two axes give the same coordinates."""
        mine, others = self.whitening, other.whitening
        if self.logs != other.logs or self.variables != other.variables or (mine is None) != (others is None):
            return False
        return mine is None or np.array_equal(mine, others)  # type: ignore[arg-type]
