"""What one released file says of one intruder: stated and true, before any error is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.calibration.reliability import binned, sums
from confide.errors import IntruderError
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
    broken: int
    """How many targets fit no record, or not their own: 0 is stated, and 0 true, of them."""


LOST = 1e-7
"""Below this, one less the null link has fewer than nine digits, and p given a record is rounding."""
FEW = 0.01
"""So large a share of the targets may be lost to rounding."""


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
    if not (everyone and not links.evidence.intruder.target_in_file):
        _refuse_rounding(links, in_file)
    kept = np.ones(links.n, dtype=np.bool_) if everyone and not links.evidence.intruder.target_in_file else in_file
    given = np.ones(links.n) if kept.all() and everyone else 1.0 / np.where(links.null < 1, 1.0 - links.null, 1.0)
    stated, true = np.minimum(links.best * given, 1.0)[kept], links.summary.matched[kept]
    null = None
    if everyone and not links.evidence.intruder.target_in_file:
        null = binned(links.null, (~in_file).astype(np.float64))
    groups = tuple(sums(stated, true, group[kept].astype(np.float64), size) for size, group in members)
    broken = int(np.sum(links.without_own | links.fits_none))
    return Tally(binned(stated, true), pair_sums(links, draw(kept, drawn, seed), given), null, groups, broken)


def _refuse_rounding(links: Links, in_file: BoolArray) -> None:
    """Raise where p given that there is a record is lost to rounding, as the null link is all but certain."""
    lost = in_file & (links.best > 0) & (1.0 - links.null < LOST)
    if int(lost.sum()) > FEW * int(in_file.sum()):
        raise IntruderError(
            f"{links.evidence.intruder.title!r} is all but sure that {int(lost.sum()):,} of {int(in_file.sum()):,} targets "
            "are not in the file (one less the null link is below 1e-07): probabilities given that they are cannot be "
            "computed, and rounding would pass for a fit. Give everyone=True if the source file holds all people the "
            "intruder could mean, let target_in_file=True, or state fewer people like a target"
        )


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
