"""The map of one file by repeated masking (section V)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from confide.errors import MapError
from confide.rumap import check
from confide.rumap.empirical.estimates import (
    Sample,
    knows_place,
    risk_and_error,
    sample_of,
    squared_errors,
    utility_and_error,
)
from confide.rumap.empirical.masking import AddedNoise
from confide.rumap.point import Point
from confide.rumap.snooper import Snooper
from confide.seeds import Stream
from confide.typing import FloatArray

if TYPE_CHECKING:
    import polars as pl

    from confide.rumap.chart import Curve

FRACTIONS = (0.05, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Noise variances as shares of the sample variance, from 5 to 100 per cent as in the paper."""
BLOCK = 100_000
"""How many masked values are held at once, if there are more than one replicate of them; they stay in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class EmpiricalMap:
    """Risk and utility of one file under added noise, estimated from replicates, with their errors."""

    n: int
    """The number of records."""
    variance: float
    """S², the variance of the true values."""
    masking: AddedNoise
    """Bounds and unequal variances."""
    snoopers: tuple[Snooper, ...]
    """Who infers what, from what knowledge."""
    lambda2: FloatArray
    """The variances of the noise, from small to large."""
    replicates: int
    """M."""
    seed: int
    """The seed of the noise."""
    risk: FloatArray
    """R: a row per snooper, a column per variance."""
    risk_error: FloatArray
    """The standard errors of R; not a number where R is infinite."""
    utility: FloatArray
    """U for each variance."""
    utility_error: FloatArray
    """The standard errors of U."""

    @property
    def efficiency(self) -> FloatArray:
        """U as a share of n/S², that without masking."""
        return np.asarray(self.utility * self.variance / self.n)

    def risk_interval(self, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Give the ends of the Monte Carlo intervals of R, formed on the log scale."""
        return _interval(self.risk, self.risk_error, level)

    def utility_interval(self, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Give the ends of the Monte Carlo intervals of U, formed on the log scale."""
        return _interval(self.utility, self.utility_error, level)

    @property
    def points(self) -> tuple[Point, ...]:
        """Every point with its settings: one per snooper and variance."""
        return tuple(self.point(i, k) for i in range(len(self.snoopers)) for k in range(self.lambda2.size))

    def point(self, i: int, k: int) -> Point:
        """Give the point of the i-th snooper at the k-th variance."""
        error = float(self.risk_error[i, k])
        return Point(
            {
                "snooper": self.snoopers[i].label,
                "masking": self.masking.label,
                "lambda2": float(self.lambda2[k]),
                "replicates": self.replicates,
                "seed": self.seed,
            },
            float(self.risk[i, k]),
            float(self.utility[k]),
            error if np.isfinite(error) else None,
            float(self.utility_error[k]),
        )

    def meets(self, max_risk: float, *, level: float | None = None) -> tuple[Point | None, ...]:
        """Give, for each snooper, the most useful point of the map whose risk is at most a limit; None if no point is.

        Args:
            max_risk: the largest R that is tolerated.
            level: ask for the upper end of the Monte Carlo interval of this level, instead of the estimate.
        """
        limit = check.limit(max_risk)
        risk = self.risk if level is None else self.risk_interval(level)[1]
        found: list[Point | None] = []
        for i in range(len(self.snoopers)):
            fits = np.flatnonzero(risk[i] <= limit)
            found.append(self.point(i, int(fits[np.argmax(self.utility[fits])])) if fits.size else None)
        return tuple(found)

    def to_frame(self) -> pl.DataFrame:
        """Give one row per snooper and variance, with intervals of 95 per cent."""
        import polars as pl

        s, k = self.risk.shape
        (low, high), (left, right) = self.risk_interval(), self.utility_interval()
        return pl.DataFrame(
            {
                "snooper": np.repeat([x.label for x in self.snoopers], k),
                "lambda2": np.tile(self.lambda2, s),
                "risk": self.risk.ravel(),
                "risk_low": low.ravel(),
                "risk_high": high.ravel(),
                "utility": np.tile(self.utility, s),
                "utility_low": np.tile(left, s),
                "utility_high": np.tile(right, s),
                "efficiency": np.tile(self.efficiency, s),
            }
        )

    def plot(
        self,
        path: str | Path,
        *,
        beside: Sequence[EmpiricalMap] = (),
        max_risk: float | None = None,
        title: str = "Empirical R-U confidentiality map",
    ) -> Path:
        """Draw the map with its intervals into a file, by its ending as SVG, PNG or PDF; a file that is there is replaced.

        Args:
            path: where to.
            beside: other maps to draw into the same picture, told apart by their masking.
            max_risk: where to draw the line of the largest tolerated risk.
            title: written above.
        """
        from confide.rumap.chart import draw_curves

        curves = [curve for found in (self, *beside) for curve in found.curves(named=bool(beside))]
        return draw_curves(curves, Path(path), title=title, max_risk=max_risk, marks=True)

    def curves(self, *, named: bool = False) -> list[Curve]:
        """Give what is drawn, one curve per snooper; named: with the masking in the legend."""
        from confide.rumap.chart import Curve

        (low, high), (left, right) = self.risk_interval(), self.utility_interval()
        return [
            Curve(
                s.label + (f", {self.masking.label}" if named else ""),
                self.utility,
                self.risk[i],
                low[i],
                high[i],
                left,
                right,
            )
            for i, s in enumerate(self.snoopers)
        ]

    def __repr__(self) -> str:
        """Show a few points of every snooper."""
        shown = np.unique(np.linspace(0, self.lambda2.size - 1, min(6, self.lambda2.size)).round().astype(int))
        lines = [
            f"Empirical R-U map: {self.n:,} records, {self.masking.label}, {self.replicates} replicates, seed {self.seed}",
            f"{'noise variance':34}" + "".join(f"{self.lambda2[k]:>11.4g}" for k in shown),
            f"{'utility':34}" + "".join(f"{self.utility[k]:>11.4g}" for k in shown),
        ]
        lines += [f"{s.label:34}" + "".join(f"{self.risk[i, k]:>11.4g}" for k in shown) for i, s in enumerate(self.snoopers)]
        with np.errstate(invalid="ignore"):
            off = float(np.nanmax(self.risk_error / self.risk, initial=0.0))
        lines.append(f"standard errors: risk up to {off:.1%}, utility up to {np.max(self.utility_error / self.utility):.2%}")
        return "\n".join(lines)


def empirical_map(
    x: Sequence[float] | FloatArray,
    snoopers: Sequence[Snooper] | Snooper,
    *,
    masking: AddedNoise | None = None,
    fractions: Sequence[float] | FloatArray | None = None,
    lambda2: Sequence[float] | FloatArray | None = None,
    replicates: int = 200,
    seed: int,
) -> EmpiricalMap:
    """Map risk against utility of a file as noise is added: mask it many times and see (section V).

    All variances and all snoopers share the same draws, and so do maps with the same seed: they differ by what was
    set, not by luck.

    Args:
        x: the true values, one per record.
        snoopers: target and knowledge: the sample's own place, or the record.
        masking: bounds and unequal variances; None: neither.
        fractions: the variances of the noise as shares of the sample variance; None: 14 from .05 to 1.
        lambda2: the variances themselves, instead of fractions.
        replicates: M, how often the file is masked at each variance.
        seed: one integer; the same seed gives the same map.

    >>> from confide.rumap.knowledge import KnowsSample
    >>> from confide.rumap.targets import AtMinimum
    >>> found = empirical_map([2.0, 3.0, 5.0, 8.0, 20.0], Snooper(AtMinimum(), KnowsSample()), fractions=[0.1, 1.0],
    ...                       masking=AddedNoise(lower=0), seed=1)
    >>> found.meets(0.2)  # truncation at 0 tells that the smallest is within 2
    (None,)
    """
    sample, how = sample_of(x), AddedNoise() if masking is None else masking
    who = (snoopers,) if isinstance(snoopers, Snooper) else tuple(snoopers)
    if not who:
        raise MapError("a map needs at least one snooper, for example Snooper(AtMaximum(), KnowsSample())")
    knows_place(who)
    if isinstance(replicates, bool) or int(replicates) != replicates or replicates < 2:
        raise MapError(f"replicates must be a whole number of at least 2, found {replicates!r}")
    outside = how.outside(sample.x)
    if outside:
        raise MapError(
            f"{outside} of {sample.x.size} values lie outside the bounds of the masking already; widen the bounds"
        )
    variance = float(sample.x.var(ddof=1))
    noise = _variances(fractions, lambda2, variance)
    squared, means, variances = _replicated(sample, who, how, noise, int(replicates), int(seed))
    risk, risk_error = risk_and_error(squared)
    utility, utility_error = utility_and_error(sample, means, variances)
    return EmpiricalMap(
        sample.x.size, variance, how, who, noise, int(replicates), int(seed), risk, risk_error, utility, utility_error
    )


def _variances(
    fractions: Sequence[float] | FloatArray | None, lambda2: Sequence[float] | FloatArray | None, variance: float
) -> FloatArray:
    """Give the variances of the noise, from small to large."""
    if fractions is not None and lambda2 is not None:
        raise MapError("give fractions of the sample variance or lambda2, not both")
    if lambda2 is None:
        if variance == 0:
            raise MapError("all values are equal, so shares of their variance are no noise; give lambda2")
        noise = variance * check.noise(np.asarray(FRACTIONS if fractions is None else fractions))
    else:
        noise = check.noise(np.asarray(lambda2))
    noise = np.sort(np.atleast_1d(noise))
    if noise.ndim != 1 or noise.size == 0:
        raise MapError("give a row of variances of the noise, at least one")
    if variance == 0 and noise[0] == 0:
        raise MapError("all values are equal and no noise is added, so the user makes no error and U is infinite")
    return noise


def _replicated(
    sample: Sample, who: Sequence[Snooper], how: AddedNoise, noise: FloatArray, replicates: int, seed: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mask the file again and again; give squared errors, means and variances of every replicate."""
    n = sample.x.size
    keys, stream = np.arange(n, dtype=np.int64), Stream(seed, "empirical R-U map")
    factors, sds = how.factors(sample.x), np.sqrt(noise)
    squared = np.empty((len(who), noise.size, replicates))
    means, variances = np.empty((noise.size, replicates)), np.empty((noise.size, replicates))
    step = max(1, BLOCK // n)
    for start in range(0, replicates, step):
        block = range(start, min(start + step, replicates))
        draws = np.stack([stream.normal(keys, draw=m) for m in block]) * factors
        for k, sd in enumerate(sds):
            y = how.masked(sample.x, sd * draws)
            squared[:, k, block.start : block.stop] = squared_errors(sample, y, who)
            means[k, block.start : block.stop] = y.mean(axis=1)
            variances[k, block.start : block.stop] = y.var(axis=1, ddof=1)
    return squared, means, variances


def _interval(value: FloatArray, error: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Give the ends of normal intervals of the logarithm; an infinite value is its own interval."""
    z = float(ndtri((1 + check.share("level", level)) / 2))
    with np.errstate(invalid="ignore", over="ignore"):
        reach = np.where(np.isfinite(value), np.exp(z * error / value), 1.0)
    return np.asarray(value / reach), np.asarray(value * reach)
