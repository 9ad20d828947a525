"""Beliefs on the amounts of a few groups of records, each held about many pairs."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from confide.harm.belief.belief import CostFunction
from confide.harm.belief.parameters import at, finite_at
from confide.typing import FloatArray, IntArray

BLOCK = 4_000_000
"""So many losses of a given function are computed at a time."""


class SharedBelief:
    """The amount is one of those of a group of records; many pairs look at the same group.

    Amounts are sorted and summed up once for each group, so that a pair costs a search, not a look at every record.

    >>> two = SharedBelief.of(start=[0, 3, 4], values=[90.0, 112.0, 100.0, 7.0], weights=[2, 1, 1, 5], group=[0, 0, 1])
    >>> two.tail([95.0, 100.0, 3.0]).tolist(), two.squared_excess(100.0).tolist()
    ([0.5, 0.25, 1.0], [36.0, 36.0, 0.0])
    """

    def __init__(self, table: _Table, group: IntArray) -> None:
        """Take sorted groups and the group of each pair; use `of`."""
        self._table, self._group = table, group

    @classmethod
    def of(cls, start: Any, values: Any, weights: Any, group: Any) -> SharedBelief:
        """Sort and sum up.

        Args:
            start: the first amount of each group; the last entry ends the list.
            values: the amounts, group after group.
            weights: their weights, not all zero in a group that a pair looks at.
            group: the group of each pair.
        """
        x, w = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
        return cls(_Table(np.asarray(start, dtype=np.int64), x, w), np.asarray(group, dtype=np.int64))

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return int(self._group.size)

    @property
    def mean(self) -> FloatArray:
        """E[X]."""
        return self._table.centre[self._group]

    def take(self, rows: Any) -> SharedBelief:
        """Give the beliefs about some pairs."""
        return SharedBelief(self._table, self._group[rows])

    def cdf(self, t: Any) -> FloatArray:
        """P[X <= t]."""
        mass, _, _ = self._sums(self._first(), self._up_to(t))
        return mass

    def tail(self, t: Any) -> FloatArray:
        """P[X > t]."""
        mass, _, _ = self._sums(self._up_to(t), self._last())
        return mass

    def mass(self, low: Any, high: Any) -> FloatArray:
        """P[low <= X <= high]."""
        first = self._table.search(self._group, at(low, self.size), "left")
        mass, _, _ = self._sums(first, np.maximum(self._up_to(high), first))
        return mass

    def partial_first(self, t: Any) -> FloatArray:
        """E[X; X <= t]."""
        mass, first, _ = self._sums(self._first(), self._up_to(t))
        return np.asarray(first + self.mean * mass, dtype=np.float64)

    def partial_second(self, t: Any) -> FloatArray:
        """E[X²; X <= t]."""
        mass, first, second = self._sums(self._first(), self._up_to(t))
        return np.asarray(second + 2 * self.mean * first + self.mean**2 * mass, dtype=np.float64)

    def excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)]."""
        mass, first, _ = self._sums(self._up_to(t), self._last())
        return np.asarray(np.maximum(first - self._off(t) * mass, 0.0), dtype=np.float64)

    def shortfall(self, t: Any) -> FloatArray:
        """E[max(0, t - X)]."""
        mass, first, _ = self._sums(self._first(), self._up_to(t))
        return np.asarray(np.maximum(self._off(t) * mass - first, 0.0), dtype=np.float64)

    def squared_excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)²]."""
        return self._squared(t, self._up_to(t))

    def squared_error(self, t: Any) -> FloatArray:
        """E[(X - t)²]."""
        return self._squared(t, self._first())

    def expect(self, cost: CostFunction, y: Any, kinks: FloatArray | None = None) -> FloatArray:  # noqa: ARG002
        """E[c(y, X)]: a look at every record of every pair."""
        true, table = finite_at(y, self.size), self._table
        count = np.diff(table.start)[self._group]
        found = np.zeros(self.size)
        ends = np.cumsum(count)
        for a, b in _runs(ends):
            who = np.repeat(np.arange(a, b), count[a:b])
            place = np.arange(who.size) - np.repeat(ends[a:b] - count[a:b] - (ends[a - 1] if a else 0), count[a:b])
            place += table.start[self._group[who]]
            loss = table.share[place] * cost(true[who], table.value[place])
            found[a:b] = np.bincount(who - a, weights=loss, minlength=b - a)
        return found

    def _squared(self, t: Any, first: IntArray) -> FloatArray:
        mass, one, two = self._sums(first, self._last())
        d = self._off(t)
        with np.errstate(over="ignore"):
            return np.asarray(np.maximum(two - 2 * d * one + d**2 * mass, 0.0), dtype=np.float64)

    def _off(self, t: Any) -> FloatArray:
        """Give t, counted from the mean of the group."""
        return np.asarray(finite_at(t, self.size) - self.mean, dtype=np.float64)

    def _first(self) -> IntArray:
        return self._table.start[self._group]

    def _last(self) -> IntArray:
        return self._table.start[self._group + 1]

    def _up_to(self, t: Any) -> IntArray:
        return self._table.search(self._group, at(t, self.size), "right")

    def _sums(self, first: IntArray, last: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Give the mass and the first two moments about the mean of the group between two places."""
        mass, one, two = (np.asarray(upto[last] - upto[first], dtype=np.float64) for upto in self._table.upto)
        return mass, one, two


class _Table:
    """Amounts sorted within groups, and sums up to each."""

    def __init__(self, start: IntArray, values: FloatArray, weights: FloatArray) -> None:
        count = np.diff(start)
        group = np.repeat(np.arange(count.size), count)
        total = np.bincount(group, weights=weights, minlength=count.size)
        order = np.lexsort((values, group))
        self.start, self.value = start, values[order]
        self.share = weights[order] / np.where(total > 0, total, 1.0)[group]
        # the mean is taken about the middle amount, which loses no digits of large amounts that are alike
        middle = np.zeros(count.size)
        middle[count > 0] = self.value[(start[:-1] + count // 2)[count > 0]]
        off = self.value - middle[group]
        self.centre = middle + np.bincount(group, weights=self.share * off, minlength=count.size)
        x = self.value - self.centre[group]
        with np.errstate(over="ignore"):
            terms = np.stack([self.share, self.share * x, self.share * x * x]).astype(np.longdouble)
        self.upto = np.concatenate([np.zeros((3, 1), dtype=np.longdouble), np.cumsum(terms, axis=1)], axis=1)
        self.distinct, rank = np.unique(self.value, return_inverse=True)
        self.key = group * (self.distinct.size + 1) + rank

    def search(self, group: IntArray, t: FloatArray, side: Any) -> IntArray:
        """Find the place of each t among the amounts of its group."""
        # in order, which is many times faster in long lists
        order = np.argsort(t)
        rank = np.empty(t.size, dtype=np.int64)
        rank[order] = np.searchsorted(self.distinct, t[order], side=side)
        return np.asarray(np.searchsorted(self.key, group * (self.distinct.size + 1) + rank), dtype=np.int64)


def _runs(ends: IntArray) -> list[tuple[int, int]]:
    """Cut pairs into runs of about as many losses as are computed at a time."""
    if not ends.size:
        return []
    cuts = [0, *(np.flatnonzero(np.diff(ends // BLOCK)) + 1).tolist(), int(ends.size)]
    return list(itertools.pairwise(cuts))
