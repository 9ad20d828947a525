"""Are totals kept?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from confide.release.released import Released
from confide.typing import FloatArray
from confide.utility.estimates import Estimate, total_of
from confide.utility.files import Names, chosen, files_of
from confide.utility.groups import estimated
from confide.utility.kept import kept
from confide.utility.measure import SHARE, Unmasked, Utility


@dataclass(frozen=True, slots=True)
class TotalsKept(Unmasked):
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

    variables: Names = None
    """Numeric variables; None: all."""
    by: str | None = None
    """A variable whose levels are groups with totals of their own."""
    weights: bool = True
    """Whether records count by their survey weights, where the files have any."""

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = files_of(released, self.title, weights=self.weights)
        names = chosen(files, self.variables, self.title, numeric=True)
        return kept(self, *estimated(files, names, self.by, self.title, _total))


def _total(x: FloatArray, w: FloatArray, n: int) -> dict[str, Estimate]:
    """Estimate a total."""
    return {"total": total_of(x, w, n)}
