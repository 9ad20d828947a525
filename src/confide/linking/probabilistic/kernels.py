"""The loops over candidate pairs: levels, patterns, and the pairs worth keeping."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from confide.typing import AnyArray, BoolArray, FloatArray, IntArray

FREE = -1
"""The key of a free place in a hash table."""


class Fields(NamedTuple):
    """All variables compared, as the loops read them."""

    kind: IntArray
    """How each variable's level is found."""
    levels: IntArray
    """How many levels it has; the next one is missing."""
    stride: IntArray
    """What its level is multiplied by in the number of a pattern."""
    a: AnyArray
    """Codes, source records by variables."""
    b: AnyArray
    """Codes, released records by variables."""
    x: FloatArray
    """Numbers of source records, a row for each variable that has them."""
    y: FloatArray
    """Numbers of released records."""
    place: IntArray
    """Which row of the numbers is each variable's."""
    cuts: FloatArray
    """Differences up to which levels reach, from the highest level on, inf behind the last."""
    table: AnyArray
    """All tables of levels, one after the other."""
    start: IntArray
    """Where each variable's table, or hash table, begins."""
    width: IntArray
    """How wide each table is, or how many codes there are."""
    size: IntArray
    """How many places each hash table has, less one."""
    key: IntArray
    """All hash tables of pairs of codes above level 0."""
    near: AnyArray
    """Their levels."""
    rarity: FloatArray
    """All logs of how much more agreement on a value weighs."""
    rare: IntArray
    """Where each variable's begin; -1: it has none."""


class Candidates(NamedTuple):
    """Which pairs are compared: places of source records, each with a stretch of released records."""

    row: IntArray
    """The source record of each place."""
    rule: IntArray
    """The blocking rule that brought it."""
    low: IntArray
    """Where its released records begin in `order`."""
    high: IntArray
    """Where they end."""
    order: IntArray
    """Released records block by block, rule after rule."""
    block_a: AnyArray
    """The block of each source record, rules by records; negative: none."""
    block_b: AnyArray
    """The block of each released record."""


@njit(cache=True, nogil=True, inline="always")
def _mixed(key: int) -> int:
    """Spread keys over a hash table."""
    h = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((h ^ (h >> np.uint64(29))) & np.uint64(0x7FFFFFFFFFFFFFFF))


@njit(cache=True, nogil=True)
def place_of(key: int, keys: IntArray, start: int, mask: int) -> int:
    """Give the place of a key in a hash table, or the free place where it belongs."""
    at = _mixed(key) & mask
    while keys[start + at] != FREE and keys[start + at] != key:
        at = (at + 1) & mask
    return start + at


@njit(cache=True, nogil=True)
def fill(keys: IntArray, levels: AnyArray, into: IntArray, held: AnyArray) -> None:
    """Put pairs of codes into a hash table."""
    for i in range(keys.size):
        at = place_of(keys[i], into, 0, into.size - 1)
        into[at] = keys[i]
        held[at] = levels[i]


@njit(cache=True, nogil=True)
def _level(j: int, i: int, k: int, f: Fields) -> int:
    """Give the level of agreement of a source and a released record in a variable."""
    a, b = f.a[i, j], f.b[k, j]
    top = f.levels[j] - 1
    if a < 0 or b < 0:
        return top + 1
    kind = f.kind[j]
    if kind == 0:
        return 1 if a == b else 0
    if kind == 1:
        return f.table[f.start[j] + a * f.width[j] + b]
    if kind == 2:
        if a == b:
            return top
        at = place_of(a * f.width[j] + b, f.key, f.start[j], f.size[j])
        return f.near[at] if f.key[at] != FREE else 0
    first = 0
    if kind == 4:
        if a == b:
            return top
        year, month, day = a // 10000 == b // 10000, a // 100 % 100 == b // 100 % 100, a % 100 == b % 100
        swapped = year and a % 100 == b // 100 % 100 and b % 100 == a // 100 % 100
        if swapped or (year and month) or (year and day) or (month and day):
            return top - 1
        first = 2
    d = abs(f.x[f.place[j], i] - f.y[f.place[j], k])
    for c in range(top - first):
        if d <= f.cuts[j, c]:
            return top - first - c
    return 0


@njit(cache=True, nogil=True)
def _seen(i: int, k: int, rule: int, c: Candidates) -> bool:
    """Say whether an earlier rule brought this pair already."""
    for r in range(rule):
        if c.block_a[r, i] >= 0 and c.block_a[r, i] == c.block_b[r, k]:
            return True
    return False


