"""The released records nearest to people; among equally near ones chance decides, by the seed."""

from __future__ import annotations

import numpy as np

from confide.linking.distance.neighbours import ROUNDING, Search, tie_limit
from confide.seeds import Stream
from confide.typing import BoolArray, FloatArray, IntArray

BLOCK = 4_000_000
"""So many pairs of people and released records are listed at a time."""


def nearest_rows(search: Search, k: int, stream: Stream) -> IntArray:
    """Give the rows of the k released records nearest to each person; -1 where none can be compared.

    Where more are as far as the k-th, those that count are drawn at random, for each person anew.
    """
    rows = np.full((search.released.which.size, k), -1, dtype=np.int64)
    cost, place = search.few(k + 1)
    held = np.where(place >= 0, search.source.times[place], 0)
    reached = np.cumsum(held, axis=1) >= k
    comparable = reached.any(axis=1)
    far = np.where(comparable, np.sqrt(cost[np.arange(comparable.size), np.argmax(reached, axis=1)]), np.nan)
    limit = np.where(comparable, tie_limit(far, search.size), -1.0)
    listed = comparable & (cost[:, k] > limit)  # all that may count are known already
    some = np.flatnonzero(listed)
    inside = (cost[some] <= limit[some, None]) & (place[some] >= 0)
    _fill(rows, search, some, inside.sum(axis=1), place[some][inside], far, stream)
    tied = np.flatnonzero(comparable & ~listed)
    if tied.size:
        count, _ = search.counted(tied, limit)
        block = np.cumsum(count[tied]) // BLOCK
        for b in np.unique(block):
            some = tied[block == b]
            _fill(rows, search, some, count[some], _within(search, some, count, limit), far, stream)
    return rows


def _within(search: Search, some: IntArray, count: IntArray, limit: FloatArray) -> IntArray:
    """List the different released records within the limits, query by query."""
    begin = np.zeros(count.size + 1, dtype=np.int64)
    begin[some] = np.cumsum(count[some]) - count[some]
    found = np.empty(int(count[some].sum()), dtype=np.int64)
    search.counted(some, limit, found, begin)
    return np.asarray(search.tree.file_row[found], dtype=np.int64)


def _fill(
    rows: IntArray, search: Search, some: IntArray, count: IntArray, kinds: IntArray, far: FloatArray, stream: Stream
) -> None:
    """Fill in the rows of the people behind some different queries.

    Args:
        rows: filled, k for each person.
        search: both files.
        some: which different queries.
        count: how many different released records may count for each.
        kinds: these, query by query.
        far: the distance of the k-th nearest, for every different query.
        stream: where chance comes from.
    """
    k = rows.shape[1]
    query = np.full(far.size, -1, dtype=np.int64)
    query[some] = np.arange(some.size)
    who = np.flatnonzero(query[search.released.which] >= 0)
    mine = query[search.released.which[who]]
    owner, times = np.repeat(np.arange(some.size), count), search.source.times[kinds]
    sure = np.zeros(kinds.size, dtype=np.bool_) if k == 1 else _nearer(search, some[owner], kinds, far)
    # those nearer than the k-th count; the places left are drawn from those as far
    certain, ranks = _ranked(np.where(sure, times, 0), owner, some.size)
    for j in range(k - 1):
        chosen = np.flatnonzero(j < certain[mine])
        rows[who[chosen], j] = _rows_at(search, kinds, ranks, mine[chosen], np.full(chosen.size, j))
    total, ranks = _ranked(np.where(sure, 0, times), owner, some.size)
    drawn = distinct_ranks(total[mine], k - certain[mine], who, stream)
    for j in range(drawn.shape[1]):
        chosen = np.flatnonzero(drawn[:, j] >= 0)
        rows[who[chosen], certain[mine[chosen]] + j] = _rows_at(search, kinds, ranks, mine[chosen], drawn[chosen, j])


def _nearer(search: Search, query: IntArray, kinds: IntArray, far: FloatArray) -> BoolArray:
    """Say which records are nearer than the k-th, beyond rounding."""
    person, record = search.released.order[search.released.begin[query]], search.source.order[search.source.begin[kinds]]
    d = search.apart(person, record)
    return np.asarray(d + ROUNDING * (search.size[query] + d) < far[query], dtype=np.bool_)


def _ranked(times: IntArray, owner: IntArray, queries: int) -> tuple[IntArray, tuple[IntArray, IntArray, IntArray]]:
    """Count the records of each query, and number them: where the numbers of each query begin, and those of each kind."""
    ends = np.cumsum(times)
    total = np.bincount(owner, weights=times, minlength=queries).astype(np.int64)
    return total, (np.cumsum(total) - total, ends, ends - times)


def _rows_at(
    search: Search, kinds: IntArray, ranks: tuple[IntArray, IntArray, IntArray], query: IntArray, rank: IntArray
) -> IntArray:
    """Give the row of the released record with a rank among those of a query."""
    base, ends, begins = ranks
    number = base[query] + rank
    entry = np.searchsorted(ends, number, side="right")
    return np.asarray(search.source.order[search.source.begin[kinds[entry]] + number - begins[entry]], dtype=np.int64)


def distinct_ranks(total: IntArray, wanted: IntArray, keys: IntArray, stream: Stream) -> IntArray:
    """Draw different whole numbers below a total, as many as wanted; -1 fills the rest.

    >>> drawn = distinct_ranks(np.array([3, 9]), np.array([3, 1]), np.array([0, 1]), Stream(1, "ranks"))
    >>> sorted(drawn[0].tolist()), drawn[1, 1:].tolist()
    ([0, 1, 2], [-1, -1])
    """
    most = int(wanted.max(initial=0))
    drawn = np.full((total.size, most), -1, dtype=np.int64)
    for j in range(most):
        left = np.maximum(total - j, 1)
        rank = np.minimum((stream.uniform(keys, draw=j) * left).astype(np.int64), left - 1)
        # step over those drawn before, smallest first
        before = np.sort(drawn[:, :j], axis=1)
        for i in range(j):
            rank += (before[:, i] >= 0) & (rank >= before[:, i])
        drawn[:, j] = np.where(j < wanted, rank, -1)
    return drawn
