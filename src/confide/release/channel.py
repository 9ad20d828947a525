"""The second face of a masking method: what its output says about its input.

A method that is applied to one variable is a channel from true to released values. There are
three kinds. A chain of methods on one variable composes (see `confide.linking.compose`).

- Deterministic: the released value follows from the true one. The intruder can test a target
  for consistency (Reiter's Ad). It also gives back the interval of true numbers behind each
  released value.
- Discrete: a matrix Pr(released level | true level), rows sum to one (Reiter's Ap).
- Kernel: Gaussian noise around the true number, on the plain or on the log scale (Reiter's Ap).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol, runtime_checkable

import numpy as np

from confide.data.column import Column
from confide.release.decimals import Steps, printed
from confide.release.grid import FINE
from confide.typing import BoolArray, FloatArray, Label


@runtime_checkable
class Deterministic(Protocol):
    """A channel without randomness."""

    def push(self, column: Column) -> Column:
        """Give the released values of true values."""
        ...

    def preimage(self, column: Column) -> tuple[FloatArray, FloatArray]:
        """Give the interval of true numbers behind each released value (equal ends: that number).

        NaN ends stand for values that no number leads to.
        """
        ...

    def passes(self) -> tuple[float, float]:
        """Give the range of numbers that are numbers of their own afterwards.

        All numbers above it, and all below it, become categories, or one number.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Discrete:
    """A matrix of Pr(released level | true level), possibly one for each stratum.

    `matrix[s, i, k]` is the probability that level i is released as level k in stratum s.
    """

    levels: tuple[Label, ...]
    """The levels of the variable, in the order of rows and columns."""
    matrix: FloatArray
    """Strata by true levels by released levels; the last axis sums to one."""
    stratum: tuple[str, ...] = ()
    """The variables that tell strata apart; empty: none do."""
    strata: tuple[tuple[Label, ...], ...] = ()
    """The levels of these variables in each stratum, in the order of the first axis."""
    counts: FloatArray | None = None
    """The number of records of each level in each stratum, strata by levels."""
    values: Column | None = None
    """The levels as a column of the masked variable; None: categories."""
    moved: FloatArray | None = None
    """The share of records that take part in each stratum, where levels that no record shows may be behind blanks."""

    def column(self) -> Column:
        """Give the levels as a column."""
        return self.values if self.values is not None else Column.of_labels(list(self.levels))

    def likelihood(self, released: Label, true: Label, *stratum: Label) -> float:
        """Give Pr(released | true), in the stratum that has these levels."""
        s = self.strata.index(stratum) if stratum else 0
        return float(self.matrix[s, self.levels.index(true), self.levels.index(released)])


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """Gaussian noise around the true number.

    On the log scale the noise multiplies; zeros and signs then stay as they are. `sd` may change
    at `breaks` of the true value: sds[k] holds for breaks[k-1] < true <= breaks[k].
    """

    sds: tuple[float, ...]
    """Standard deviations of the noise, one more than `breaks`."""
    breaks: tuple[float, ...] = ()
    """True values above which the next standard deviation holds."""
    log_scale: bool = False
    """Whether noise is added to the logarithm."""
    shift: float = 0.0
    """What is added to the centre on the scale of the noise."""
    lower: float = -np.inf
    """Released numbers are above this."""
    upper: float = np.inf
    """Released numbers are below this."""
    clamp: bool = False
    """Whether numbers outside the bounds are set to the bound, rather than drawn again."""
    keep_zero: bool = False
    """Whether zeros are released as zeros."""
    grid: float | None = None
    """The step that released numbers are multiples of; None: they are not rounded."""
    fine: float = FINE
    """A step of so many standard deviations of the noise, or fewer, is fine: a density tells the mass."""

    def sd(self, true: FloatArray) -> FloatArray:
        """Give the standard deviation of the noise at each true value."""
        return np.asarray(self.sds, dtype=np.float64)[np.searchsorted(np.asarray(self.breaks), true, side="left")]

    def centre(self, true: FloatArray) -> FloatArray:
        """Give the centre of the noise on its own scale."""
        return (np.log(np.abs(true)) if self.log_scale else true) + self.shift

    def variance(self, true: FloatArray) -> FloatArray:
        """Give the variance of the noise and of its rounding, at each true value; on the log scale that of the noise."""
        rounding = 0.0 if self.grid is None or self.log_scale else self.grid**2 / 12
        return self.sd(true) ** 2 + rounding

    @property
    def steps(self) -> Steps:
        """The multiples that released numbers are."""
        assert self.grid is not None
        return Steps(Decimal(0), printed(self.grid))

    @property
    def ends(self) -> tuple[float, float]:
        """The first and the last multiple within the bounds, counted in steps."""
        first, last = self.first_at(np.array([self.lower])), self.last_at(np.array([self.upper]))
        return float(first[0]), float(last[0])

    def last_at(self, x: FloatArray) -> FloatArray:
        """Give the last multiple at or below each number, counted in steps."""
        assert self.grid is not None
        k = self.steps.number(x)
        with np.errstate(over="ignore"):
            return np.where(np.isnan(k), np.floor(x / self.grid), k)

    def first_at(self, x: FloatArray) -> FloatArray:
        """Give the first multiple at or above each number, counted in steps."""
        return -self.last_at(-x)

    def is_fine(self, released: FloatArray, share: float | None = None) -> BoolArray:
        """Say where the step is at most a share of the noise's sd (`fine`), so that a density tells its mass."""
        assert self.grid is not None
        share = self.fine if share is None else share
        if self.log_scale:
            return np.asarray(self.grid <= share * min(1.0, *self.sds) * np.abs(released), dtype=np.bool_)
        return np.full(released.shape, self.grid <= share * min(self.sds))


@dataclass(frozen=True, slots=True, eq=False)
class JointKernel:
    """Gaussian noise on several variables at once, with a covariance."""

    variables: tuple[str, ...]
    """The variables, in the order of the covariance."""
    covariance: FloatArray
    """The covariance of the noise."""
    grids: tuple[float | None, ...] = ()
    """The steps that released numbers are multiples of, by variable; None: they are not rounded."""

    @property
    def rounded(self) -> FloatArray:
        """The covariance of the noise with that of its rounding, step^2 / 12 for each variable."""
        return self.covariance + np.diag([0.0 if g is None else g**2 / 12 for g in self.steps])

    @property
    def steps(self) -> tuple[float | None, ...]:
        """The step of each variable."""
        return self.grids or (None,) * len(self.variables)

    def of(self, variable: str) -> Kernel:
        """Give the noise of one variable, the others not being looked at.

        >>> JointKernel(("a", "b"), np.array([[4.0, 1.0], [1.0, 9.0]])).of("b").sds
        (3.0,)
        """
        place = self.variables.index(variable)
        return Kernel(sds=(float(np.sqrt(self.covariance[place, place])),), grid=self.steps[place])


def own_sds(covariance: FloatArray) -> FloatArray:
    """Give the standard deviation of each variable's noise, given that of all others.

    >>> own_sds(np.array([[1.0, 0.6], [0.6, 1.0]])).round(3).tolist()
    [0.8, 0.8]
    """
    sd = np.sqrt(np.diag(covariance))
    return np.asarray(sd / np.sqrt(np.diag(np.linalg.inv(covariance / np.outer(sd, sd)))), dtype=np.float64)


Channel = Deterministic | Discrete | Kernel | JointKernel
