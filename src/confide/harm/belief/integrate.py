"""Integrate any cost against any density, for many pairs at once.

Gauss-Legendre of two orders on panels between kinks. A panel on which the two differ, or at whose ends the
function is not what its nodes foretell, is halved, so that a jump nobody told about is closed in on.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from confide.errors import HarmError
from confide.typing import FloatArray, IntArray

ACCURACY = 1e-11
"""The two orders may differ by so much of the pair's integral on a panel."""
ENOUGH = 1e-9
"""The most that may remain once no panel can be halved any more."""
HALVINGS = 48
PANELS = 400
"""So many open panels for each pair on average are too many: the cost is too rough."""
AT_ONCE = 50_000
"""So many evaluations at a time stay in the cache."""
PAIRS = 10_000
"""So many pairs are refined together."""
FINE = np.polynomial.legendre.leggauss(16)
COARSE = np.polynomial.legendre.leggauss(12)
INSIDE = 1.0 - 2e-8
"""Where the ends are looked at: just inside, since a told jump belongs to one side of it."""
NODES = np.concatenate([FINE[0], COARSE[0], [-INSIDE, INSIDE]])


def foretelling(at: FloatArray) -> FloatArray:
    """Give the matrix that turns values at the fine nodes into those of their polynomial at other places.

    >>> (FINE[0] ** 5 @ foretelling(np.array([-1.0, 1.0]))).round(9).tolist()
    [-1.0, 1.0]
    """
    order = FINE[0].size - 1
    here, there = (np.polynomial.legendre.legvander(x, order) for x in (FINE[0], at))
    return np.asarray((FINE[1][:, None] * here * (np.arange(order + 1) + 0.5)) @ there.T, dtype=np.float64)


ENDS = foretelling(NODES[-2:])
GAP = 1.0 - FINE[0].max()
"""How far the ends are from the nodes: what a jump there may hide."""


def panels(base: FloatArray, kinks: FloatArray | None, size: int) -> FloatArray:
    """Give the ends of the panels of each pair: those of the density and the kinks between them, in order.

    >>> panels(np.array([0.0, 1.0]), np.array([[0.3], [7.0]]), 2).tolist()
    [[0.0, 0.3, 1.0], [0.0, 1.0, 1.0]]
    """
    ends = np.broadcast_to(base, (size, base.shape[-1]))
    if kinks is None or kinks.shape[1] == 0:
        return np.asarray(ends, dtype=np.float64)
    inside = np.clip(kinks, ends[:, :1], ends[:, -1:])
    return np.sort(np.concatenate([ends, inside], axis=1), axis=1)


def integrate(integrand: Callable[[IntArray, FloatArray], FloatArray], ends: FloatArray) -> FloatArray:
    """Integrate a function for each pair over its panels.

    Args:
        integrand: takes the pairs' numbers and places, pairs by nodes, and gives values of that shape.
        ends: the ends of the panels, pairs by places, in order.

    >>> integrate(lambda rows, x: (x > 1 / 3) * 3.0, np.array([[0.0, 1.0]])).round(9).tolist()
    [2.0]
    """
    total = np.zeros(len(ends))
    for first in range(0, total.size, PAIRS):
        some = np.arange(first, min(first + PAIRS, total.size))
        total[some] = _integrate_some(integrand, some, ends[some])
    return total


def _integrate_some(integrand: Callable[[IntArray, FloatArray], FloatArray], some: IntArray, ends: FloatArray) -> FloatArray:
    """Integrate for a few pairs, halving their panels together."""
    n = some.size
    rows = np.repeat(np.arange(n), ends.shape[1] - 1)
    left, right = ends[:, :-1].ravel(), ends[:, 1:].ravel()
    open_ = right > left
    rows, left, right = rows[open_], left[open_], right[open_]
    total: FloatArray = np.zeros(n)
    scale: FloatArray = np.zeros(n)
    for level in range(HALVINGS + 1):
        fine, off = _with_error(integrand, some[rows], left, right)
        if level == 0:
            scale = np.asarray(np.bincount(rows, np.abs(fine) + off, n), dtype=np.float64)
        rough = off > ACCURACY * scale[rows]
        if level == HALVINGS:
            remaining = np.bincount(rows, off, n)
            lost = int(np.sum(remaining > ENOUGH * scale))
            if lost:
                _too_rough(lost, n)
            rough[:] = False
        total += np.bincount(rows[~rough], fine[~rough], n)
        if not bool(rough.any()):
            break
        if int(rough.sum()) > PANELS * n:
            _too_rough(np.unique(rows[rough]).size, n)
        middle = 0.5 * (left[rough] + right[rough])
        left, right = np.concatenate([left[rough], middle]), np.concatenate([middle, right[rough]])
        rows = np.concatenate([rows[rough]] * 2)
    return total


def _with_error(
    integrand: Callable[[IntArray, FloatArray], FloatArray], rows: IntArray, left: FloatArray, right: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Give the integral over each panel and how far it may be off."""
    found, off = np.empty(rows.size), np.empty(rows.size)
    step, fine = AT_ONCE // NODES.size, FINE[0].size
    for first in range(0, rows.size, step):
        part = slice(first, first + step)
        half = 0.5 * (right[part] - left[part])
        values = integrand(rows[part], left[part, None] + half[:, None] * (1.0 + NODES))
        found[part] = half * (values[:, :fine] @ FINE[1])
        other = half * (values[:, fine:-2] @ COARSE[1])
        hidden = half * GAP * np.abs(values[:, :fine] @ ENDS - values[:, -2:]).max(axis=1)
        off[part] = np.maximum(np.abs(found[part] - other), hidden)
    return found, off


def _too_rough(lost: int, n: int) -> None:
    """Say that the integral does not settle."""
    raise HarmError(
        f"the expected cost of {lost:,} of {n:,} pairs does not settle: the cost is too rough to be integrated; "
        "tell where it bends or jumps (kinks=...), and check that it has no pole"
    )
