"""Are totals kept?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from confide.release.released import Released
from confide.typing import FloatArray
from confide.utility.estimates import Estimate, total_of
from confide.utility.groups import estimated
from confide.utility.kept import kept
from confide.utility.measure import SHARE, Utility
from confide.utility.of_variables import OfVariables


@dataclass(frozen=True, slots=True)
class TotalsKept(OfVariables):
    """The mean efficiency of totals: V / (V + bias^2), V being the variance of the total before masking.

    A file that leaves records out without raising their weights loses its totals. Missing values count nothing.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"debt": [0.5, 10.0, 400.0, 20.0]})
    >>> found = cf.TotalsKept("debt").of(cf.Release(cf.Topcode("debt", at=100)).apply(data, seed=1))
    >>> found.to_frame()["released"].round(3).to_list()
    [130.5]
    """

    name: ClassVar[str] = "totals_kept"
    title: ClassVar[str] = "Totals kept"
    larger_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = SHARE

    by: str | None = None
    """A variable whose levels are groups with totals of their own."""

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = self.files(released)
        names = self.names(files)
        return kept(self, *estimated(files, names, self.by, self.title, _total))


def _total(x: FloatArray, w: FloatArray, n: int) -> dict[str, Estimate]:
    """Estimate a total."""
    return {"total": total_of(x, w, n)}
