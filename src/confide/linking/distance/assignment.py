"""Link one to one: the pairs with the smallest sum of squared distances."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from confide.errors import IntruderError
from confide.linking.distance.neighbours import Search
from confide.linking.distance.tree.costs import table_of
from confide.linking.memory import needs_memory
from confide.linking.parallel import in_chunks
from confide.typing import FloatArray, IntArray

MOST_PAIRS = 100_000_000
"""A full table of more pairs is refused: the time grows with the third power of the records."""


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
    m = search.source.which.size
    alone = np.arange(n)
    worst = (float(paid.max()) if paid.size else 0.0) * 2 + 1.0
    # every record may also stay alone, so that there always is an assignment; a cost of 0 would be no edge
    weights = np.concatenate([paid + 1.0, np.full(n, worst + 1.0)])
    graph = sparse.csr_array(
        (weights, (np.concatenate([row, alone]), np.concatenate([source, m + alone]))), shape=(n, m + n)
    )
    rows, columns = min_weight_full_bipartite_matching(graph)
    found = np.full(n, -1, dtype=np.int64)
    found[rows] = np.where(columns < m, columns, -1)
    return found, int(np.sum(found < 0))
