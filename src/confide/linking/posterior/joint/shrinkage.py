"""Shrink what two chains say towards what cluster-corrected propagation says (empirical Bayes).

Chains are unbiased but noisy, propagation is precise but biased. Among pairs that are alike, the chains'
difference gives the variance v of their mean, and their distance from propagation gives its squared bias b^2,
less v. The best weight of the mean is b^2 / (b^2 + v), and its mean squared error b^2 v / (b^2 + v): known from
the same run, without the truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit

from confide.typing import AnyArray, FloatArray

PROBABILITY = np.array([0.001, 0.01, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.99])
DOUBT = np.array([0.001, 0.005, 0.02, 0.05, 0.1])
"""Pairs are alike when propagation's probability and its doubt about the record are in the same class."""
ENOUGH = 60
"""Classes with fewer pairs are judged together with others."""
ALIKE = 3.0
"""Pairs of a record err together: a class of so many pairs says as much as one pair by itself. The squared bias is
raised by its standard error, so that a bias that cannot be seen is not taken for none."""
NOTABLE = 0.05
"""The root mean square error is over pairs at least so probable."""
TIMES, FLOOR = 3.5, 0.002
"""The error of a pair is estimated as TIMES its root mean square error, + FLOOR."""


class Shrunk(NamedTuple):
    """A combination of chains and propagation."""

    p: FloatArray
    error: FloatArray
    """An estimate for every pair; no bound."""
    rms: float
    """The root mean square error over pairs with p above NOTABLE, by its own account."""
    agreement: float
    """The root mean square difference of the two chains over the same pairs."""


class Judged(NamedTuple):
    """What is known about each class of pairs."""

    variance: FloatArray
    """Of the mean of the two chains."""
    bias: FloatArray
    """Of propagation, squared."""
    share: FloatArray
    """The weight of the chains."""
    rms: float
    agreement: float


@dataclass(frozen=True, slots=True, eq=False)
class Shrinkage:
    """Propagation's answer with its pairs in classes, ready for what chains say.

    >>> p = np.linspace(0.1, 0.9, 500)
    >>> towards = Shrinkage.towards(p, np.zeros(500))
    >>> towards.combine(p + 0.01, p - 0.01).p.round(6).tolist() == p.round(6).tolist()
    True
    """

    corrected: FloatArray
    kind: AnyArray
    """The class of each pair."""
    size: FloatArray
    """The number of pairs of each class."""
    notable: FloatArray
    """The number of those above NOTABLE."""

    @classmethod
    def towards(cls, corrected: FloatArray, doubt: FloatArray) -> Shrinkage:
        """Sort pairs into classes.

        Args:
            corrected: probabilities of the pairs by propagation.
            doubt: propagation's doubt about the record of each pair.
        """
        kind = _classes(corrected, doubt)
        size = np.bincount(kind).astype(np.float64)
        notable = np.bincount(kind[corrected > NOTABLE], minlength=size.size).astype(np.float64)
        return cls(corrected, kind, size, notable)

    def judge(self, one: FloatArray, two: FloatArray) -> Judged:
        """Say how far to trust chains and propagation in each class."""
        apart, off = _sums(self.kind, self.corrected, one, two, self.size.size)
        v = apart / self.size
        bias = np.maximum((off - apart) / self.size, 0.0) + 2.0 * v * np.sqrt(ALIKE / self.size)
        share = np.divide(bias, bias + v, out=np.zeros(v.size), where=bias + v > 0)
        many = max(float(self.notable.sum()), 1.0)
        rms = float(np.sqrt((self.notable * share * v).sum() / many))
        return Judged(v, bias, share, rms, float(2.0 * np.sqrt((self.notable * v).sum() / many)))

    def combine(self, one: FloatArray, two: FloatArray) -> Shrunk:
        """Combine propagation with two chains.

        Where neither chain ever moved, their agreement says nothing: the error is then at least the distance from
        propagation.

        Args:
            one: the share of time the first chain held each pair.
            two: the same of the second.
        """
        found = self.judge(one, two)
        p, error = _combined(self.kind, self.corrected, one, two, found.share, found.variance, found.bias)
        return Shrunk(p, error, found.rms, found.agreement)


@njit(cache=True, nogil=True)
def _sums(
    kind: AnyArray, corrected: FloatArray, one: FloatArray, two: FloatArray, classes: int
) -> tuple[FloatArray, FloatArray]:
    """Sum, over each class, squared half differences of the chains and squared distances of their mean."""
    apart, off = np.zeros(classes), np.zeros(classes)
    for e in range(kind.size):
        apart[kind[e]] += (0.5 * (one[e] - two[e])) ** 2
        off[kind[e]] += (0.5 * (one[e] + two[e]) - corrected[e]) ** 2
    return apart, off


@njit(cache=True, nogil=True)
def _combined(
    kind: AnyArray, corrected: FloatArray, one: FloatArray, two: FloatArray, share: FloatArray, variance: FloatArray,
    bias: FloatArray,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """Give the combination for each pair, and its error."""
    p, error = np.empty(kind.size), np.empty(kind.size)
    for e in range(kind.size):
        w, x, y = share[kind[e]], one[e], two[e]
        p[e] = w * 0.5 * (x + y) + (1.0 - w) * corrected[e]
        own = w**2 * max(variance[kind[e]], 0.25 * (x - y) ** 2) + (1.0 - w) ** 2 * bias[kind[e]]
        off = TIMES * np.sqrt(own)
        if x == y and (x == 0.0 or x == 1.0):  # noqa: PLR1714
            off = max(off, abs(p[e] - corrected[e]))
        error[e] = min(off + FLOOR, 1.0)
    return p, error


def _classes(p: FloatArray, doubt: FloatArray) -> AnyArray:
    """Give the class of each pair, numbered without gaps; small classes are merged, first over doubts, then over p."""
    by_p = np.searchsorted(PROBABILITY, p, side="right")
    fine = by_p * (DOUBT.size + 1) + np.searchsorted(DOUBT, doubt, side="right")
    fines, rough = (PROBABILITY.size + 1) * (DOUBT.size + 1), PROBABILITY.size + 1
    small = np.bincount(fine, minlength=fines) < ENOUGH
    name = np.where(small, fines + np.arange(fines) // (DOUBT.size + 1), np.arange(fines))
    again = np.bincount(name[fine], minlength=fines + rough)
    name = np.where(again[name] < ENOUGH, fines + rough, name)
    used = np.unique(name[fine])
    place = np.zeros(fines + rough + 1, dtype=np.int16)
    place[used] = np.arange(used.size)
    return place[name][fine]
