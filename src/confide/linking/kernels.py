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

from confide.typing import BoolArray, FloatArray, IntArray

CUT = 45.0
"""Records are left out when they are certainly below exp(-CUT) of the best one."""
TIE = 1e-9
"""Scores this close are equal."""
HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
NONE, GAUSS, TEST = 0, 1, 2


@njit(cache=True, nogil=True)
def log_phi_between(a: float, b: float) -> float:
    """Give log(Phi(b) - Phi(a)) for a <= b, without cancellation."""
    if a + b > 0:
        a, b = -b, -a
    tail = math.erfc(-b / math.sqrt(2.0)) - math.erfc(-a / math.sqrt(2.0))
    if tail > 0.0:
        return math.log(0.5 * tail)
    if b - a <= 0.0:
        return -math.inf
    return -0.5 * b * b - HALF_LOG_2PI + math.log(min(b - a, 1.0 / max(-b, 1.0)))


@njit(cache=True, nogil=True)
def log_kernel(a: float, b: float, c: float, per_s: float, log_s: float) -> float:
    """Give the log density at a, or the log mass between a and b, of a normal with centre c.

    `per_s` is one over its standard deviation, `log_s` the log of sd times sqrt(2 pi).
    """
    if a == b:
        d = (a - c) * per_s
        return -0.5 * d * d - log_s
    return log_phi_between((a - c) * per_s, (b - c) * per_s)


@njit(cache=True, nogil=True)
def numeric_score(
    a: float,
    b: float,
    first: int,
    last: int,
    node_c: FloatArray,
    node_s: FloatArray,
    node_ls: FloatArray,
    node_w: FloatArray,
) -> float:
    """Average the kernel over a target's nodes for one numeric variable."""
    if last - first == 1:
        return log_kernel(a, b, node_c[first], node_s[first], node_ls[first]) + node_w[first]
    top = -math.inf
    total = 0.0
    for q in range(first, last):
        x = log_kernel(a, b, node_c[q], node_s[q], node_ls[q]) + node_w[q]
        if x == -math.inf:
            continue
        if x > top:
            total = total * math.exp(top - x) + 1.0
            top = x
        else:
            total += math.exp(x - top)
    return top + math.log(total) if total > 0 else -math.inf


@njit(cache=True, nogil=True)
def pair_score(
    r: int,
    t: int,
    rec_base: FloatArray,
    cat_code: IntArray,
    cat_row: IntArray,
    cat_offset: IntArray,
    cat_width: IntArray,
    cat_table: FloatArray,
    num_a: FloatArray,
    num_b: FloatArray,
    node_start: IntArray,
    node_stop: IntArray,
    node_c: FloatArray,
    node_s: FloatArray,
    node_ls: FloatArray,
    node_w: FloatArray,
) -> float:
    """Give the score of one record profile for one target profile of the same block."""
    score = rec_base[r]
    for k in range(cat_code.shape[0]):
        score += cat_table[cat_offset[k] + cat_row[k, t] * cat_width[k] + cat_code[k, r]]
        if score == -math.inf:
            return score
    for v in range(num_a.shape[0]):
        score += numeric_score(num_a[v, r], num_b[v, r], node_start[v, t], node_stop[v, t], node_c, node_s, node_ls, node_w)
    return score


@njit(cache=True, nogil=True)
def passes_tests(
    r: int,
    t: int,
    test_lo: FloatArray,
    test_hi: FloatArray,
    target_lo: FloatArray,
    target_hi: FloatArray,
    set_code: IntArray,
    set_row: IntArray,
    set_allowed: BoolArray,
) -> bool:
    """Say whether a record is consistent with what the intruder knows only roughly."""
    for q in range(test_lo.shape[0]):
        if not (test_lo[q, r] <= target_hi[q, t] and test_hi[q, r] >= target_lo[q, t]):
            return False
    for q in range(set_code.shape[0]):
        if not set_allowed[q, set_row[q, t], set_code[q, r]]:
            return False
    return True


