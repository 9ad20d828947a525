"""The utility of the R-U map: one over the mean squared error of a mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import UtilityError
from confide.release.released import Released
from confide.typing import FloatArray
from confide.utility.estimates import Estimate, mean_of
from confide.utility.files import files_of, numbers
from confide.utility.measure import LOSS, Unmasked, Utility


@dataclass(frozen=True, slots=True)
class MeanPrecision(Unmasked):
    """U = 1 / (s^2/n + (mean - source mean)^2), eq. (13) and (14) of Duncan, Keller-McNulty and Stokes.

    s^2/n is what a user of the released file takes for the variance of its mean, and at least that of the source: a release
    whose values differ less knows the mean no better, be they put together, topcoded or simulated. One file shows one draw
    of the noise, which then counts in both terms; `over` takes M releases of different seeds, as eq. (14) does. `MeansKept`
    is the measure for several variables.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"income": [1.5, 2.0, 6.0, 3.5]})
    >>> round(cf.MeanPrecision("income").unmasked(data).value, 6), round(4 / 4.083333, 6)
    (0.979592, 0.979592)
    """

    name: ClassVar[str] = "mean_precision"
    larger_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = LOSS

    variable: str
    """The numeric variable whose mean is wanted."""
    weights: bool = True
    """Whether records count by their survey weights, where the files have any."""

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return f"Precision of the mean of {self.variable}"

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        return self.over([released])

    def over(self, released: Sequence[Released]) -> Utility:
        """Take the measure over releases of one source with different seeds, eq. (14), with its Monte Carlo error."""
        if not released:
            raise UtilityError(f"{self.title}: give one released file or more")
        pairs = [self._means(file) for file in released]
        wanted, own = pairs[0][0].value, pairs[0][0].variance
        if any(pair[0] != pairs[0][0] for pair in pairs):
            raise UtilityError(f"{self.title}: all releases must have the same source")
        means = np.array([pair[1].value for pair in pairs])
        variances = np.array([pair[1].variance for pair in pairs])
        bias = float(means.mean()) - wanted
        error = max(float(variances.mean()), own) + bias**2
        if not error > 0:
            raise UtilityError(f"{self.title} is infinite: the mean has no error at all; is {self.variable!r} constant?")
        m, se = len(pairs), None
        if m > 1:
            # the derivative of the mean squared error along the variance and the mean of each replicate
            varies = float(variances.mean()) > own
            along: FloatArray = variances * varies + 2 * bias * means
            se = float(along.std(ddof=1)) / math.sqrt(m) / error**2
        parts = {
            "replicate": list(range(m)),
            "source": [wanted] * m,
            "source_variance": [own] * m,
            "released": means.tolist(),
            "variance": variances.tolist(),
        }
        return Utility(self, 1.0 / error, parts, se)

    def _means(self, released: Released) -> tuple[Estimate, Estimate]:
        """Give the means of both files."""
        files = files_of(released, self.title, weights=self.weights)
        files.source.column(self.variable)
        found = []
        both = numbers(files, self.variable, self.title)
        for x, w in zip(both, (files.source_weights, files.released_weights), strict=True):
            if x is None:
                raise UtilityError(f"{self.title}: {self.variable!r} is not in the release")
            known = ~np.isnan(x) & (w > 0)
            made = mean_of(x[known], w[known])
            if math.isnan(made.variance):
                raise UtilityError(f"{self.title} needs two known values or more in both files")
            found.append(made)
        return found[0], found[1]