@njit(cache=True, nogil=True)
def pattern_of(i: int, k: int, f: Fields) -> int:
    """Give the number of a pair's pattern."""
    pattern = 0
    for j in range(f.kind.size):
        pattern += f.stride[j] * _level(j, i, k, f)
    return pattern


@njit(cache=True, nogil=True)
def count_patterns(
    p: int, q: int, last: int, c: Candidates, f: Fields, keys: IntArray, counts: IntArray, held: int
) -> tuple[int, int, int]:
    """Count the patterns of pairs, from a place and a pair of it on; stop where the table is half full.

    Returns:
        The place and the pair where it stopped, and how many patterns the table holds.
    """
    mask = keys.size - 1
    while p < last:
        i, rule = c.row[p], c.rule[p]
        for k_at in range(max(q, c.low[p]), c.high[p]):
            k = c.order[k_at]
            if rule and _seen(i, k, rule, c):
                continue
            pattern = pattern_of(i, k, f)
            at = place_of(pattern, keys, 0, mask)
            if keys[at] == FREE:
                if held * 2 > mask:
                    return p, k_at, held
                keys[at] = pattern
                held += 1
            counts[at] += 1
        p, q = p + 1, 0
    return p, q, held


@njit(cache=True, nogil=True)
def _extra(i: int, k: int, f: Fields) -> float:
    """Give what agreement on rare values adds to a pair's weight."""
    extra = 0.0
    for j in range(f.kind.size):
        if f.rare[j] >= 0 and _level(j, i, k, f) == f.levels[j] - 1:
            extra += f.rarity[f.rare[j] + f.a[i, j]]
    return extra


class Weights(NamedTuple):
    """What every pattern weighs, arranged as the hash table of patterns."""

    key: IntArray
    """The patterns."""
    weight: FloatArray
    """Their log weights."""
    ratio: FloatArray
    """Their weights themselves: how much more frequent they are among matches."""
    hopeless: BoolArray
    """Whether neither a rare value nor a small block could lift them to the floor."""
    floor: float
    """The log odds from which on pairs are kept."""


@njit(cache=True, nogil=True)
def keep_pairs(
    p: int,
    q: int,
    last: int,
    c: Candidates,
    f: Fields,
    w: Weights,
    prior: FloatArray,
    source: IntArray,
    released: IntArray,
    kept: FloatArray,
    left_out: FloatArray,
) -> tuple[int, int, int]:
    """Keep the pairs whose log odds of a match reach a floor, from a place and a pair of it on; stop where there is no room.

    Returns:
        The place and the pair where it stopped, and how many pairs are kept. `left_out` grows, for every place, by the
        probability of the pairs that are not.
    """
    mask, held, room = w.key.size - 1, 0, source.size
    while p < last:
        i, rule, before = c.row[p], c.rule[p], np.exp(prior[p])
        for k_at in range(max(q, c.low[p]), c.high[p]):
            k = c.order[k_at]
            if rule and _seen(i, k, rule, c):
                continue
            at = place_of(pattern_of(i, k, f), w.key, 0, mask)
            if w.hopeless[at]:
                odds = w.ratio[at] * before
                left_out[p] += odds / (1 + odds)
                continue
            log_odds = w.weight[at] + _extra(i, k, f) + prior[p]
            if log_odds < w.floor:
                left_out[p] += 1 / (1 + np.exp(-log_odds))
                continue
            if held == room:
                return p, k_at, held
            source[held], released[held], kept[held] = i, k, log_odds
            held += 1
        p, q = p + 1, 0
    return p, q, held


@njit(cache=True, nogil=True)
def needed_values(
    p: int, q: int, last: int, c: Candidates, a: IntArray, b: IntArray, width: int, keys: IntArray
) -> tuple[int, int]:
    """Collect the different pairs of codes that candidate pairs hold, until the table is half full."""
    mask, held = keys.size - 1, 0
    while p < last:
        i = c.row[p]
        if a[i] >= 0:
            for k_at in range(max(q, c.low[p]), c.high[p]):
                k = c.order[k_at]
                if b[k] < 0 or a[i] == b[k]:
                    continue
                at = place_of(a[i] * width + b[k], keys, 0, mask)
                if keys[at] == FREE:
                    if held * 2 > mask:
                        return p, k_at
                    keys[at] = a[i] * width + b[k]
                    held += 1
        p, q = p + 1, 0
    return p, q
