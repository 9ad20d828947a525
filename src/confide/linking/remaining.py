"""Who is left when those whose records show everything are taken away (HELD, D and E).

Blanks at random say nothing of who a record's person is, but the other records do: of the F_k people of kind k, s_k are
behind records that show it, and each record with blanks belongs to one of those left. With r_k = F_k - s_k people left,

    Pr(record j is of kind k | what all records show) = b_jk v_k / (sum over agreeing kinds of b_jl v_l),

with v such that every kind has its r_k people, in records with blanks or outside the file (doubly stochastic scaling). Where
what records show is nested, that is exact for blanks at random; otherwise it puts expected counts in place of a sum over
all ways to assign people to records.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.packing import groups, pack
from confide.typing import BoolArray, FloatArray, IntArray

ROUNDS = 200
"""So often v is scaled at most."""
CLOSE = 1e-10
"""Scaling ends when no v changes by more than this share."""
NOBODY_LEFT = 1e-9
"""The share of a kind's people that counts as left where none is: no record is ruled out by counting alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """How probable kinds are behind records."""

    log_share: FloatArray
    """Of each pair of a record and a cell of the reference, without the chances of blanks."""
    full: BoolArray
    """Which record profiles show all that is looked at."""
    log_v: FloatArray
    """v of each class: a kind as far as it is looked at. Empty where people are not counted."""
    expected: FloatArray
    """The number of records expected to be of each class."""
    of_cell: IntArray
    """The class of each cell."""
    of_block: FloatArray
    """v per person of the block, for kinds that the reference does not hold."""

    @property
    def counted(self) -> bool:
        """Whether people are counted."""
        return bool(self.log_v.size)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Which records may be of which kinds."""

    record: IntArray
    """The record profile of each pair."""
    cell: IntArray
    """The cell of the reference."""
    log_chance: FloatArray
    """The log chance that such a person's record is left blank, and shown, as it is."""
    count: FloatArray
    """The number of records of each profile."""
    block: IntArray
    """The block of each profile."""
    full: BoolArray
    """Which profiles show all that is looked at."""
    people: FloatArray
    """How many people each cell holds."""
    cell_block: IntArray
    """The block of each cell."""
    cell_code: IntArray
    """The values of each cell that are looked at, variables by cells."""

    def shares(self) -> Shares:
        """Take kinds as probable as they are common in their block."""
        total = np.bincount(self.cell_block, weights=self.people, minlength=int(self.cell_block.max(initial=-1)) + 1)
        with np.errstate(divide="ignore"):
            log_share = np.log(self.people)[self.cell] - np.log(total)[self.cell_block[self.cell]]
        none = np.zeros(0)
        return Shares(log_share, self.full, none, none, none.astype(np.int64), none)


def remaining(pairs: Pairs, *, counted: bool) -> Shares:
    """Take kinds as probable as people of them are left.

    Args:
        pairs: which records may be of which kinds.
        counted: whether people were counted in a source file; otherwise those who show all stand for everyone.

    >>> one = np.zeros(3, dtype=np.int64)
    >>> pairs = Pairs(np.array([0, 1, 2, 2]), np.array([0, 1, 0, 1]), np.zeros(4), np.array([1.0, 2.0, 2.0]), one,
    ...               np.array([True, True, False]), np.array([2.0, 3.0]), one[:2], np.array([[0, 1]]))
    >>> np.exp(remaining(pairs, counted=True).log_share[2:]).round(6).tolist()  # one of each kind is left
    [1.0, 1.0]
    """
    first, of_cell = groups([pairs.cell_block, *(row + 1 for row in pairs.cell_code)], pairs.people.size)
    blocks = int(max(pairs.block.max(initial=-1), pairs.cell_block.max(initial=-1))) + 1
    block = pairs.cell_block[first]
    people: FloatArray = np.bincount(of_cell, weights=pairs.people, minlength=first.size).astype(np.float64)
    seen = pairs.full[pairs.record]
    shown = np.zeros(first.size)
    # a full record is paired with all cells of its class; it counts once
    once = np.unique(pairs.record[seen], return_index=True)[1]
    np.add.at(shown, of_cell[pairs.cell[seen][once]], pairs.count[pairs.record[seen][once]])
    in_block = np.bincount(pairs.block, weights=pairs.count, minlength=blocks)
    if not counted:
        shown_in = np.bincount(block, weights=shown, minlength=blocks)
        people = people * (in_block / np.maximum(shown_in, 1.0))[block]
    left = np.maximum(people - shown, NOBODY_LEFT * people)
    outside = np.maximum(np.bincount(block, weights=people, minlength=blocks) - in_block, 0.0)
    row, cls, chance = _distinct(pairs, of_cell, ~seen)
    v, taken = _scaled(row, cls, chance, pairs.count, left, outside, block)
    expected = shown + taken
    with np.errstate(divide="ignore"):
        log_v = np.log(v)
        inside = np.log(pairs.people) - np.log(np.bincount(of_cell, weights=pairs.people, minlength=first.size))[of_cell]
    log_share = np.where(seen, 0.0, log_v[of_cell[pairs.cell]]) + inside[pairs.cell]
    total = np.bincount(block, weights=left, minlength=blocks)
    of_block = np.divide(np.bincount(block, weights=v, minlength=blocks), total, out=np.ones(blocks), where=total > 0)
    return Shares(log_share, pairs.full, log_v, expected, of_cell, of_block)


