"""How far a released record is from a source record: the distances of Spruill (Lambert 1993, section 5).

Each is a Minkowski distance once the variables are scaled, so that nearest records can be found
without a table of all pairs. Called with records and source it gives that table all the same. Any function of
the two, both tables of one row per record, that gives records by respondents may stand in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from confide.errors import IntruderError
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class WeightedDistance:
    """What the distances share: a weight for each variable."""

    weights: Sequence[float] | None = None
    """How much each variable counts, such as 1 / variance; None: all alike. A variable of weight 0 is left out."""
    power: ClassVar[int] = 1
    """Which power of the differences is summed."""

    def __post_init__(self) -> None:
        """Check the weights."""
        if self.weights is None:
            return
        w = np.asarray(self.weights, dtype=np.float64)
        if w.ndim != 1 or not (bool(np.all(np.isfinite(w) & (w >= 0))) and bool(np.any(w > 0))):
            name = type(self).__name__
            raise IntruderError(f"{name}: weights must be finite, not negative and not all 0; give one for each variable")
        object.__setattr__(self, "weights", tuple(w.tolist()))

    def scaled(self, values: FloatArray) -> FloatArray:
        """Give the values so scaled that the plain distance between them is the weighted one."""
        if self.weights is None:
            return values
        if len(self.weights) != values.shape[1]:
            raise IntruderError(
                f"{type(self).__name__}: {len(self.weights)} weights for {values.shape[1]} variable(s); "
                "give one weight for each"
            )
        w = np.asarray(self.weights, dtype=np.float64)
        return np.asarray(values[:, w > 0] * w[w > 0] ** (1 / self.power), dtype=np.float64)

    def size(self, values: FloatArray) -> FloatArray:
        """Say how large the scaled numbers of each record are, which is what rounding is relative to."""
        return np.asarray(np.abs(self.scaled(values)).sum(axis=1), dtype=np.float64)

    def __call__(self, records: FloatArray, source: FloatArray) -> FloatArray:
        """Give the distance of every record from every source record."""
        a, b = (self.scaled(np.asarray(x, dtype=np.float64)) for x in (records, source))
        return np.asarray((np.abs(a[:, None] - b[None]) ** self.power).sum(axis=2), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class AbsoluteDistance(WeightedDistance):
    """The weighted sum of absolute differences.

    >>> AbsoluteDistance(weights=[1, 2])(np.array([[1.0, 1.0]]), np.array([[2.0, 3.0]])).tolist()
    [[5.0]]
    """


@dataclass(frozen=True, slots=True)
class SquaredDistance(WeightedDistance):
    """The weighted sum of squared differences.

    >>> SquaredDistance(weights=[1, 4])(np.array([[1.0, 1.0]]), np.array([[2.0, 3.0]])).tolist()
    [[17.0]]
    """

    power: ClassVar[int] = 2


@dataclass(frozen=True, slots=True)
class LogDistance(WeightedDistance):
    """The weighted sum of absolute differences of logarithms, natural for a multiplicative mask.

    >>> LogDistance()(np.array([[1.0]]), np.array([[2.0]])).round(3).tolist()
    [[0.693]]
    """

    def scaled(self, values: FloatArray) -> FloatArray:
        """Give the logarithms, scaled by the weights."""
        if not bool(np.all(values > 0)):
            raise IntruderError("the log distance needs positive numbers; leave zeros out or take AbsoluteDistance()")
        return WeightedDistance.scaled(self, np.log(values))

    def size(self, values: FloatArray) -> FloatArray:
        """Say how large the logarithms are; rounding a number by a relative amount moves its logarithm by as much."""
        return np.asarray(WeightedDistance.scaled(self, np.abs(np.log(values)) + 1.0).sum(axis=1), dtype=np.float64)


Distance: TypeAlias = WeightedDistance | Callable[[FloatArray, FloatArray], FloatArray]
"""A distance of the house, or any function of records and source that gives a table."""