@njit(cache=True, nogil=True)
def _search(values: FloatArray, lo: int, hi: int, x: float) -> int:
    """Find the first position in lo..hi whose value is not below x."""
    while lo < hi:
        mid = (lo + hi) // 2
        if values[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


@njit(cache=True, nogil=True)
def candidates(
    t: int,
    start: int,
    stop: int,
    primary: int,
    rec_base: FloatArray,
    base_left: FloatArray,
    base_right: FloatArray,
    cat_code: IntArray,
    cat_row: IntArray,
    cat_offset: IntArray,
    cat_width: IntArray,
    cat_table: FloatArray,
    num_a: FloatArray,
    num_b: FloatArray,
    node_start: IntArray,
    node_stop: IntArray,
    node_c: FloatArray,
    node_s: FloatArray,
    node_ls: FloatArray,
    node_w: FloatArray,
    peak: FloatArray,
    test_lo: FloatArray,
    test_hi: FloatArray,
    target_lo: FloatArray,
    target_hi: FloatArray,
    set_code: IntArray,
    set_row: IntArray,
    set_allowed: BoolArray,
    scores: FloatArray,
) -> tuple[int, int]:
    """Fill `scores[start:stop]` for the window of records worth looking at; give its ends.

    Inside the window a record that fails a test has score NaN.
    """
    if primary != GAUSS:
        first, last = start, stop
        if primary == TEST:
            first = _search(test_hi[0], start, stop, target_lo[0, t])
            last = first
            while last < stop and test_lo[0, last] <= target_hi[0, t]:
                last += 1
        for r in range(first, last):
            if passes_tests(r, t, test_lo, test_hi, target_lo, target_hi, set_code, set_row, set_allowed):
                scores[r] = pair_score(
                    r, t, rec_base, cat_code, cat_row, cat_offset, cat_width, cat_table,
                    num_a, num_b, node_start, node_stop, node_c, node_s, node_ls, node_w,
                )
            else:
                scores[r] = math.nan
        return first, last
    n0, n1 = node_start[0, t], node_stop[0, t]
    low, high, per_widest = math.inf, -math.inf, math.inf
    for q in range(n0, n1):
        low, high = min(low, node_c[q]), max(high, node_c[q])
        per_widest = min(per_widest, node_s[q])
    best = -math.inf
    middle = _search(num_b[0], start, stop, 0.5 * (low + high))
    right = middle
    while right < stop:
        d = max(num_a[0, right] - high, 0.0) * per_widest
        if -0.5 * d * d + peak[t] + base_right[right] < best - CUT:
            break
        scores[right] = pair_score(
            right, t, rec_base, cat_code, cat_row, cat_offset, cat_width, cat_table,
            num_a, num_b, node_start, node_stop, node_c, node_s, node_ls, node_w,
        )
        best = max(best, scores[right])
        right += 1
    left = middle
    while left > start:
        d = max(low - num_b[0, left - 1], 0.0) * per_widest
        if -0.5 * d * d + peak[t] + base_left[left - 1] < best - CUT:
            break
        left -= 1
        scores[left] = pair_score(
            left, t, rec_base, cat_code, cat_row, cat_offset, cat_width, cat_table,
            num_a, num_b, node_start, node_stop, node_c, node_s, node_ls, node_w,
        )
        best = max(best, scores[left])
    return left, right


@njit(cache=True, nogil=True)
def summarise(
    first: int, last: int, scores: FloatArray, rec_count: FloatArray, rec_weight: FloatArray, out: FloatArray
) -> None:
    """Reduce a window to: best score, log of the sum, records at the best, records and weight consistent."""
    best = -math.inf
    for r in range(first, last):
        best = max(best, scores[r])
    total, at_best, consistent, weight = 0.0, 0.0, 0.0, 0.0
    for r in range(first, last):
        if math.isnan(scores[r]):
            continue
        consistent += rec_count[r]
        weight += rec_weight[r]
        if scores[r] == -math.inf:
            continue
        total += rec_count[r] * math.exp(scores[r] - best)
        if scores[r] >= best - TIE:
            at_best += rec_count[r]
    out[0] = best
    out[1] = best + math.log(total) if total > 0 else -math.inf
    out[2] = at_best
    out[3] = consistent
    out[4] = weight


@njit(cache=True, nogil=True)
def score_targets(
    t_first: int,
    t_last: int,
    block: IntArray,
    block_start: IntArray,
    primary: int,
    records: tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray],
    cats: tuple[IntArray, IntArray, IntArray, IntArray, FloatArray],
    nums: tuple[
        FloatArray, FloatArray, IntArray, IntArray, FloatArray, FloatArray, FloatArray, FloatArray, FloatArray
    ],
    tests: tuple[FloatArray, FloatArray, FloatArray, FloatArray, IntArray, IntArray, BoolArray],
    member_start: IntArray,
    member_true: IntArray,
    out: FloatArray,
    member_out: FloatArray,
) -> None:
    """Score target profiles t_first..t_last and their members.

    `out[t]` gets what `summarise` gives; `member_out[i]` the score of the member's own record and
    the number of records at least as probable.
    """
    rec_base, base_left, base_right, rec_count, rec_weight = records
    cat_code, cat_row, cat_offset, cat_width, cat_table = cats
    num_a, num_b, node_start, node_stop, node_c, node_s, node_ls, node_w, peak = nums
    test_lo, test_hi, target_lo, target_hi, set_code, set_row, set_allowed = tests
    scores = np.empty(rec_base.size)
    for t in range(t_first, t_last):
        b = block[t]
        if b < 0:
            out[t, 0], out[t, 1], out[t, 2], out[t, 3], out[t, 4] = -math.inf, -math.inf, 0.0, 0.0, 0.0
            for i in range(member_start[t], member_start[t + 1]):
                member_out[i, 0], member_out[i, 1] = -math.inf, 0.0
            continue
        start, stop = block_start[b], block_start[b + 1]
        first, last = candidates(
            t, start, stop, primary, rec_base, base_left, base_right, cat_code, cat_row, cat_offset, cat_width,
            cat_table, num_a, num_b, node_start, node_stop, node_c, node_s, node_ls, node_w, peak, test_lo, test_hi, target_lo,
            target_hi, set_code, set_row, set_allowed, scores,
        )
        summarise(first, last, scores, rec_count, rec_weight, out[t])
        for i in range(member_start[t], member_start[t + 1]):
            own = member_true[i]
            mine = -math.inf
            if start <= own < stop and passes_tests(
                own, t, test_lo, test_hi, target_lo, target_hi, set_code, set_row, set_allowed
            ):
                mine = pair_score(
                    own, t, rec_base, cat_code, cat_row, cat_offset, cat_width, cat_table,
                    num_a, num_b, node_start, node_stop, node_c, node_s, node_ls, node_w,
                )
            above = 0.0
            if mine > -math.inf:
                if not first <= own < last:
                    for r in range(start, stop):
                        scores[r] = pair_score(
                            r, t, rec_base, cat_code, cat_row, cat_offset, cat_width, cat_table,
                            num_a, num_b, node_start, node_stop, node_c, node_s, node_ls, node_w,
                        )
                    first, last = start, stop
                for r in range(first, last):
                    if scores[r] >= mine - TIE:
                        above += rec_count[r]
            member_out[i, 0], member_out[i, 1] = mine, above


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
