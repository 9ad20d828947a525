"""A belief with a smooth density, kept at Gauss-Legendre nodes on a few panels."""

from __future__ import annotations

from typing import Any

import numpy as np

from confide.harm.belief.belief import CostFunction
from confide.harm.belief.nodes import NodesBelief
from confide.harm.belief.parameters import at, finite_at, frozen
from confide.typing import BoolArray, FloatArray, IntArray

RUN = 50_000
"""So many pairs are looked at at a time."""


class PanelsBelief:
    """The density is smooth on each panel, so that nodes tell it everywhere: also up to a point between two nodes.

    On a panel the density is the polynomial through its nodes, written in Legendre's, whose integrals are known. A panel
    without width is a point that has its probability. Pairs may look at the same rows of the tables.

    >>> x, w = np.polynomial.legendre.leggauss(8)
    >>> even = PanelsBelief.of([5 + 5 * x], [w / 2], low=[[0.0]], high=[[10.0]])
    >>> even.mass(2.0, 3.0).round(12).tolist(), even.excess(6.0).round(12).tolist()
    ([0.1], [0.8])
    """

    def __init__(self, table: _Table, row: IntArray) -> None:
        """Take tables and the row of each pair; use `of`."""
        self._table, self._row = table, row

    @classmethod
    def of(cls, values: Any, weights: Any, low: Any, high: Any, sign: Any = None) -> PanelsBelief:
        """Take tables, one row for each pair.

        Args:
            values: the amounts at the nodes, panel after panel.
            weights: their probabilities; those of a row sum to one.
            low: where each panel begins, rows by panels; on the scale of logarithms where `sign` is given.
            high: where it ends.
            sign: None: panels are of amounts; else of the logarithms of their sizes, and this is their sign; 0: of amounts.
        """
        table = _Table(NodesBelief(values, weights), frozen(low), frozen(high), None if sign is None else frozen(sign))
        return cls(table, np.arange(table.nodes.size))

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return int(self._row.size)

    @property
    def mean(self) -> FloatArray:
        """E[X]."""
        return self._table.mean[self._row]

    def take(self, rows: Any) -> PanelsBelief:
        """Give the beliefs about some pairs; nothing is copied."""
        return PanelsBelief(self._table, self._row[rows])

    def cdf(self, t: Any) -> FloatArray:
        """P[X <= t]."""
        return self._sums(at(t, self.size), 0)[0]

    def tail(self, t: Any) -> FloatArray:
        """P[X > t]."""
        return self._sums(at(t, self.size), 0)[1]

    def mass(self, low: Any, high: Any) -> FloatArray:
        """P[low <= X <= high]."""
        start, stop = at(low, self.size), at(high, self.size)
        inside = self._sums(stop, 0)[0] - self._sums(start, 0, with_end=False)[0]
        return np.asarray(np.where(stop < start, 0.0, np.clip(inside, 0.0, 1.0)), dtype=np.float64)

    def partial_first(self, t: Any) -> FloatArray:
        """E[X; X <= t]."""
        place = at(t, self.size)
        return np.asarray(self._sums(place, 1)[0] + self.mean * self._sums(place, 0)[0], dtype=np.float64)

    def partial_second(self, t: Any) -> FloatArray:
        """E[X²; X <= t]."""
        zero, one, two = (self._sums(at(t, self.size), power)[0] for power in (0, 1, 2))
        return np.asarray(two + 2 * self.mean * one + self.mean**2 * zero, dtype=np.float64)

    def excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)]."""
        place = finite_at(t, self.size)
        zero, one = (self._sums(place, power)[1] for power in (0, 1))
        return np.asarray(np.maximum(one - (place - self.mean) * zero, 0.0), dtype=np.float64)

    def shortfall(self, t: Any) -> FloatArray:
        """E[max(0, t - X)]."""
        place = finite_at(t, self.size)
        zero, one = (self._sums(place, power)[0] for power in (0, 1))
        return np.asarray(np.maximum((place - self.mean) * zero - one, 0.0), dtype=np.float64)

    def squared_excess(self, t: Any) -> FloatArray:
        """E[max(0, X - t)²]."""
        place = finite_at(t, self.size)
        zero, one, two = (self._sums(place, power)[1] for power in (0, 1, 2))
        d = place - self.mean
        with np.errstate(over="ignore"):
            return np.asarray(np.maximum(two - 2 * d * one + d**2 * zero, 0.0), dtype=np.float64)

    def squared_error(self, t: Any) -> FloatArray:
        """E[(X - t)²]."""
        d = finite_at(t, self.size) - self.mean
        with np.errstate(over="ignore"):
            return np.asarray(self._table.sums[2].sum(axis=1)[self._row] + d**2, dtype=np.float64)

    def expect(self, cost: CostFunction, y: Any, kinks: FloatArray | None = None) -> FloatArray:
        """E[c(y, X)]: the sum over the nodes; a jump of the cost between two nodes is not seen exactly."""
        true, found = finite_at(y, self.size), np.zeros(self.size)
        for here in self._runs():
            found[here] = self._table.nodes.take(self._row[here]).expect(cost, true[here], kinks)
        return found

    def _runs(self) -> list[slice]:
        return [slice(a, a + RUN) for a in range(0, self.size, RUN)]

    def _sums(self, t: FloatArray, power: int, *, with_end: bool = True) -> tuple[FloatArray, FloatArray]:
        """Give what lies up to t and beyond it: the mass, or a moment about the mean."""
        below, above = np.zeros(self.size), np.zeros(self.size)
        for here in self._runs():
            below[here], above[here] = self._table.split(self._row[here], t[here], power, with_end=with_end)
        return below, above


class _Table:
    """Panels of many densities, and their masses and moments about the mean."""

    def __init__(self, nodes: NodesBelief, low: FloatArray, high: FloatArray, sign: FloatArray | None) -> None:
        self.nodes, self.low, self.high, self.sign = nodes, low, high, sign
        self.mean = nodes.mean
        n, k = low.shape
        self.values, self.weights = nodes.values.reshape(n, k, -1), nodes.weights.reshape(n, k, -1)
        self.sums = [np.zeros((n, k)) for _ in range(3)]
        for a in range(0, n, RUN):
            here = slice(a, a + RUN)
            off, part = self.values[here] - self.mean[here, None, None], self.weights[here]
            with np.errstate(over="ignore"):
                for total in self.sums:
                    total[here] = part.sum(axis=2)
                    part = part * off

    def split(self, rows: IntArray, t: FloatArray, power: int, *, with_end: bool) -> tuple[FloatArray, FloatArray]:
        """Give the mass or moment up to t and beyond it."""
        low, high, whole = self.low[rows], self.high[rows], self.sums[power][rows]
        place, down = self._places(rows, t)
        here = place[:, None]
        # of amounts below zero, larger ones have smaller logarithms of their size
        end = np.where(down, not with_end, with_end)[:, None]
        first = np.where((here > high) | ((here == high) & ((high > low) | end)), whole, 0.0)
        row, panel = np.nonzero((here > low) & (here < high))
        if row.size:
            of = rows[row]
            part = self.weights[of, panel] * (self.values[of, panel] - self.mean[of, None]) ** power
            u = 2 * (place[row] - low[row, panel]) / (high[row, panel] - low[row, panel]) - 1
            first[row, panel] = _integral(u, part)
        before, after = first.sum(axis=1), (whole - first).sum(axis=1)
        return np.where(down, after, before), np.where(down, before, after)

    def _places(self, rows: IntArray, t: FloatArray) -> tuple[FloatArray, BoolArray]:
        """Put amounts on the scale of the panels; say where larger amounts come first on it."""
        if self.sign is None:
            return t, np.zeros(t.size, dtype=np.bool_)
        sign = self.sign[rows]
        with np.errstate(divide="ignore"):
            place = np.where(sign == 0, t, np.log(np.maximum(sign * t, 0.0)))
        return np.asarray(place, dtype=np.float64), np.asarray(sign < 0, dtype=np.bool_)


def _integral(u: FloatArray, parts: FloatArray) -> FloatArray:
    """Integrate from -1 to u the polynomial whose values at the nodes, times the weights of the nodes, are given."""
    count = parts.shape[1]
    x = np.polynomial.legendre.leggauss(count)[0]
    places: IntArray = np.arange(count)
    coefficients = parts @ np.polynomial.legendre.legvander(x, count - 1)
    p = np.polynomial.legendre.legvander(u, count)
    integrals = np.empty((u.size, count))
    integrals[:, 0] = 0.5 * (1 + u)
    integrals[:, 1:] = 0.5 * (p[:, places[1:] + 1] - p[:, places[1:] - 1])
    return np.asarray(np.einsum("ij,ij->i", coefficients, integrals), dtype=np.float64)
