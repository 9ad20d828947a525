"""The nearest source records of every released record, ties included, without a table of all pairs."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from confide.linking.distance.encode import Encoded
from confide.linking.distance.tree.build import Tree, build
from confide.linking.distance.tree.costs import Rules, costs_of
from confide.linking.distance.tree.distinct import distinct_rows
from confide.linking.distance.tree.search import home_nodes, nearest, within
from confide.linking.parallel import in_chunks
from confide.typing import BoolArray, FloatArray, IntArray

CHUNK = 8_192
"""So many released records are looked up at a time."""
ROUNDING = 16 * np.finfo(np.float64).eps
"""Distances closer to each other than this, relative to the numbers they come from, are tied."""


class Search:
    """Looks up released records among source records, and keeps the trees it built."""

    def __init__(self, encoded: Encoded) -> None:
        self.released, self.source = distinct_rows(encoded.released), distinct_rows(encoded.source)
        self.plain, self.all_rules = encoded.plain, encoded.rules
        self.rules: Rules | None = None if self.plain else encoded.rules
        first = self.released.order[self.released.begin[:-1]]
        self.size = encoded.size[first]
        self._tree: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The tree for mixtures, and for ties."""
        if self._tree is None:
            self._tree = build(self.source.rows, self.all_rules)
        return self._tree

    def few(self, k: int) -> tuple[FloatArray, IntArray]:
        """Give the squared distances and places of the k nearest different source records; inf and -1 where fewer."""
        queries = self.released.rows
        if self.plain:
            return _by_library(queries, self.source.rows, k)
        cost, found = np.empty((queries.shape[0], k)), np.empty((queries.shape[0], k), dtype=np.int64)
        work = partial(
            nearest, queries=queries, order=self.order(), tree=self.tree, rules=self.rules, cost=cost, found=found
        )
        in_chunks(work, queries.shape[0], CHUNK)
        return cost, np.where(found >= 0, self.tree.file_row[found], -1)

    def order(self, rows: IntArray | None = None) -> IntArray:
        """Give an order in which released records near each other follow each other."""
        queries = self.released.rows
        wanted = np.arange(queries.shape[0], dtype=np.int64) if rows is None else rows
        node = np.empty(wanted.size, dtype=np.int64)
        in_chunks(lambda a, b: home_nodes(queries, wanted[a:b], self.tree, self.rules, node[a:b]), wanted.size, CHUNK)
        return np.asarray(wanted[np.argsort(node, kind="stable")], dtype=np.int64)

    def counted(
        self, rows: IntArray, limit: FloatArray, found: IntArray | None = None, start: IntArray | None = None
    ) -> Any:
        """Count the source records within a squared distance, and list them where there is room.

        Args:
            rows: which different released records.
            limit: the squared distance, for every different released record.
            found: filled with the different source records; None: they are counted only.
            start: where the list of each begins in `found`.
        """
        n = self.released.rows.shape[0]
        count, total = np.zeros(n, dtype=np.int64), np.zeros(n)
        begin = np.zeros(n + 1, dtype=np.int64) if start is None else start
        places = np.zeros(0, dtype=np.int64) if found is None else found
        times = self.source.times[self.tree.file_row].astype(np.float64)
        order, queries = self.order(rows), self.released.rows
        common = (queries, order, self.tree, self.rules, limit, times, begin, count, total, places)
        in_chunks(lambda a, b: within(a, b, *common), order.size, CHUNK)
        return count, total

    def apart(self, record: IntArray, source: IntArray) -> FloatArray:
        """Give the distance of released records from source records, pair by pair."""
        out = np.empty(record.size)

        def work(a: int, b: int) -> None:
            q = self.released.rows[self.released.which[record[a:b]]]
            costs_of(q, self.source.rows[self.source.which[source[a:b]]], self.all_rules, out[a:b])

        in_chunks(work, record.size, 16 * CHUNK)
        return np.sqrt(out)


