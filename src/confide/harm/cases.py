"""Whom the intruder links to what: every acting link, with chance where records are tied."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from confide.linking.pairs import PART, LinkedGroups, Pairs, at_best
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Links that are made. Of records that are equally probable each is taken with the same chance."""

    target: IntArray
    """The target."""
    record: IntArray
    """The record that is linked."""
    weight: FloatArray
    """The chance of this link."""
    correct: IntArray
    """1 where the record is the target's own, else 0."""


def cases(found: LinkedGroups, acts: BoolArray) -> Iterator[Cases]:
    """Give the links of all targets that are acted upon, some at a time."""
    for part, members in parts_with_targets(found, acts):
        places, ties = at_best(part)
        first = np.concatenate([[0], np.cumsum(ties)]).astype(np.int64)
        group = found.group[members] - part.first
        yield from _crossed(found, members, first[group], ties[group], part.record[places])


def parts_with_targets(found: LinkedGroups, acts: BoolArray) -> Iterator[tuple[Pairs, IntArray]]:
    """Give the parts that hold candidates of acting targets, each with these targets."""
    targets = np.flatnonzero(acts)
    if not targets.size:
        return
    targets = targets[np.argsort(found.group[targets], kind="stable")]
    groups = found.group[targets]
    for part in found.parts(np.unique(groups)):
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


def _crossed(
    found: LinkedGroups, members: IntArray, first: IntArray, count: IntArray, record: IntArray
) -> Iterator[Cases]:
    """Pair every target with every record tied for it."""
    for here in blocks(count):
        who, place = spread(first[here], count[here])
        target, linked = members[here][who], record[place]
        yield Cases(target, linked, 1.0 / count[here][who], (found.own[target] == linked).astype(np.int64))
