"""The map of additive noise by formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import MapError
from confide.rumap import check
from confide.rumap.analytic.choice import NoiseChoice, noise_for_risk
from confide.rumap.analytic.crossing import crossings
from confide.rumap.analytic.means import mean_utility, relative_utility
from confide.rumap.analytic.risk import snooper_risk
from confide.rumap.point import Point
from confide.rumap.snooper import Snooper
from confide.typing import FloatArray

if TYPE_CHECKING:
    import polars as pl

GRID = np.geomspace(0.005, 10.0, 120)
"""Noise variances as multiples of the variance of the values."""


@dataclass(frozen=True, slots=True, eq=False)
class AnalyticMap:
    """Risk and utility of added noise, for one or several snoopers."""

    n: int
    """The sample size."""
    sigma2: float
    """The variance of the values."""
    snoopers: tuple[Snooper, ...]
    """Who infers what, from what knowledge."""
    lambda2: FloatArray
    """The variances of the noise, from small to large."""
    risk: FloatArray
    """R: a row per snooper, a column per variance."""
    utility: FloatArray
    """U for each variance."""

    @property
    def efficiency(self) -> FloatArray:
        """U as a share of that without masking."""
        return relative_utility(self.lambda2, self.sigma2)

    @property
    def worst(self) -> FloatArray:
        """R of the most dangerous snooper, for each variance: protect against the worst (section III)."""
        return np.asarray(self.risk.max(axis=0))

    @property
    def points(self) -> tuple[Point, ...]:
        """Every point with its settings: one per snooper and variance."""
        return tuple(
            Point({"snooper": s.label, "lambda2": float(v)}, float(self.risk[i, k]), float(self.utility[k]))
            for i, s in enumerate(self.snoopers)
            for k, v in enumerate(self.lambda2)
        )

    def crossings(self, first: int = 0, second: int = 1) -> tuple[float, ...]:
        """Give the variances at which two snoopers of the map are equally dangerous.

        Args:
            first: the place of one snooper, counted from 0.
            second: the place of the other.
        """
        drawn = self.lambda2[self.lambda2 > 0] / self.sigma2
        if drawn.size < 2:
            raise MapError("a crossing is sought between the variances of the map; it needs at least two that are not zero")
        low, high = float(drawn.min()), float(drawn.max())
        return crossings(self.snoopers[first], self.snoopers[second], self.n, self.sigma2, low=low, high=high)

    def meets(self, max_risk: float) -> tuple[NoiseChoice, ...]:
        """Give, for each snooper, the least noise that keeps the risk at most at a limit, on the map or beyond."""
        return tuple(noise_for_risk(s, self.n, self.sigma2, max_risk) for s in self.snoopers)

    def to_frame(self) -> pl.DataFrame:
        """Give one row per snooper and variance."""
        import polars as pl

        s, k = self.risk.shape
        return pl.DataFrame(
            {
                "snooper": np.repeat([x.label for x in self.snoopers], k),
                "lambda2": np.tile(self.lambda2, s),
                "risk": self.risk.ravel(),
                "utility": np.tile(self.utility, s),
                "efficiency": np.tile(self.efficiency, s),
            }
        )

    def plot(self, path: str | Path, *, max_risk: float | None = None, title: str = "R-U confidentiality map") -> Path:
        """Draw the map into a file, by its ending as SVG, PNG or PDF; a file that is there is replaced.

        Args:
            path: where to.
            max_risk: where to draw the line of the largest tolerated risk.
            title: written above.
        """
        from confide.rumap.chart import Curve, draw_curves

        curves = [Curve(s.label, self.utility, self.risk[i]) for i, s in enumerate(self.snoopers)]
        return draw_curves(curves, Path(path), title=title, max_risk=max_risk)

    def __repr__(self) -> str:
        """Show a few points of every snooper."""
        shown = np.unique(np.linspace(0, self.lambda2.size - 1, min(6, self.lambda2.size)).round().astype(int))
        lines = [
            f"R-U map of added noise: n = {self.n:,}, variance {self.sigma2:g}, {self.lambda2.size} variances of noise",
            f"{'noise variance':34}" + "".join(f"{self.lambda2[k]:>11.4g}" for k in shown),
            f"{'utility':34}" + "".join(f"{self.utility[k]:>11.4g}" for k in shown),
        ]
        lines += [f"{s.label:34}" + "".join(f"{self.risk[i, k]:>11.4g}" for k in shown) for i, s in enumerate(self.snoopers)]
        return "\n".join(lines)


def analytic_map(
    snoopers: Sequence[Snooper] | Snooper,
    *,
    n: int,
    sigma2: float = 1.0,
    lambda2: Sequence[float] | FloatArray | None = None,
) -> AnalyticMap:
    """Map risk against utility as normal noise is added to a sample of normal values (section IV).

    Args:
        snoopers: who infers what, from what knowledge; one curve each.
        n: the sample size.
        sigma2: the variance of the values.
        lambda2: the variances of the noise; None: 120 between .005 and 10 times sigma2.

    >>> from confide.rumap.knowledge import KnowsRecord
    >>> found = analytic_map([Snooper(), Snooper(knows=KnowsRecord())], n=200, lambda2=[0.2, 1.0])
    >>> found.risk[1].tolist(), [round(float(u), 1) for u in found.utility]
    ([5.0, 1.0], [166.7, 100.0])
    >>> found.meets(5.0)[0].lambda2
    0.0
    """
    who = (snoopers,) if isinstance(snoopers, Snooper) else tuple(snoopers)
    if not who:
        raise MapError("a map needs at least one snooper, for example Snooper()")
    noise = (
        GRID * check.positive("sigma2", sigma2)
        if lambda2 is None
        else np.sort(np.atleast_1d(check.noise(np.asarray(lambda2))))
    )
    if noise.ndim != 1 or noise.size == 0:
        raise MapError("lambda2 must be a row of variances, at least one")
    risk = np.stack([snooper_risk(s, n, sigma2, noise) for s in who])
    return AnalyticMap(int(n), float(sigma2), who, noise, risk, mean_utility(n, sigma2, noise))
