"""What was stated against what is true, bin by bin, with the error between replicates."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from confide.errors import IntruderError
from confide.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    import polars as pl

EDGES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
"""Where probabilities are cut into bins."""
SAME = 1e-9
"""Relative differences below this are rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Reliability:
    """Sums over what falls into each bin (or group), one row for each time the file was masked.

    A probability is calibrated when, among all cases where p is stated, the share p comes true. The error of
    true minus stated is that between replicates.

    >>> stated, true = np.array([[1.0, 8], [1, 8]]), np.array([[0.0, 8], [2, 8]])
    >>> found = Reliability(("low", "high"), np.full((2, 2), 10.0), stated, true)
    >>> found.difference.tolist(), found.standard_error.tolist()
    ([0.0, 0.0], [1.0, 0.0])
    """

    names: tuple[str, ...]
    """What the bins are called."""
    count: FloatArray
    """How many cases fall into each bin, replicates by bins."""
    stated: FloatArray
    """The sum of their probabilities: how many should come true."""
    true: FloatArray
    """How many came true."""

    def __post_init__(self) -> None:
        """Check the shapes."""
        if not self.count.shape == self.stated.shape == self.true.shape or self.count.shape[1:] != (len(self.names),):
            raise IntruderError("a reliability needs three tables of the same shape, replicates by bins")

    @property
    def replicates(self) -> int:
        """How often the file was masked."""
        return int(self.count.shape[0])

    @property
    def difference(self) -> FloatArray:
        """True minus stated, per replicate, of each bin; positive: the risk is understated."""
        return np.asarray((self.true - self.stated).mean(axis=0), dtype=np.float64)

    @property
    def standard_error(self) -> FloatArray:
        """The standard error of the difference, from what varies between replicates."""
        spread = (self.true - self.stated).std(axis=0, ddof=1)
        return np.asarray(spread / np.sqrt(self.replicates), dtype=np.float64)

    @property
    def varied(self) -> BoolArray:
        """Say for each bin whether true minus stated differed between replicates; if not, there is no error to know."""
        spread, size = np.ptp(self.true - self.stated, axis=0), 1.0 + self.stated.max(axis=0)
        return np.asarray(spread > SAME * size, dtype=np.bool_)

    def half_width(self, level: float = 0.95, *, together: bool = False) -> FloatArray:
        """Give half the width of the interval of the difference, by Student's t between replicates; nan: nothing varied.

        Args:
            level: how sure the interval is.
            together: whether all bins' intervals are to hold at once (Bonferroni).
        """
        tail = (1 - level) / 2 / (len(self.names) if together else 1)
        half = stats.t.isf(tail, self.replicates - 1) * self.standard_error
        return np.asarray(np.where(self.varied, half, np.nan), dtype=np.float64)

    @property
    def z(self) -> FloatArray:
        """The difference in standard errors, as a normal deviate, never surer than counting allows.

        The deviate of Student's t between replicates, or that of a Poisson count of what came true (or did not,
        whichever is rarer) if it is nearer zero: rare events are no normal sum.
        """
        se = self.standard_error
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(self.difference == 0, 0.0, self.difference / se)
        between = np.sign(t) * stats.norm.isf(stats.t.sf(np.abs(t), self.replicates - 1))
        stated, true, count = self.stated.sum(axis=0), self.true.sum(axis=0), self.count.sum(axis=0)
        missed = -counting_deviate(count - true, np.maximum(count - stated, 0))
        counting = np.where(stated <= count / 2, counting_deviate(true, stated), missed)
        agree = np.sign(between) * np.sign(counting) > 0
        return np.where(agree, np.sign(between) * np.minimum(np.abs(between), np.abs(counting)), 0.0)

    def to_frame(self) -> pl.DataFrame:
        """Give one row per bin that is not empty: means over the replicates, with an interval where anything varied."""
        import polars as pl

        half = self.half_width()
        frame = pl.DataFrame(
            {
                "bin": list(self.names),
                "cases": self.count.mean(axis=0),
                "stated": self.stated.mean(axis=0),
                "true": self.true.mean(axis=0),
                "difference": self.difference,
                "low": self.difference - half,
                "high": self.difference + half,
            }
        ).with_columns(pl.col("low", "high").fill_nan(None))
        return frame.filter(pl.col("cases") > 0)


def counting_deviate(true: FloatArray, expected: FloatArray) -> FloatArray:
    """Give the normal deviate of a Poisson count: positive where more came true than expected.

    >>> counting_deviate(np.array([3.0]), np.array([3.0])).tolist()
    [0.0]
    >>> counting_deviate(np.array([30.0]), np.array([10.0])).round(1).tolist()
    [5.0]
    """
    above = stats.norm.isf(np.clip(2 * stats.poisson.sf(true - 1, expected), 1e-300, 1.0) / 2)
    below = stats.norm.isf(np.clip(2 * stats.poisson.cdf(true, expected), 1e-300, 1.0) / 2)
    return np.asarray(np.where(true > expected, above, np.where(true < expected, -below, 0.0)), dtype=np.float64)


def bin_names(edges: tuple[float, ...] = EDGES) -> tuple[str, ...]:
    """Name the bins of probabilities.

    >>> bin_names((0.0, 0.5, 1.0))
    ('0 to 0.5', '0.5 to 1')
    """
    return tuple(f"{a:g} to {b:g}" for a, b in itertools.pairwise(edges))


def sums(p: FloatArray, true: FloatArray, place: FloatArray, bins: int, weight: FloatArray | None = None) -> FloatArray:
    """Count the cases of each bin, and add up what is stated and what is true; three rows."""
    w = np.ones(p.size) if weight is None else weight
    rows = [np.bincount(place.astype(np.int64), weights=w * x, minlength=bins) for x in (np.ones(p.size), p, true)]
    return np.stack(rows).astype(np.float64)


def binned(p: FloatArray, true: FloatArray, weight: FloatArray | None = None) -> FloatArray:
    """Count by bins of the probability; three rows: cases, stated, true.

    >>> binned(np.array([0.0005, 0.5]), np.array([0.0, 1.0]))[:, 7].tolist()
    [1.0, 0.5, 1.0]
    """
    place = np.searchsorted(np.asarray(EDGES[1:-1]), p, side="left")
    return sums(p, true, place.astype(np.float64), len(EDGES) - 1, weight)
