"""The change of what the correlations say about each variable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import UtilityError
from confide.release.released import Released
from confide.typing import FloatArray
from confide.utility.matrices import correlations
from confide.utility.measure import SHARE, Utility
from confide.utility.measures.eigenvalues import COLLINEAR
from confide.utility.of_variables import OfVariables


@dataclass(frozen=True, slots=True)
class CorrelationLoss(OfVariables):
    """How far the diagonals of the inverse correlations are from each other, from 0 to 1 (Młodak 2020).

    Both diagonals, the variance inflation factors, are taken as vectors of length one; the loss is their distance divided by
    the root of two, as `IL_correl` of sdcMicro. Two variables always inflate each other alike, so that three or more are
    needed. Where the release has blanks, what is kept counts for the share of complete records that they leave. It is
    undefined where a variable is not released or wholly blank.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"x": [1.5, 2.0, 6.0, 3.5], "y": [0.5, 2.5, 4.0, 4.5], "z": [1.5, 0.5, 0.1, 7.5]})
    >>> cf.CorrelationLoss().unmasked(data).value
    0.0
    """

    name: ClassVar[str] = "correlation_loss"
    title: ClassVar[str] = "Change of correlations"
    larger_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = SHARE
    at_least: ClassVar[int] = 3

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = self.files(released)
        names = self.names(files)
        own, other, known, notes = correlations(files, names, self.title)
        a, b = self._inflation(own, "source file"), self._inflation(other, "released file")
        gap = a / np.linalg.norm(a) - b / np.linalg.norm(b)
        parts = {"variable": list(names), "source": a.tolist(), "released": b.tolist()}
        loss = 1 - known * (1 - float(np.linalg.norm(gap) / np.sqrt(2.0)))
        return Utility(self, loss, parts, None, notes)

    def _inflation(self, r: FloatArray, file: str) -> FloatArray:
        """Give the diagonal of the inverse; raise where there is none."""
        if np.linalg.eigvalsh(r)[0] <= COLLINEAR:
            raise UtilityError(
                f"{self.title}: in the {file} a variable follows from the others, so that the correlations have no inverse; "
                "leave one out with variables=[...]"
            )
        return np.asarray(np.diag(np.linalg.inv(r)), dtype=np.float64)
