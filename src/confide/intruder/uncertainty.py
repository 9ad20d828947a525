"""How uncertain the intruder remains: U(y), the minimal expected loss (Duncan and Lambert 1987, section 3).

U is a function of the predictive distribution. Here that is a vector: the probability that the target's
is record 1 to n, and, last, that the target was not released. A density of a number is given as its values
on a grid and their masses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from confide.errors import IntruderError
from confide.intruder.columns import checked
from confide.intruder.decision import Losses
from confide.intruder.loss_matrix import LossMatrix, truths
from confide.seeds import Stream
from confide.typing import FloatArray

PAIRS = 200
"""At how many random pairs of distributions concavity is checked."""


class Uncertainty(Protocol):
    """Anything that gives a distribution its uncertainty; concave, so that data never raise it on average."""

    def of(self, p: Sequence[float] | FloatArray, null: float | None = None) -> float:
        """Give U(y).

        Args:
            p: the probability that each released record is the target's.
            null: the probability that the target was not released; None: what is left to one.
        """
        ...


@dataclass(frozen=True, slots=True)
class MinimalLoss:
    """The smallest expected loss of any action: link a record, or none.

    >>> round(MinimalLoss(Losses(missed=1.0, wrong=1.0)).of([0.9, 0.1]), 12)
    0.1
    """

    losses: Losses | LossMatrix
    """What the actions cost."""

    def of(self, p: Sequence[float] | FloatArray, null: float | None = None) -> float:
        """Give the smallest expected loss."""
        if isinstance(self.losses, LossMatrix):
            return self.losses.decide(p, null).uncertainty
        truths(checked(p), null)
        return self.losses.decide(p).uncertainty


@dataclass(frozen=True, slots=True)
class Entropy:
    """The entropy over the records and the null link: what a loss of -log p leaves.

    >>> Entropy(base=2.0).of([0.5, 0.25])
    1.5
    """

    base: float = float(np.e)
    """The base of the logarithm; 2: bits."""

    def __post_init__(self) -> None:
        """Check the base."""
        if not (np.isfinite(self.base) and self.base > 1):
            raise IntruderError(f"the base of the logarithm must be above one; found {self.base}")

    def of(self, p: Sequence[float] | FloatArray, null: float | None = None) -> float:
        """Give the entropy; impossible truths add nothing."""
        q = truths(checked(p), null)
        q = q[q > 0]
        return max(float(-(q * np.log(q)).sum() / np.log(self.base)), 0.0)


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Variance:
    """The variance of a number that the target's record would tell: what a squared error leaves.

    >>> Variance([1.0, 3.0]).of([0.5, 0.5])
    1.0
    """

    values: FloatArray
    """The number on each record; one more for a target who was not released."""

    def __init__(self, values: Sequence[float] | FloatArray) -> None:
        """Check the values and keep a copy."""
        numbers = np.array(values, dtype=np.float64)
        if numbers.ndim != 1 or numbers.size == 0 or not bool(np.isfinite(numbers).all()):
            raise IntruderError("give one finite number for each record, and one more if the target may not be released")
        numbers.setflags(write=False)
        object.__setattr__(self, "values", numbers)

    def of(self, p: Sequence[float] | FloatArray, null: float | None = None) -> float:
        """Give the variance under the predictive distribution."""
        q = truths(checked(p), null)
        if self.values.size not in (q.size, q.size - 1):
            raise IntruderError(f"{self.values.size} values for {q.size - 1} records")
        if self.values.size < q.size:
            if q[-1] > 1e-9:
                raise IntruderError(
                    f"the target may not have been released (probability {q[-1]:.3g}); "
                    "give the number expected then as the last value"
                )
            q = q[:-1]
        q = q / q.sum()
        centred = self.values - self.values[np.argmax(q)]
        mean = float(q @ centred)
        return float(q @ (centred - mean) ** 2)


@dataclass(frozen=True, slots=True)
class Concave:
    """An uncertainty given as a function of the predictive distribution; the null link is the last entry.

    Any concave function will do (DeGroot 1962). It is tried at random pairs of distributions, and a
    function that is not concave there is refused: with it, data could raise the uncertainty on average.

    >>> gini = Concave(lambda q: 1.0 - float((q**2).sum()))
    >>> gini.of([0.5, 0.5])
    0.5
    """

    function: Callable[[FloatArray], float]
    """Takes the probabilities of all records and of the null link; gives a number."""

    def of(self, p: Sequence[float] | FloatArray, null: float | None = None) -> float:
        """Give the function's value, after checking it on distributions of this length."""
        q = truths(checked(p), null)
        try:
            _check_concave(self.function, q.size)
        except TypeError as error:
            if "unhashable" not in str(error):
                raise
            _check_concave.__wrapped__(self.function, q.size)
        return _value(self.function, q)


def _value(function: Callable[[FloatArray], float], q: FloatArray) -> float:
    """Call the function and check what it gives."""
    found = np.asarray(function(q.copy()), dtype=np.float64)
    if found.shape != () or not np.isfinite(found):
        what = "NaN" if found.shape == () and np.isnan(found) else "an infinite number" if found.shape == () else "an array"
        zeros = int((q == 0).sum())
        raise IntruderError(
            f"the uncertainty function gave {what} at a distribution of {q.size} entries, {zeros} of them zero; "
            "it must give a finite number, at zeros as well"
        )
    return float(found)


@lru_cache(maxsize=64)
def _check_concave(function: Callable[[FloatArray], float], size: int) -> None:
    """Raise where the function lies below a chord."""
    for k in range(PAIRS):
        a, b = _distribution(size, 2 * k), _distribution(size, 2 * k + 1)
        share = float(Stream(0, "share of a pair").uniform(np.array([k]))[0])
        ends = _value(function, a), _value(function, b)
        chord = share * ends[0] + (1 - share) * ends[1]
        inside = _value(function, share * a + (1 - share) * b)
        if inside < chord - 1e-9 * max(1.0, abs(ends[0]), abs(ends[1])):
            raise IntruderError(
                f"the uncertainty function is not concave: between two distributions of {size} entries it lies "
                f"{chord - inside:.3g} below the straight line; negate it, or give another"
            )


def _distribution(size: int, k: int) -> FloatArray:
    """Give the k-th random distribution: even, lopsided or certain in turn."""
    stream = Stream(0, "random distribution")
    keys = np.arange(size, dtype=np.int64)
    if k % 5 == 4:
        return np.asarray(keys == keys[stream.order(keys, k)[0]], dtype=np.float64)
    weights = (-np.log(stream.uniform(keys, k))) ** (1.0 if k % 2 else 4.0)
    return np.asarray(weights / weights.sum(), dtype=np.float64)
