"""Are variances and covariances kept?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import ClassVar

import numpy as np

from confide.release.released import Released
from confide.typing import FloatArray
from confide.utility.estimates import UNDEFINED, Estimate, covariance_of
from confide.utility.files import numbers
from confide.utility.kept import kept
from confide.utility.lost import still_known
from confide.utility.measure import SHARE, Utility
from confide.utility.of_variables import OfVariables


@dataclass(frozen=True, slots=True)
class CovariancesKept(OfVariables):
    """The mean efficiency of all variances and covariances: V / (V + bias^2), V being the variance before masking.

    Each is made of the records in which both variables are known, and counts for the share of them that the release leaves.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"x": [1.5, 2.0, 6.0, 3.5], "y": [0.5, 2.5, 4.0, 4.5]})
    >>> found = cf.CovariancesKept().of(cf.Release(cf.Noise("x", sd=0.1)).apply(data, seed=1))
    >>> found.to_frame()["estimate"].to_list()
    ['variance x', 'covariance x y', 'variance y']
    """

    name: ClassVar[str] = "covariances_kept"
    title: ClassVar[str] = "Covariances kept"
    larger_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = SHARE

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = self.files(released)
        names = self.names(files)
        values = {name: numbers(files, name, self.title) for name in names}
        own: dict[str, Estimate] = {}
        other: dict[str, Estimate] = {}
        known: dict[str, float] = {}
        for a, b in combinations_with_replacement(names, 2):
            called = f"variance {a}" if a == b else f"covariance {a} {b}"
            own[called] = _covariance(values[a][0], values[b][0], files.source_weights)
            other[called] = _covariance(values[a][1], values[b][1], files.released_weights)
            known[called] = still_known(files, [a, b])
        return kept(self, own, other, known, files.notes_on(names))


def _covariance(x: FloatArray | None, y: FloatArray | None, w: FloatArray) -> Estimate:
    """Estimate a covariance from the records that hold both values."""
    if x is None or y is None:
        return UNDEFINED
    both = ~(np.isnan(x) | np.isnan(y)) & (w > 0)
    return covariance_of(x, y, w) if bool(both.all()) else covariance_of(x[both], y[both], w[both])
