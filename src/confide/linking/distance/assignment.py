"""Link one to one: the pairs with the smallest sum of squared distances."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import connected_components, min_weight_full_bipartite_matching

from confide.errors import IntruderError
from confide.linking.distance.neighbours import Search
from confide.linking.distance.tree.costs import table_of
from confide.linking.memory import needs_memory
from confide.linking.parallel import in_chunks
from confide.typing import FloatArray, IntArray

MOST_PAIRS = 100_000_000
"""A full table of more pairs is refused: the time grows with the third power of the records."""

BATCH = 4_096
"""Groups of pairs that do not compete are assigned together, about so many pairs at a time."""


def squared_distances(search: Search, most: int = MOST_PAIRS) -> FloatArray:
    """Give the squared distance of every released from every source record; refuse where there are too many pairs."""
    n, m = search.released.which.size, search.source.which.size
    if n * m > most:
        raise IntruderError(
            f"a table of {n:,} by {m:,} distances would take {8 * n * m / 2**30:.1f} GB; {most:,} pairs are the most. "
            "Link with replacement, or one to one among the nearest with candidates=50"
        )
    needs_memory(24 * n * m, f"a table of {n:,} by {m:,} distances", instead="link with replacement, or candidates=50")
    out = np.empty((search.released.rows.shape[0], search.source.rows.shape[0]))
    queries, rows, rules = search.released.rows, search.source.rows, search.all_rules
    in_chunks(lambda a, b: table_of(queries[a:b], rows, rules, out[a:b]), out.shape[0], 64)
    return np.asarray(out[search.released.which][:, search.source.which], dtype=np.float64)


def assign_all(search: Search) -> IntArray:
    """Give every released record its source record in the best one-to-one assignment; -1: none is left for it."""
    cost = squared_distances(search)
    if bool(np.isinf(cost).any()):
        # pairs that cannot be compared are taken only where nothing else is left, and not kept
        finite = cost[np.isfinite(cost)]
        cost[np.isinf(cost)] = (finite.max() if finite.size else 0.0) * (min(cost.shape) + 1) + 1.0
    rows, columns = linear_sum_assignment(cost)
    found = np.full(cost.shape[0], -1, dtype=np.int64)
    found[rows] = columns
    kept = np.flatnonzero(found >= 0)
    found[kept[np.isinf(search.apart(kept, found[kept]))]] = -1
    return found


def assign_nearest(search: Search, k: int) -> tuple[IntArray, int]:
    """Assign one to one among the k nearest different source records of each released record.

    Args:
        search: both files.
        k: how many candidates each released record has.

    Returns:
        The source record of each released one, -1 where all its candidates went to others, and how many those are. With all
        candidates the assignment is the best one; with fewer it is an approximation, better the larger k.
    """
    if k < 1:
        raise IntruderError(f"candidates must be at least 1; found {k}")
    cost, place = search.few(min(k, search.source.times.size))
    n, which, times = search.released.which.size, search.released.which, search.source.times
    # of source records that are alike, no more than there are released records of the kind and candidates need a place
    row, column = np.nonzero(place[which] >= 0)
    kind, paid = place[which][row, column], cost[which][row, column]
    copies = np.minimum(times[kind], k)
    ends = np.cumsum(copies)
    within = np.arange(int(ends[-1]) if ends.size else 0) - np.repeat(ends - copies, copies)
    shift = (np.repeat(row, copies) % np.repeat(times[kind], copies)) if within.size else within
    source = search.source.order[
        np.repeat(search.source.begin[kind], copies) + (within + shift) % np.repeat(times[kind], copies)
    ]
    row, paid = np.repeat(row, copies), np.repeat(paid, copies)
    worst = (float(paid.max()) if paid.size else 0.0) * 2 + 1.0
    taken = assign_listed(row, source, paid, alone=worst)
    found = np.full(n, -1, dtype=np.int64)
    found[row[taken]] = source[taken]
    return found, int(np.sum(found < 0))


def assign_listed(row: IntArray, column: IntArray, cost: FloatArray, alone: float = 0.0) -> IntArray:
    """Assign rows to columns one to one among listed pairs, at the least sum of costs; give the places of the pairs taken.

    Args:
        row: the row of each pair.
        column: the column of each pair.
        cost: what taking the pair costs.
        alone: what it costs that a row stays alone.

    >>> assign_listed(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([-3.0, -2.0, -2.0])).tolist()
    [1, 2]
    """
    _, i = np.unique(row, return_inverse=True)
    _, k = np.unique(column, return_inverse=True)
    # a pair that competes with no other needs no solver
    single = (np.bincount(i)[i] == 1) & (np.bincount(k)[k] == 1)
    sure, left = np.flatnonzero(single & (cost < alone)), np.flatnonzero(~single)
    if not left.size:
        return sure.astype(np.int64)
    chosen = [part[_assigned(i[part], k[part], cost[part], alone)] for part in _batches(i, k, left)]
    return np.sort(np.concatenate([sure, *chosen])).astype(np.int64)


def _batches(i: IntArray, k: IntArray, left: IntArray) -> list[IntArray]:
    """Cut pairs into batches that do not compete with each other; the solver's time grows faster than their size."""
    n, m = int(i.max()) + 1, int(k.max()) + 1
    graph = sparse.coo_array((np.ones(left.size), (i[left], n + k[left])), shape=(n + m, n + m))
    label = connected_components(graph, directed=False)[1][i[left]]
    order = np.argsort(label, kind="stable")
    ends = np.flatnonzero(np.diff(label[order], append=-1)) + 1
    cuts = ends[np.flatnonzero(np.diff(ends // BATCH, append=-1))]
    return np.split(left[order], cuts[:-1])


def _assigned(i: IntArray, k: IntArray, cost: FloatArray, alone: float) -> IntArray:
    """Assign rows to columns by the solver; give the places of the pairs taken."""
    _, i = np.unique(i, return_inverse=True)
    _, k = np.unique(k, return_inverse=True)
    n, m = int(i.max()) + 1, int(k.max()) + 1
    paid = np.concatenate([cost, np.full(n, alone)])
    paid = paid - paid.min() + 1.0  # a cost of 0 would be no edge
    own = np.arange(n)  # every row may also stay alone, so that there always is an assignment
    at = np.concatenate([i, own]), np.concatenate([k, m + own])
    _, picked = min_weight_full_bipartite_matching(sparse.csr_array((paid, at), shape=(n, m + n)))
    return np.flatnonzero(picked[i] == k).astype(np.int64)
