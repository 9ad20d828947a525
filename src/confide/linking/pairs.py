"""Link probabilities written out: the candidate records of every target, part by part."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from confide.errors import IntruderError
from confide.linking.kernels import CUT, TIE
from confide.linking.links import Links
from confide.linking.table_kernels import candidates
from confide.typing import FloatArray, IntArray

PART = 4_000_000
"""About how many pairs are written out at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The candidates of some groups of targets; targets of a group have the same candidates."""

    first: int
    """The first group of this part."""
    start: IntArray
    """The first candidate of each group; the last entry ends the list."""
    record: IntArray
    """The candidate records."""
    p: FloatArray
    """The probability that each is the target's."""

    @property
    def groups(self) -> int:
        """How many groups this part holds."""
        return int(self.start.size - 1)

    @property
    def group(self) -> IntArray:
        """The place of each candidate's group in this part."""
        return np.repeat(np.arange(self.groups), np.diff(self.start))

    def weighted(self, values: FloatArray) -> FloatArray:
        """Add up the records' values, weighted by their probabilities, group by group.

        Args:
            values: one row for each released record.
        """
        p = sparse.csr_array((self.p, self.record, self.start), shape=(self.groups, values.shape[0]))
        return np.asarray(p @ values, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class LinkedGroups:
    """Link probabilities of groups of targets, whichever model made them."""

    group: IntArray
    """The group of each target."""
    size: int
    """The number of groups."""
    best: FloatArray
    """The largest probability of a record for each target."""
    null: FloatArray
    """The probability of the null link for each target."""
    own: IntArray
    """The own record of each target; -1: none."""
    records: int
    """The number of released records."""
    source: Any
    """What parts are written out from."""

    @property
    def n(self) -> int:
        """The number of targets."""
        return int(self.group.size)

    def parts(self, wanted: IntArray | None = None, *, cut: float = CUT) -> Iterator[Pairs]:
        """Write out the candidates of all groups, part by part.

        Args:
            wanted: the groups that are needed, increasing; the others come without candidates. None: all.
            cut: candidates below exp(-cut) of the best one are left out.
        """
        keep = np.ones(self.size, dtype=np.bool_)
        if wanted is not None:
            keep[:] = False
            keep[wanted] = True
        if isinstance(self.source, Links):
            matched = self.source.matched is not None
            yield from _matched_parts(self.source, keep) if matched else _scored_parts(self.source, keep, cut)
        else:
            yield Pairs(0, *_kept(self.source.indptr, self.source.indices, self.source.data, keep))


def linked_groups(links: Any, parent: Any = None) -> LinkedGroups:
    """Take link probabilities of any model: what `link` or `link_probabilities` gave, or a table.

    Args:
        links: `Links`; or `JointLinks` or a table of probabilities, records by respondents.
        parent: for a table, the respondent each record belongs to, counted from 0, -1 for nobody's; `Links` know it.

    >>> found = linked_groups(np.array([[0.9, 0.2], [0.1, 0.7]]), parent=[0, 1])
    >>> found.best.tolist(), found.null.round(3).tolist()
    ([0.9, 0.7], [0.0, 0.1])
    """
    if isinstance(links, Links):
        graph, evidence = links.evidence.graph, links.evidence
        size, n = graph.target_first.size, evidence.released.data.n
        return LinkedGroups(graph.target_profile, size, links.best, links.null, evidence.own_records, n, links)
    table = getattr(links, "p", links)
    p = sparse.csr_array(table if sparse.issparse(table) else np.atleast_2d(np.asarray(table, dtype=np.float64)))
    if not bool(np.all((p.data >= 0) & (p.data <= 1 + 1e-9))):
        raise IntruderError("link probabilities lie between 0 and 1; are these densities? see link_probabilities")
    n, wide = p.shape
    own = np.full(wide, -1, dtype=np.int64)
    if parent is not None:
        rows = np.asarray(parent, dtype=np.int64)
        if rows.shape != (n,) or bool(np.any((rows < -1) | (rows >= wide))):
            raise IntruderError(f"parent must hold one respondent from 0 to {wide - 1}, or -1, for each of {n} records")
        if np.unique(rows[rows >= 0]).size < int(np.sum(rows >= 0)):
            raise IntruderError("parent names a respondent twice; each has one record at most")
        own[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
    by_respondent = sparse.csr_array(p.T)
    null = getattr(links, "null", None)
    if null is None:
        null = np.clip(1.0 - np.asarray(by_respondent.sum(axis=1)).ravel(), 0.0, 1.0)
    best = np.asarray(by_respondent.max(axis=1).todense()).ravel() if n else np.zeros(wide)
    return LinkedGroups(np.arange(wide), wide, best, np.asarray(null), own, n, by_respondent)


def at_best(pairs: Pairs) -> tuple[IntArray, IntArray]:
    """Give the candidates with the largest probability of their group: their places, and how many each group has.

    >>> at_best(Pairs(0, np.array([0, 3]), np.array([4, 5, 6]), np.array([0.4, 0.2, 0.4])))
    (array([0, 2]), array([2]))
    """
    group = pairs.group
    top = np.zeros(pairs.groups)
    np.maximum.at(top, group, pairs.p)
    places = np.flatnonzero((pairs.p > 0) & (pairs.p >= top[group] * (1 - TIE)))
    return places, np.bincount(group[places], minlength=pairs.groups)


def _scored_parts(links: Links, keep: Any, cut: float) -> Iterator[Pairs]:
    """Write out the candidates of targets that were matched one by one."""
    evidence = links.evidence
    graph = evidence.graph
    profiles, records = graph.target_first.size, graph.count.size
    never = np.full(records, np.inf)
    total = np.zeros(profiles)
    total[graph.target_profile] = links.log_total
    best = np.full(profiles, np.inf)
    linked = links.best > 0
    best[graph.target_profile[linked]] = np.log(links.best[linked]) + links.log_total[linked]
    common = (
        np.where(keep, graph.block_of_target, -1), graph.block_start, graph.primary, graph.records(evidence.base),
        graph.cats, graph.nums, evidence.tables, graph.tests, best, never, never, never,
    )  # fmt: skip
    count, start = np.zeros(profiles, dtype=np.int64), np.zeros(profiles + 1, dtype=np.int64)
    empty = np.zeros(0, dtype=np.int64), np.zeros(0)
    candidates(0, profiles, *common, cut, start, count, *empty)
    for first, last in _spans(count * max(int(np.ceil(graph.count.mean())), 1)):
        held = np.zeros(profiles + 1, dtype=np.int64)
        held[first + 1 : last + 1] = np.cumsum(count[first:last])
        record, score = np.empty(int(held[last]), dtype=np.int64), np.empty(int(held[last]))
        if record.size:
            candidates(first, last, *common, cut, held, np.zeros(profiles, dtype=np.int64), record, score)
        begin = held[first : last + 1]
        p = np.exp(score - np.repeat(total[first:last], np.diff(begin)))
        yield _expanded(links, first, begin, record, p)


def _matched_parts(links: Links, keep: Any) -> Iterator[Pairs]:
    """Write out the candidates of targets that were matched without replacement."""
    matched = links.matched
    assert matched is not None
    start, record, p = _kept(matched.start, matched.record, matched.p, keep)
    for first, last in _spans(np.diff(start)):
        here = slice(int(start[first]), int(start[last]))
        yield _expanded(links, first, start[first : last + 1] - start[first], record[here], p[here])


def _kept(start: IntArray, record: IntArray, p: FloatArray, keep: Any) -> tuple[IntArray, IntArray, FloatArray]:
    """Leave out the candidates of groups that are not needed, and those of probability zero."""
    here = np.repeat(keep, np.diff(start)) & (p > 0)
    held = np.concatenate([[0], np.cumsum(here)]).astype(np.int64)
    return held[start], record[here].astype(np.int64), p[here]


def _spans(count: IntArray) -> Iterator[tuple[int, int]]:
    """Cut groups into spans of about equal numbers of pairs."""
    if not count.size:
        return
    part = np.cumsum(count) // PART
    cuts = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), count.size]
    yield from itertools.pairwise(cuts)


def _expanded(links: Links, first: int, start: IntArray, profile: IntArray, p: FloatArray) -> Pairs:
    """Write out all records of the candidate profiles."""
    graph = links.evidence.graph
    order = np.argsort(graph.record_profile, kind="stable")
    begin = np.concatenate([[0], np.cumsum(graph.count)]).astype(np.int64)
    many = graph.count.astype(np.int64)[profile]
    held = np.concatenate([[0], np.cumsum(many)]).astype(np.int64)
    within = np.arange(held[-1]) - np.repeat(held[:-1], many)
    record = order[np.repeat(begin[profile], many) + within]
    return Pairs(first, held[start], record, np.repeat(p, many))
