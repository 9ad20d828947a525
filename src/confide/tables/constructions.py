"""Cells that show what is wrong with the dominance rule (Domingo-Ferrer and Torra 2004, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from confide.errors import TableError
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Constructions:
    """Two cells of total 1: the rule calls the first safe and the second sensitive, and the first is less safe.

    A coalition of the n second largest bounds the largest contribution by the total less its own; what remains is the tail.
    """

    n: int
    """How many dominate together."""
    k: float
    """The fraction of the rule."""
    r: float
    """The ratio of contributions, f(r) = (r^n - 1)/(r^N - 1) = k (Lemma 1)."""
    eps: float
    """What Construction 1 moves from contribution n to n + 1."""
    safe: FloatArray
    """X_ns, Construction 1: not sensitive."""
    sensitive: FloatArray
    """X_s, Construction 2: sensitive."""

    def tail(self, cell: FloatArray) -> float:
        """Give the distance between the largest contribution and its upper bound (A.1)."""
        return float(cell[self.n + 1 :].sum())

    def closeness(self, cell: FloatArray) -> float:
        """Give that distance relative to the largest contribution."""
        return self.tail(cell) / float(cell[0])


def dominance_constructions(n: int, size: int, *, k: float | None = None, r: float | None = None) -> Constructions:
    """Build the cells of Constructions 1 and 2 with `size` contributions, from k or from r.

    The tail of the safe cell is smaller for every size of n + 2 or more: contribution n + 1 exceeds the mean of the
    remaining ones, so N need not be large as Theorem 1 asks. For n = 1 the safe cell's largest contribution is smaller
    too, and the bound is still closer relative to it.

    >>> found = dominance_constructions(1, 3, r=0.9)
    >>> round(found.k, 3), round(found.tail(found.safe), 6), round(found.tail(found.sensitive), 6)
    (0.369, 0.298893, 0.315498)
    """
    if n < 1 or size < n + 2:
        raise TableError(
            f"both tails are empty unless there are n + 2 contributions; found n = {n} and {size} contributions"
        )
    if (k is None) == (r is None):
        raise TableError("give one of k, the fraction of the rule, and r, the ratio of contributions")
    if r is None:
        assert k is not None
        if not n / size < k < 1:
            raise TableError(
                f"k must lie above n/N = {n / size:g} and below 1; found {k:g}; more contributions allow smaller k"
            )
        r = float(brentq(lambda t: _fraction(t, n, size) - k, 0.0, 1.0, xtol=1e-16, rtol=1e-15))
    if not 0 < r < 1:
        raise TableError(f"r must lie between 0 and 1; found {r:g}")
    k = _fraction(r, n, size)
    parts = np.asarray(r ** np.arange(size), dtype=np.float64)
    parts = np.asarray(parts / parts.sum(), dtype=np.float64)
    eps = float(parts[n - 1] - parts[n]) / 3
    safe: FloatArray = parts.copy()
    sensitive: FloatArray = parts.copy()
    safe[n - 1] -= eps
    safe[n] += eps
    sensitive[n:] = (1 - k) / (size - n)
    return Constructions(n, k, r, eps, safe, sensitive)


def _fraction(r: float, n: int, size: int) -> float:
    """f(r) of Lemma 1, as sums of powers, which have a value at r = 1."""
    return float(np.sum(r ** np.arange(n)) / np.sum(r ** np.arange(size)))
