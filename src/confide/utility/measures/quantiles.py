"""Are quantiles kept?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from confide.errors import UtilityError
from confide.release.released import Released
from confide.typing import FloatArray
from confide.utility.estimates import Estimate, in_order, quantile_of
from confide.utility.groups import estimated
from confide.utility.kept import kept
from confide.utility.measure import SHARE, Utility
from confide.utility.of_variables import OfVariables


@dataclass(frozen=True, slots=True)
class QuantilesKept(OfVariables):
    """The mean efficiency of quantiles: V / (V + bias^2), V being the variance before masking after Woodruff (1952).

    A quantile is the smallest value with a share of at least p of the weight at or below it. Where many values are
    equal it has no sampling error; then only the same quantile counts as kept.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"debt": [float(x) ** 2 for x in range(1, 101)]})
    >>> found = cf.QuantilesKept("debt", [0.5]).of(cf.Release(cf.Round("debt", to=1000)).apply(data, seed=1))
    >>> found.to_frame().select("estimate", "source", "released").rows()
    [('quantile 0.5 debt', 2500.0, 2000.0)]
    """

    name: ClassVar[str] = "quantiles_kept"
    title: ClassVar[str] = "Quantiles kept"
    larger_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = SHARE

    shares: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 0.9)
    """The shares p, between 0 and 1."""
    by: str | None = None
    """A variable whose levels are groups with quantiles of their own."""

    def __post_init__(self) -> None:
        """Check the shares."""
        OfVariables.__post_init__(self)
        object.__setattr__(self, "shares", tuple(float(p) for p in self.shares))
        if not self.shares or not all(0 < p < 1 for p in self.shares) or len(set(self.shares)) < len(self.shares):
            raise UtilityError("QuantilesKept: shares are one or more different numbers between 0 and 1, as in [0.25, 0.5]")

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = self.files(released)
        names = self.names(files)
        return kept(self, *estimated(files, names, self.by, self.title, self._quantiles))

    def _quantiles(self, x: FloatArray, w: FloatArray, n: int) -> dict[str, Estimate]:  # noqa: ARG002
        """Estimate quantiles."""
        x, w = in_order(x, w)
        return {f"quantile {p:g}": quantile_of(x, w, p) for p in self.shares}