def _distinct(pairs: Pairs, of_cell: IntArray, which: BoolArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Give pairs of records with blanks and classes, each once, with the chance of what they show."""
    record, cls = pairs.record[which], of_cell[pairs.cell[which]]
    _, once = np.unique(pack([record, cls], [pairs.full.size, int(of_cell.max(initial=0)) + 1]), return_index=True)
    return record[once], cls[once], np.exp(pairs.log_chance[which][once])


def _scaled(
    row: IntArray,
    cls: IntArray,
    chance: FloatArray,
    many: FloatArray,
    left: FloatArray,
    outside: FloatArray,
    block: IntArray,
) -> tuple[FloatArray, FloatArray]:
    """Scale v until every class has its people left; gives v, and how many records with blanks each class has."""
    v = left.copy()
    taken = np.zeros(left.size)
    for _ in range(ROUNDS):
        agree = np.bincount(row, weights=chance * v[cls], minlength=many.size)
        rate = np.divide(many, agree, out=np.zeros_like(many), where=agree > 0)
        inside = np.bincount(cls, weights=rate[row] * chance, minlength=left.size)
        taken = v * inside
        everyone = np.bincount(block, weights=v, minlength=outside.size)
        out = np.divide(outside, everyone, out=np.zeros_like(outside), where=everyone > 0)[block]
        claimed = inside + out
        fresh = np.where(claimed > 0, left / np.where(claimed > 0, claimed, 1.0), v)
        done = bool(np.all(np.abs(fresh - v) <= CLOSE * np.abs(v)))
        v = fresh
        if done:
            break
    return v, taken


def spread(count: FloatArray, block: IntArray, code: IntArray, lacking: BoolArray, looked_at: BoolArray) -> FloatArray:
    """Spread people whose values are missing in the source over the cells that agree with what is there, as they are common.

    Args:
        count: the people of each cell.
        block: its block.
        code: its values, variables by cells; -1: missing.
        lacking: which cells lack a value.
        looked_at: the variables that count.
    """
    count = count.copy()
    whole = np.flatnonzero(~lacking)
    own = count[whole].copy()
    missing = np.flatnonzero(lacking)
    _, pattern = groups([(row < 0).astype(np.int64) for row in code[:, missing]], missing.size)
    for p in np.unique(pattern):
        some = missing[pattern == p]
        told = np.flatnonzero((code[:, some[0]] >= 0) & looked_at)
        ids = [np.concatenate([x[some], x[whole]]) for x in (block, *(code[k] + 1 for k in told))]
        _, group = groups(ids, some.size + whole.size)
        theirs, mine = group[: some.size], group[some.size :]
        size = int(group.max(initial=-1)) + 1
        common = np.bincount(mine, weights=own, minlength=size)
        lost = np.bincount(theirs, weights=count[some], minlength=size)
        found = common > 0
        count[whole] += np.where(found[mine], own / np.where(found, common, 1.0)[mine] * lost[mine], 0.0)
        count[some] = np.where(found[theirs], 0.0, count[some])
    return count
