"""Whom the intruder links to what: every acting link, with chance where records are tied."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from confide.errors import HarmError
from confide.linking.kernels import CUT
from confide.linking.pairs import PART, LinkedGroups, Pairs, at_best
from confide.typing import BoolArray, FloatArray, IntArray

MOST = 2_000_000_000
"""So many pairs of a target and a record are looked at before the work is refused."""


class Cases(NamedTuple):
    """Links that are made. Of records that are equally probable each is taken with the same chance."""

    target: IntArray
    """The target."""
    record: IntArray
    """The record that is linked."""
    weight: FloatArray
    """The chance of this link."""
    correct: IntArray
    """1 where the record is the target's own, else 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Tied:
    """Some targets and the records that may be linked to them: those that are most probable."""

    part: Pairs
    """All candidates."""
    members: IntArray
    """The targets."""
    group: IntArray
    """The place of each target's group in this part."""
    start: IntArray
    """The first tied record of each group; the last entry ends the list."""
    record: IntArray
    """The tied records."""
    own: IntArray
    """The own record of each target where it is tied; -1: it is not."""

    @property
    def count(self) -> IntArray:
        """How many records are tied for each target."""
        return np.diff(self.start)[self.group]

    @property
    def share(self) -> FloatArray:
        """The chance that the record linked to each target is its own."""
        return np.asarray((self.own >= 0) / np.maximum(self.count, 1), dtype=np.float64)

    def some(self, keep: Any) -> Tied:
        """Keep some of the targets."""
        return replace(self, members=self.members[keep], group=self.group[keep], own=self.own[keep])

    def crossed(self) -> Iterator[Cases]:
        """Pair every target with every record tied for it."""
        first, count = self.start[:-1][self.group], self.count
        enough(count)
        for here in blocks(count):
            who, place = spread(first[here], count[here])
            linked = self.record[place]
            correct = (self.own[here][who] == linked).astype(np.int64)
            yield Cases(self.members[here][who], linked, 1.0 / count[here][who], correct)


def ties(found: LinkedGroups, acts: BoolArray) -> Iterator[Tied]:
    """Give the targets that are acted upon with the records tied for them, some at a time."""
    for part, members in parts_with_targets(found, acts):
        places, count = at_best(part)
        group, record = found.group[members] - part.first, part.record[places]
        start = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
        tied = np.sort(part.group[places] * found.records + record)
        mine = group * found.records + found.own[members]
        there = tied[np.minimum(np.searchsorted(tied, mine), tied.size - 1)] == mine
        own = np.where((found.own[members] >= 0) & there, found.own[members], -1)
        yield Tied(part, members, group, start, record, own)


def enough(count: IntArray) -> None:
    """Raise where more pairs of targets and records would be compared than anyone can wait for."""
    need = int(count.sum())
    if need > MOST:
        raise HarmError(
            f"what {count.size:,} targets share with {int(count.max()):,} records or fewer that are equally probable would "
            f"be averaged over {need:,} pairs; let the intruder act on a larger probability (acts), know more, or not keep "
            "the whole posterior (bayesian=False)"
        )


def parts_with_targets(found: LinkedGroups, acts: BoolArray, *, cut: float = CUT) -> Iterator[tuple[Pairs, IntArray]]:
    """Give the parts that hold candidates of acting targets, each with these targets."""
    targets = np.flatnonzero(acts)
    if not targets.size:
        return
    targets = targets[np.argsort(found.group[targets], kind="stable")]
    groups = found.group[targets]
    for part in found.parts(np.unique(groups), cut=cut):
        members = targets[np.searchsorted(groups, part.first) : np.searchsorted(groups, part.first + part.groups)]
        if members.size:
            yield part, members


def spread(first: IntArray, count: IntArray) -> tuple[IntArray, IntArray]:
    """Write out ranges: whose each entry is, and which it is.

    >>> spread(np.array([5, 0]), np.array([2, 1]))
    (array([0, 0, 1]), array([5, 6, 0]))
    """
    who = np.repeat(np.arange(count.size), count)
    start = np.cumsum(count) - count
    return who, first[who] + np.arange(who.size) - start[who]


def blocks(count: IntArray) -> Iterator[slice]:
    """Cut a list into runs whose counts add up to about as many as are written out at a time."""
    if count.size:
        at = np.cumsum(count) // PART
        ends = [0, *(np.flatnonzero(np.diff(at)) + 1).tolist(), count.size]
        for a, b in itertools.pairwise(ends):
            yield slice(a, b)
