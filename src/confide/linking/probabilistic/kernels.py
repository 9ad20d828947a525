"""The loops over candidate pairs: levels, patterns, and the pairs worth keeping."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from confide.typing import AnyArray, BoolArray, FloatArray, IntArray

FREE = -1
"""The key of a free place in a hash table."""
TILE = 4_096
"""So many released records are compared with a source record at a time."""


class Fields(NamedTuple):
    """All variables compared, as the loops read them."""

    kind: IntArray
    """How each variable's level is found."""
    levels: IntArray
    """How many levels it has; the next one is missing."""
    stride: IntArray
    """What its level is multiplied by in the number of a pattern."""
    a: AnyArray
    """Codes, variables by source records."""
    b: AnyArray
    """Codes, variables by released records."""
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
def _mixed(key: int) -> int:
    """Spread keys over a hash table."""
    h = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((h ^ (h >> np.uint64(29))) & np.uint64(0x7FFFFFFFFFFFFFFF))  # type: ignore[return-value]


@njit(cache=True, nogil=True)
def fill(keys: IntArray, levels: AnyArray, into: IntArray, held: AnyArray) -> None:
    """Put pairs of codes into a hash table."""
    for i in range(keys.size):
        at = _mixed(keys[i]) & (into.size - 1)
        while into[at] != FREE and into[at] != keys[i]:
            at = (at + 1) & (into.size - 1)
        into[at] = keys[i]
        held[at] = levels[i]


@njit(cache=True, nogil=True)
def _numbers(j: int, i: int, rows: IntArray, first: int, f: Fields, out: IntArray) -> None:
    """Add the levels of a variable that is compared by differences, below the `first` highest levels."""
    x, y, cuts, b = f.x[f.place[j], i], f.y[f.place[j]], f.cuts[j], f.b[j]
    stride, top = f.stride[j], f.levels[j] - 1
    for k in range(rows.size):
        if b[rows[k]] < 0:
            out[k] += stride * (top + 1)
            continue
        d, level = abs(x - y[rows[k]]), 0
        for c in range(top - first):
            level += d <= cuts[c]
        out[k] += stride * level


@njit(cache=True, nogil=True)
def _dates(j: int, i: int, rows: IntArray, f: Fields, out: IntArray) -> None:
    """Add the levels of a variable that holds dates, on top of those of differences."""
    a, b, stride, top = f.a[j, i], f.b[j], f.stride[j], f.levels[j] - 1
    _numbers(j, i, rows, 2, f, out)
    year, month, day = a // 10000, a // 100 % 100, a % 100
    for k in range(rows.size):
        other = b[rows[k]]
        if other < 0:
            continue
        level = out[k] // stride % (top + 2)
        if other == a:
            out[k] += stride * (top - level)
            continue
        same_year, m, d = other // 10000 == year, other // 100 % 100, other % 100
        alike = (m == month) + (d == day) + same_year >= 2
        if alike or (same_year and m == day and d == month):
            out[k] += stride * (top - 1 - level)


@njit(cache=True, nogil=True)
def _codes(j: int, i: int, rows: IntArray, f: Fields, out: IntArray) -> None:
    """Add the levels of a variable that is compared by codes."""
    a, b, stride, top = np.int64(f.a[j, i]), f.b[j], f.stride[j], f.levels[j] - 1
    if f.kind[j] == 0:
        for k in range(rows.size):
            other = b[rows[k]]
            out[k] += stride * (2 if other < 0 else other == a)
    elif f.kind[j] == 1:
        table = f.table[f.start[j] + a * f.width[j] : f.start[j] + (a + 1) * f.width[j]]
        for k in range(rows.size):
            other = b[rows[k]]
            out[k] += stride * (top + 1 if other < 0 else table[other])
    else:
        keys, near = f.key, f.near
        begin, mask, width = f.start[j], f.size[j], f.width[j]
        for k in range(rows.size):
            other = b[rows[k]]
            if other < 0:
                out[k] += stride * (top + 1)
            elif other == a:
                out[k] += stride * top
            else:
                key = a * width + other
                at = _mixed(key) & mask
                while keys[begin + at] != FREE and keys[begin + at] != key:
                    at = (at + 1) & mask
                if keys[begin + at] != FREE:
                    out[k] += stride * near[begin + at]


@njit(cache=True, nogil=True)
def patterns_at(i: int, rows: IntArray, f: Fields, out: IntArray) -> None:
    """Give the number of the pattern of a source record and each of some released records."""
    out[:] = 0
    for j in range(f.kind.size):
        if f.a[j, i] < 0:
            out += f.stride[j] * f.levels[j]
        elif f.kind[j] == 3:
            _numbers(j, i, rows, 0, f, out)
        elif f.kind[j] == 4:
            _dates(j, i, rows, f, out)
        else:
            _codes(j, i, rows, f, out)


@njit(cache=True, nogil=True)
def _seen(i: int, rule: int, rows: IntArray, c: Candidates, out: IntArray) -> None:
    """Mark the pairs that an earlier rule brought already."""
    for r in range(rule):
        mine = c.block_a[r, i]
        if mine >= 0:
            others = c.block_b[r]
            for k in range(rows.size):
                if others[rows[k]] == mine:
                    out[k] = FREE


