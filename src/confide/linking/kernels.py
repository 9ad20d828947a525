"""The inner loops: score every target profile against the record profiles of its block.

A score is the log of a u / m in the letters of Reiter (2005): a from section 3.2, u from 3.3, m
from 3.4. Records of other blocks are never touched. Within a block, records are sorted by one
numeric variable; the loop walks outwards from the target's value and stops, on each side, where
no record further out can add more than exp(-CUT) to the best one. The stop is a bound, not a
fixed radius: it uses the largest 1 / m further out.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.linking.arrays import Cats, Nums, Records, Tables, Tests
from confide.linking.gauss import log_blurred, log_kernel
from confide.typing import FloatArray, IntArray

CUT = 45.0
"""Records are left out when they are certainly below exp(-CUT) of the best one."""
TIE = 1e-9
"""Scores this close are equal."""
NONE, GAUSS, TEST = 0, 1, 2


@njit(cache=True, nogil=True)
def node_score(a: float, b: float, q: int, nums: Nums) -> float:
    """Give the log likelihood of a released number under one node; a node without precision says nothing."""
    if nums.per_sd[q] == 0.0:
        return nums.log_weight[q]
    if nums.half[q] > 0.0:
        return log_blurred(a, b, nums.centre[q], nums.per_sd[q], nums.half[q]) + nums.log_weight[q]
    return log_kernel(a, b, nums.centre[q], nums.per_sd[q], nums.log_sd[q]) + nums.log_weight[q]


@njit(cache=True, nogil=True)
def numeric_score(a: float, b: float, first: int, last: int, nums: Nums) -> float:
    """Average the kernel over a target's nodes for one numeric variable; a record without a number says nothing."""
    if math.isnan(a):
        return 0.0
    if last - first == 1:
        return node_score(a, b, first, nums)
    top = -math.inf
    total = 0.0
    for q in range(first, last):
        x = node_score(a, b, q, nums)
        if x == -math.inf:
            continue
        if x > top:
            total = total * math.exp(top - x) + 1.0
            top = x
        else:
            total += math.exp(x - top)
    return top + math.log(total) if total > 0 else -math.inf


@njit(cache=True, nogil=True)
def category_scores(t: int, block: int, cats: Cats, out: FloatArray) -> None:
    """Fill the log probabilities of the block's combinations of released codes for one target."""
    start, stop = cats.start[block], cats.start[block + 1]
    for i in range(start, stop):
        out[i] = 0.0
    for k in range(cats.code.shape[0]):
        row = cats.offset[k] + cats.row[k, t] * cats.width[k]
        for i in range(start, stop):
            out[i] += cats.table[row + cats.code[k, i]]


@njit(cache=True, nogil=True)
def same_score(r: int, t: int, tables: Tables) -> float:
    """Compare values that may be blank: the log chance of blanks and of what is shown, times who is left for blanks."""
    score, blank = 0.0, False
    for q in range(tables.record.shape[0]):
        has, known = tables.record[q, r], tables.target[q, t]
        if known >= 0:
            if has >= 0 and has != known:
                return -math.inf
            blank = blank or has < 0
            score += tables.shown[q, t] if has >= 0 else tables.blank[q, t]
    return score + tables.open[t] if blank else score


@njit(cache=True, nogil=True)
def agreement(r: int, t: int, tables: Tables) -> float:
    """Give the chance that a record's person is like the target in what may be blank, as the other records tell."""
    if tables.expected.shape[0] == 0:
        return 1.0
    blank = False
    for q in range(tables.record.shape[0]):
        has, known = tables.record[q, r], tables.target[q, t]
        if known >= 0:
            if has >= 0 and has != known:
                return 0.0
            blank = blank or has < 0
    return min(math.exp(same_score(r, t, tables) - tables.expected[tables.row[t], r]), 1.0) if blank else 1.0


@njit(cache=True, nogil=True)
def table_score(r: int, t: int, tables: Tables) -> float:
    """Add up what was worked out beforehand, and compare values that may be blank; a blank agrees with everybody."""
    score = same_score(r, t, tables)
    if score == -math.inf:
        return score
    for k in range(tables.offset.shape[0]):
        score += tables.value[tables.offset[k, t] + r]
    return score