class Neighbours(NamedTuple):
    """The nearest source records of released records; records that are alike stand for each other."""

    search: Search
    """Both files."""
    distance: FloatArray
    """The distance of each different released record from its nearest; inf: none can be compared."""
    second: FloatArray
    """The distance from the second nearest record of the file; inf: there is none."""
    limit: FloatArray
    """The squared distance up to which records are as near as the nearest."""
    first: IntArray
    """A nearest different source record; -1: there is none."""
    kinds: IntArray
    """How many different source records are equally near."""
    many: IntArray
    """How many source records are."""

    def holds(self, record: IntArray, source: IntArray) -> BoolArray:
        """Say whether source records are among the nearest of released records, pair by pair."""
        which = self.search.released.which[record]
        kinds = self.kinds[which]
        held: BoolArray = (kinds == 1) & (self.first[which] == self.search.source.which[source])
        left = np.flatnonzero(kinds > 1)
        held[left] = self.search.apart(record[left], source[left]) <= np.sqrt(self.limit[which[left]])
        return held

    def lists(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """List the nearest different source records of some different released ones: where each begins, and all."""
        kinds = self.kinds[rows]
        start = np.concatenate([[0], np.cumsum(kinds)]).astype(np.int64)
        listed = np.empty(int(start[-1]), dtype=np.int64)
        alone = np.flatnonzero(kinds == 1)
        listed[start[alone]] = self.first[rows[alone]]
        tied = np.flatnonzero(kinds > 1)
        if tied.size:
            begin = np.zeros(self.kinds.size + 1, dtype=np.int64)
            begin[rows] = start[:-1]
            spare = np.zeros_like(listed)
            self.search.counted(rows[tied], self.limit, spare, begin)
            places = _places(start, tied)
            listed[places] = self.search.tree.file_row[spare[places]]
        return start, listed


def neighbours(search: Search) -> Neighbours:
    """Find the nearest source records of every released record.

    Distances that differ by rounding alone are the same. Of equally near records only the number is kept; they are
    listed when asked for.
    """
    cost, found = search.few(2)
    distance = np.sqrt(cost[:, 0])
    first = found[:, 0]
    limit = np.where(first >= 0, tie_limit(distance, search.size), -1.0)
    kinds = (first >= 0).astype(np.int64)
    many = np.where(first >= 0, search.source.times[first], 0)
    second = np.where(many > 1, distance, np.sqrt(cost[:, 1]))
    tied = np.flatnonzero((first >= 0) & (cost[:, 1] <= limit))
    if tied.size:
        count, total = search.counted(tied, limit)
        kinds[tied], many[tied] = count[tied], total[tied].astype(np.int64)
    return Neighbours(search, distance, second, limit, first, kinds, many)


def tie_limit(distance: FloatArray, size: FloatArray) -> FloatArray:
    """Give the squared distance up to which records are as near as one at the given distance."""
    with np.errstate(invalid="ignore"):
        return np.asarray((distance + ROUNDING * (size + distance)) ** 2, dtype=np.float64)


def _places(start: IntArray, rows: IntArray) -> IntArray:
    """Give all places of some rows in their lists."""
    length = np.diff(start)[rows]
    ends = np.cumsum(length)
    within_row = np.arange(int(ends[-1]) if ends.size else 0) - np.repeat(ends - length, length)
    return np.asarray(np.repeat(start[rows], length) + within_row, dtype=np.int64)


def _by_library(queries: FloatArray, source: FloatArray, k: int) -> tuple[FloatArray, IntArray]:
    """Ask scipy's tree, which is quickest for plain coordinates; records in the same cell are looked up together."""
    order, own = _cell_order(queries), _cell_order(source)
    d, place = cKDTree(source[own]).query(queries[order], k=k, workers=-1)
    cost, found = np.empty((queries.shape[0], k)), np.empty((queries.shape[0], k), dtype=np.int64)
    cost[order] = np.reshape(d, (-1, k)) ** 2
    # where there are fewer records, the library names one past the last
    found[order] = np.append(own, -1)[np.reshape(place, (-1, k))]
    return cost, found


def _cell_order(rows: FloatArray) -> IntArray:
    """Order records by the cells of a coarse grid of quantiles."""
    n, p = rows.shape
    if n < CHUNK:
        return np.arange(n, dtype=np.int64)
    bits = max(1, 16 // p)
    cell = np.zeros(n, dtype=np.uint16)
    for j in range(min(p, 16)):
        sample = rows[:: max(1, n // 4_096), j]
        cuts = np.unique(np.quantile(sample, np.arange(1, 2**bits) / 2**bits))
        cell = (cell << np.uint16(bits)) | np.searchsorted(cuts, rows[:, j]).astype(np.uint16)
    return np.argsort(cell, kind="stable").astype(np.int64)
