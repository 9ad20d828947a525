"""Are means kept?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from confide.release.released import Released
from confide.typing import FloatArray
from confide.utility.estimates import Estimate, mean_of
from confide.utility.groups import estimated
from confide.utility.kept import kept
from confide.utility.measure import SHARE, Utility
from confide.utility.of_variables import OfVariables


@dataclass(frozen=True, slots=True)
class MeansKept(OfVariables):
    """The mean efficiency of means: V / (V + bias^2), V being the variance of the mean before masking.

    It is 1 where every mean is kept, 0.5 where masking adds an error as large as that of sampling. Means of variables or
    groups that are not released count 0.

    >>> import confide as cf
    >>> cps = cf.examples.cps()
    >>> masked = cf.Release(cf.Noise("age", sd=20)).apply(cps, seed=1)
    >>> 0 < cf.MeansKept("age").of(masked).value < 1
    True
    >>> cf.MeansKept("age").unmasked(cps).value
    1.0
    """

    name: ClassVar[str] = "means_kept"
    title: ClassVar[str] = "Means kept"
    larger_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = SHARE

    by: str | None = None
    """A variable whose levels are groups with means of their own."""

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = self.files(released)
        names = self.names(files)
        return kept(self, *estimated(files, names, self.by, self.title, _mean))


def _mean(x: FloatArray, w: FloatArray, n: int) -> dict[str, Estimate]:  # noqa: ARG001  a mean needs no size of the file
    """Estimate a mean."""
    return {"mean": mean_of(x, w)}