@njit(cache=True, nogil=True)
def pair_score(
    r: int, t: int, records: Records, combination: IntArray, categories: FloatArray, nums: Nums, tables: Tables
) -> float:
    """Give the score of one record profile for one target profile of the same block."""
    score = records.base[r] + categories[combination[r]] + table_score(r, t, tables)
    if score > -math.inf:
        for v in range(nums.a.shape[0]):
            score += numeric_score(nums.a[v, r], nums.b[v, r], nums.start[v, t], nums.stop[v, t], nums)
    return score


@njit(cache=True, nogil=True)
def passes(r: int, t: int, tests: Tests) -> bool:
    """Say whether a record is consistent with what the intruder knows only partly."""
    for q in range(tests.lo.shape[0]):
        if not (tests.lo[q, r] <= tests.target_hi[q, t] and tests.hi[q, r] >= tests.target_lo[q, t]):
            return False
    for q in range(tests.code.shape[0]):
        if not tests.allowed[q, tests.row[q, t], tests.code[q, r]]:
            return False
    for q in range(tests.same_record.shape[0]):
        has, known = tests.same_record[q, r], tests.same_target[q, t]
        if has >= 0 and known >= 0 and has != known:
            return False
    return True


@njit(cache=True, nogil=True)
def search(values: FloatArray, lo: int, hi: int, x: float) -> int:
    """Find the first position in lo..hi whose value is not below x."""
    while lo < hi:
        mid = (lo + hi) // 2
        if values[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


@njit(cache=True, nogil=True)
def scan(
    t: int,
    start: int,
    stop: int,
    primary: int,
    records: Records,
    combination: IntArray,
    categories: FloatArray,
    nums: Nums,
    tables: Tables,
    tests: Tests,
    scores: FloatArray,
) -> tuple[int, int]:
    """Score all records of the block that pass the tests; others get NaN. Give the ends of the window."""
    first, last = start, stop
    if primary == TEST:
        # extremes from the ends of the block increase in whatever order its intervals are
        first = search(tests.most, start, stop, tests.target_lo[0, t])
        last = search(tests.least, first, stop, np.nextafter(tests.target_hi[0, t], np.inf))
    for r in range(first, last):
        scores[r] = pair_score(r, t, records, combination, categories, nums, tables) if passes(r, t, tests) else math.nan
    return first, last


@njit(cache=True, nogil=True)
def walk(
    t: int,
    start: int,
    stop: int,
    records: Records,
    combination: IntArray,
    categories: FloatArray,
    nums: Nums,
    tables: Tables,
    scores: FloatArray,
) -> tuple[int, int]:
    """Score records outwards from the target's value until no further one can matter."""
    low, high, per_widest = math.inf, -math.inf, math.inf
    q0, q1 = nums.start[0, t], nums.stop[0, t]
    for q in range(q0, q1):
        low, high = min(low, nums.centre[q] - nums.half[q]), max(high, nums.centre[q] + nums.half[q])
        per_widest = min(per_widest, nums.per_sd[q])
    plain = nums.a.shape[0] == 1 and q1 - q0 == 1 and nums.half[q0] == 0.0 and tables.record.shape[0] == 0
    c, per_sd, constant, peak = nums.centre[q0], nums.per_sd[q0], nums.log_weight[q0] - nums.log_sd[q0], nums.peak[t]
    a, b, base, left_most, right_most = nums.a[0], nums.b[0], records.base, records.left, records.right
    best = -math.inf
    middle = search(b, start, stop, 0.5 * (low + high))
    right = middle
    while right < stop:
        d = max(a[right] - high, 0.0) * per_widest
        if -0.5 * d * d + peak + right_most[right] < best - CUT:
            break
        if plain and a[right] == b[right]:
            d = (a[right] - c) * per_sd
            value = base[right] + categories[combination[right]] - 0.5 * d * d + constant
        else:
            value = pair_score(right, t, records, combination, categories, nums, tables)
        scores[right] = value
        best = max(best, value)
        right += 1
    left = middle
    while left > start:
        d = max(low - b[left - 1], 0.0) * per_widest
        if -0.5 * d * d + peak + left_most[left - 1] < best - CUT:
            break
        left -= 1
        if plain and a[left] == b[left]:
            d = (a[left] - c) * per_sd
            value = base[left] + categories[combination[left]] - 0.5 * d * d + constant
        else:
            value = pair_score(left, t, records, combination, categories, nums, tables)
        scores[left] = value
        best = max(best, value)
    return left, right


@njit(cache=True, nogil=True)
def summarise(t: int, first: int, last: int, scores: FloatArray, records: Records, tables: Tables, out: FloatArray) -> None:
    """Reduce a window to what `Scores` of `posterior.scored` holds."""
    best = -math.inf
    for r in range(first, last):
        best = max(best, scores[r])
    total, at_best, consistent, weight, whole, heavy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for r in range(first, last):
        if math.isnan(scores[r]):
            continue
        alike = agreement(r, t, tables)
        consistent += records.size[r] * alike
        weight += records.weight[r] * alike
        if scores[r] == -math.inf:
            continue
        share = math.exp(scores[r] - best)
        total += records.size[r] * share
        if alike == 1.0:
            whole += records.size[r] * share
            heavy += records.weight[r] * share
        if scores[r] >= best - TIE:
            at_best += records.size[r]
    out[0] = best
    out[1] = best + math.log(total) if total > 0 else -math.inf
    out[2] = at_best
    out[3] = consistent
    out[4] = weight
    out[5] = heavy / whole if whole > 0 else math.nan


@njit(cache=True, nogil=True)
def score_targets(
    t_first: int,
    t_last: int,
    block: IntArray,
    block_start: IntArray,
    primary: int,
    records: Records,
    cats: Cats,
    nums: Nums,
    tables: Tables,
    tests: Tests,
    member_start: IntArray,
    member_own: IntArray,
    out: FloatArray,
    member_out: FloatArray,
) -> None:
    """Score target profiles t_first..t_last and their members.

    `out[t]` gets what `summarise` gives; `member_out[i]` the score of the member's own record and
    the number of other records at least as probable.
    """
    scores, categories = np.empty(records.base.size), np.zeros(max(cats.code.shape[1], 1))
    combination = cats.combination
    for t in range(t_first, t_last):
        b = block[t]
        start, stop = (block_start[b], block_start[b + 1]) if b >= 0 else (0, 0)
        if b >= 0:
            category_scores(t, b, cats, categories)
        if primary == GAUSS and b >= 0:
            first, last = walk(t, start, stop, records, combination, categories, nums, tables, scores)
        else:
            first, last = scan(t, start, stop, primary, records, combination, categories, nums, tables, tests, scores)
        summarise(t, first, last, scores, records, tables, out[t])
        for i in range(member_start[t], member_start[t + 1]):
            own = member_own[i]
            mine, above = -math.inf, 0.0
            if start <= own < stop and passes(own, t, tests):
                mine = pair_score(own, t, records, combination, categories, nums, tables)
            if mine > -math.inf:
                if not first <= own < last:
                    first, last = scan(t, start, stop, NONE, records, combination, categories, nums, tables, tests, scores)
                for r in range(first, last):
                    if scores[r] >= mine - TIE:
                        above += records.size[r]
                above -= 1.0
            else:
                for r in range(first, last):
                    if scores[r] > -math.inf:
                        above += records.size[r]
            member_out[i, 0], member_out[i, 1] = mine, above


@njit(cache=True, nogil=True)
def running_ends(lo: FloatArray, hi: FloatArray, block_start: IntArray, least: FloatArray, most: FloatArray) -> None:
    """Give, within each block, the smallest lower end from each position and the largest upper end up to it."""
    for b in range(block_start.size - 1):
        start, stop = block_start[b], block_start[b + 1]
        high = -math.inf
        for r in range(start, stop):
            if hi[r] > high:  # noqa: PLR1730 - NaN, which meets nothing, compares false
                high = hi[r]
            most[r] = high
        low = math.inf
        for r in range(stop - 1, start - 1, -1):
            if lo[r] < low:  # noqa: PLR1730
                low = lo[r]
            least[r] = low


@njit(cache=True, nogil=True)
def running_max(base: FloatArray, block_start: IntArray, left: FloatArray, right: FloatArray) -> None:
    """Give, within each block, the largest base up to and from each position."""
    for b in range(block_start.size - 1):
        start, stop = block_start[b], block_start[b + 1]
        best = -math.inf
        for r in range(start, stop):
            best = max(best, base[r])
            left[r] = best
        best = -math.inf
        for r in range(stop - 1, start - 1, -1):
            best = max(best, base[r])
            right[r] = best
