"""Find the records nearest to each released one, exactly: branch and bound over the boxes of the tree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from confide.linking.distance.tree.build import Tree
from confide.linking.distance.tree.costs import mixed_bound, mixed_cost, plain_bound, plain_cost, query_factor
from confide.typing import FloatArray, IntArray

DEEPEST = 64
"""No path through the tree is longer."""
HOME_DEPTH = 12
"""So far down the tree records are sorted before they are looked up; the nodes above stay in the cache."""


@njit(cache=True, nogil=True, inline="always")
def _bound(q: FloatArray, node: int, limit: float, factor: float, tree: Tree, rules: Any) -> float:
    """Give the least squared distance of a released record from a node."""
    if rules is None:
        return plain_bound(q, tree.low[node], tree.high[node])
    return factor * mixed_bound(q, tree.low[node], tree.high[node], tree.missing[node], limit, rules)


@njit(cache=True, nogil=True, inline="always")
def _cost(q: FloatArray, s: FloatArray, limit: float, rules: Any) -> float:
    """Give the squared distance of two records."""
    if rules is None:
        return plain_cost(q, s)
    return mixed_cost(q, s, limit, rules)


@njit(cache=True, nogil=True, inline="always")
def _factor(q: FloatArray, rules: Any) -> float:
    """Give by how much all costs of a released record are scaled up at least."""
    if rules is None:
        return 1.0
    return query_factor(q, rules)


@njit(cache=True, nogil=True)
def home_nodes(queries: FloatArray, rows: IntArray, tree: Tree, rules: Any, out: IntArray) -> None:
    """Give each released record a node near it, so that those near each other can be looked up together."""
    for t in range(rows.size):
        q, node, depth = queries[rows[t]], 0, 0
        while node < tree.leaves and depth < HOME_DEPTH:
            left = _bound(q, 2 * node + 1, math.inf, 1.0, tree, rules)
            right = _bound(q, 2 * node + 2, math.inf, 1.0, tree, rules)
            node = 2 * node + 1 if left <= right else 2 * node + 2
            depth += 1
        out[t] = node


@njit(cache=True, nogil=True)
def nearest(
    first: int, last: int, queries: FloatArray, order: IntArray, tree: Tree, rules: Any, cost: Any, found: Any
) -> None:
    """Find the k nearest records of some released ones.

    Args:
        first: the first place in `order`.
        last: the end.
        queries: the released records.
        order: in which order they are looked up.
        tree: the source records.
        rules: how columns are compared; None: all are coordinates and none is missing.
        cost: filled with the k smallest squared distances, increasing; inf where there are fewer records.
        found: filled with their places in the tree.
    """
    k = cost.shape[1]
    nodes, bounds = np.empty(DEEPEST, dtype=np.int64), np.empty(DEEPEST)
    for t in range(first, last):
        i = order[t]
        q, best, which = queries[i], cost[i], found[i]
        best[:] = math.inf
        which[:] = -1
        factor = _factor(q, rules)
        if factor == math.inf:
            continue
        nodes[0], bounds[0], height = 0, 0.0, 1
        while height:
            height -= 1
            node = nodes[height]
            if bounds[height] >= best[k - 1]:
                continue
            while node < tree.leaves:
                limit = best[k - 1]
                near, far = 2 * node + 1, 2 * node + 2
                b, c = _bound(q, near, limit, factor, tree, rules), _bound(q, far, limit, factor, tree, rules)
                if c < b:
                    near, far, b, c = far, near, c, b
                if c < limit:
                    nodes[height], bounds[height] = far, c
                    height += 1
                node = near
                if b >= limit:
                    break
            if node < tree.leaves:
                continue
            for s in range(tree.start[node], tree.stop[node]):
                d = _cost(q, tree.values[s], best[k - 1], rules)
                if d < best[k - 1]:
                    place = k - 1
                    while place > 0 and best[place - 1] > d:
                        best[place], which[place] = best[place - 1], which[place - 1]
                        place -= 1
                    best[place], which[place] = d, s


@njit(cache=True, nogil=True)
def within(
    first: int, last: int, queries: FloatArray, order: IntArray, tree: Tree, rules: Any, limit: FloatArray,
    times: FloatArray, start: IntArray, count: IntArray, total: FloatArray, found: IntArray,
) -> None:  # fmt: skip
    """Count, and list where there is room, the records within a squared distance of each released one.

    Args:
        first: the first place in `order`.
        last: the end.
        queries: the released records.
        order: in which order they are looked up.
        tree: the source records.
        rules: as for `nearest`.
        limit: the largest squared distance that counts, for each released record; below 0: none.
        times: how often each record of the tree stands in the file, in the order of the tree.
        start: where the list of each released record begins in `found`.
        count: filled with the number of records of the tree.
        total: filled with the number of records of the file.
        found: filled with places in the tree; empty: they are counted only.
    """
    nodes = np.empty(DEEPEST, dtype=np.int64)
    for t in range(first, last):
        i = order[t]
        q, most = queries[i], limit[i]
        factor = _factor(q, rules)
        count[i], total[i] = 0, 0.0
        if factor == math.inf or most < 0:
            continue
        nodes[0], height = 0, 1
        while height:
            height -= 1
            node = nodes[height]
            if _bound(q, node, most, factor, tree, rules) > most:
                continue
            if node < tree.leaves:
                nodes[height], nodes[height + 1] = 2 * node + 1, 2 * node + 2
                height += 2
                continue
            for s in range(tree.start[node], tree.stop[node]):
                if _cost(q, tree.values[s], most, rules) <= most:
                    if found.size:
                        found[start[i] + count[i]] = s
                    count[i] += 1
                    total[i] += times[s]
