"""What one released file says of one intruder: stated and true, before any error is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.calibration.reliability import binned, sums
from confide.linking.links import Links
from confide.linking.pairs import linked_groups
from confide.seeds import Stream
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Three rows each (cases, stated, true): by bins of p, or by groups of targets."""

    best: FloatArray
    """The record that fits best, one case per target."""
    pairs: FloatArray
    """Every pair of a record and one of the targets drawn."""
    null: FloatArray | None
    """Whether the target has no record; None: the file cannot tell."""
    groups: tuple[FloatArray, ...]
    """As `best`, by groups of targets, one table per variable."""


def tally(links: Links, members: Sequence[tuple[int, IntArray]], *, everyone: bool, drawn: int, seed: int) -> Tally:
    """Compare what is stated with what is true in one released file.

    With `everyone`, targets without a record count, and the null link is compared as well. Otherwise only targets
    with a record count, and p is taken given that they have one: p / (1 - null).

    Args:
        links: what the intruder states.
        members: for each variable, how many groups there are and the group of each target.
        everyone: whether the source holds all people the intruder could mean.
        drawn: of how many random targets the pairs are written out.
        seed: of the draw.
    """
    in_file = links.summary.in_file
    kept = np.ones(links.n, dtype=np.bool_) if everyone and not links.evidence.intruder.target_in_file else in_file
    given = np.ones(links.n) if kept.all() and everyone else 1.0 / np.where(links.null < 1, 1.0 - links.null, 1.0)
    stated, true = np.minimum(links.best * given, 1.0)[kept], links.summary.matched[kept]
    null = None
    if everyone and not links.evidence.intruder.target_in_file:
        null = binned(links.null, (~in_file).astype(np.float64))
    groups = tuple(sums(stated, true, group[kept].astype(np.float64), size) for size, group in members)
    return Tally(binned(stated, true), pair_sums(links, draw(kept, drawn, seed), given), null, groups)


def draw(kept: BoolArray, drawn: int, seed: int) -> IntArray:
    """Draw some of the targets that count, or take all of them."""
    rows = np.flatnonzero(kept).astype(np.int64)
    return rows if rows.size <= drawn else np.sort(rows[Stream(seed, "targets whose pairs count").order(rows)[:drawn]])


def pair_sums(links: Links, targets: IntArray, given: FloatArray) -> FloatArray:
    """Add up all pairs of a record with some targets; candidates are those of `linking.pairs`."""
    linked = linked_groups(links)
    order = targets[np.argsort(linked.group[targets], kind="stable")]
    wanted, start = np.unique(linked.group[order], return_index=True)
    stop = np.append(start[1:], order.size)
    # a group that no target was drawn from has no candidates here
    first, many = np.zeros(linked.size, dtype=np.int64), np.zeros(linked.size, dtype=np.int64)
    first[wanted], many[wanted] = start, stop - start
    total = binned(np.zeros(0), np.zeros(0))
    for part in linked.parts(wanted.astype(np.int64)):
        group = part.first + part.group
        times = many[group]
        member = np.repeat(first[group], times) + _within(times)
        who = order[member]
        p = np.minimum(np.repeat(part.p, times) * given[who], 1.0)
        mine = np.repeat(part.record, times) == linked.own[who]
        total += binned(p, mine.astype(np.float64))
    return total


def _within(times: IntArray) -> IntArray:
    """Count 0, 1, ... within each run of the given lengths."""
    held = np.concatenate([[0], np.cumsum(times)]).astype(np.int64)
    return np.arange(held[-1], dtype=np.int64) - np.repeat(held[:-1], times)