@njit(cache=True, nogil=True)
def count_patterns(
    p: int, q: int, last: int, c: Candidates, f: Fields, keys: IntArray, counts: IntArray, held: int
) -> tuple[int, int, int]:
    """Count the patterns of pairs, from a place and a pair of it on; stop where the table is half full.

    Returns:
        The place and the pair where it stopped, and how many patterns the table holds.
    """
    mask, room = keys.size - 1, np.empty(TILE, dtype=np.int64)
    while p < last:
        for begin in range(max(q, c.low[p]), c.high[p], TILE):
            rows = c.order[begin : min(begin + TILE, c.high[p])]
            out = room[: rows.size]
            patterns_at(c.row[p], rows, f, out)
            _seen(c.row[p], c.rule[p], rows, c, out)
            for k in range(rows.size):
                pattern = out[k]
                if pattern == FREE:
                    continue
                at = _mixed(pattern) & mask
                while keys[at] != FREE and keys[at] != pattern:
                    at = (at + 1) & mask
                if keys[at] == FREE:
                    if held * 2 > mask:
                        return p, begin + k, held
                    keys[at] = pattern
                    held += 1
                counts[at] += 1
        p, q = p + 1, 0
    return p, q, held


@njit(cache=True, nogil=True)
def _extra(i: int, pattern: int, f: Fields) -> float:
    """Give what agreement on rare values adds to a pair's weight."""
    extra = 0.0
    for j in range(f.kind.size):
        if f.rare[j] >= 0 and pattern // f.stride[j] % (f.levels[j] + 1) == f.levels[j] - 1:
            extra += f.rarity[f.rare[j] + f.a[j, i]]
    return extra


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
    keys, ratio, hopeless = w.key, w.ratio, w.hopeless
    mask, held, buffer = keys.size - 1, 0, np.empty(TILE, dtype=np.int64)
    while p < last:
        i, before, lost = c.row[p], np.exp(prior[p]), 0.0
        for begin in range(max(q, c.low[p]), c.high[p], TILE):
            rows = c.order[begin : min(begin + TILE, c.high[p])]
            out = buffer[: rows.size]
            patterns_at(i, rows, f, out)
            _seen(i, c.rule[p], rows, c, out)
            for k in range(rows.size):
                pattern = out[k]
                if pattern == FREE:
                    continue
                at = _mixed(pattern) & mask
                while keys[at] != pattern:
                    at = (at + 1) & mask
                if hopeless[at]:
                    odds = ratio[at] * before
                    lost += odds / (1 + odds)
                    continue
                log_odds = w.weight[at] + _extra(i, pattern, f) + prior[p]
                if log_odds < w.floor:
                    lost += 1 / (1 + np.exp(-log_odds))
                    continue
                if held == source.size:
                    left_out[p] += lost
                    return p, begin + k, held
                source[held], released[held], kept[held] = i, rows[k], log_odds
                held += 1
        left_out[p] += lost
        p, q = p + 1, 0
    return p, q, held


@njit(cache=True, nogil=True)
def best_pairs(
    p: int,
    last: int,
    c: Candidates,
    f: Fields,
    w: Weights,
    slack: float,
    parent: IntArray,
    best: FloatArray,
    many: IntArray,
    own: FloatArray,
) -> None:
    """Find, for each released record, the largest weight of its pairs, how many pairs have it, and its own pair's weight."""
    mask, buffer = w.key.size - 1, np.empty(TILE, dtype=np.int64)
    while p < last:
        i = c.row[p]
        for begin in range(c.low[p], c.high[p], TILE):
            rows = c.order[begin : min(begin + TILE, c.high[p])]
            out = buffer[: rows.size]
            patterns_at(i, rows, f, out)
            _seen(i, c.rule[p], rows, c, out)
            for k in range(rows.size):
                pattern, j = out[k], rows[k]
                if pattern == FREE:
                    continue
                at = _mixed(pattern) & mask
                while w.key[at] != pattern:
                    at = (at + 1) & mask
                weight = w.weight[at] + _extra(i, pattern, f)
                if weight > best[j] + slack:
                    best[j], many[j] = weight, 1
                elif weight >= best[j] - slack:
                    many[j] += 1
                if parent[j] == i:
                    own[j] = weight
        p += 1


@njit(cache=True, nogil=True)
def needed_values(
    p: int, q: int, last: int, c: Candidates, a: IntArray, b: IntArray, width: int, keys: IntArray
) -> tuple[int, int]:
    """Collect the different pairs of codes that candidate pairs hold, until the table is half full."""
    mask, held = keys.size - 1, 0
    while p < last:
        mine = a[c.row[p]]
        if mine >= 0:
            for k in range(max(q, c.low[p]), c.high[p]):
                other = b[c.order[k]]
                if other < 0 or other == mine:
                    continue
                key = mine * width + other
                at = _mixed(key) & mask
                while keys[at] != FREE and keys[at] != key:
                    at = (at + 1) & mask
                if keys[at] == FREE:
                    if held * 2 > mask:
                        return p, k
                    keys[at] = key
                    held += 1
        p, q = p + 1, 0
    return p, q
