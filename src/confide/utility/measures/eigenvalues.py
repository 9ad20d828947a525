"""The change of the eigenvalues of the correlations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import UtilityError
from confide.release.released import Released
from confide.utility.matrices import correlations
from confide.utility.measure import LOSS, Utility
from confide.utility.of_variables import OfVariables

COLLINEAR = 1e-10
"""An eigenvalue of correlations below this is rounding."""


@dataclass(frozen=True, slots=True)
class EigenvalueLoss(OfVariables):
    """The sum of abs(e - e') / e, e being the eigenvalues of the correlations in the source, e' in the release, in order.

    It is the `eigen` measure of sdcMicro. It is undefined where a variable follows from others, as then e = 0, and where one
    is not released or wholly blank. Blanks in the release add the share of complete records that they cost, for each
    eigenvalue.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"x": [1.5, 2.0, 6.0, 3.5], "y": [0.5, 2.5, 4.0, 4.5]})
    >>> cf.EigenvalueLoss().unmasked(data).value
    0.0
    """

    name: ClassVar[str] = "eigenvalue_loss"
    title: ClassVar[str] = "Change of eigenvalues"
    larger_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = LOSS
    at_least: ClassVar[int] = 2

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = self.files(released)
        names = self.names(files)
        own, other, known, notes = correlations(files, names, self.title)
        e, changed = (np.linalg.eigvalsh(r)[::-1] for r in (own, other))
        if e[-1] <= COLLINEAR:
            raise UtilityError(
                f"{self.title}: in the source file one of {', '.join(names[:10])} follows from the others, so that an "
                "eigenvalue is 0 and its relative change is undefined; leave one out with variables=[...]"
            )
        loss = np.abs(e - changed) / e + (1 - known)
        parts = {"source": e.tolist(), "released": changed.tolist(), "loss": loss.tolist()}
        return Utility(self, float(loss.sum()), parts, None, notes)
