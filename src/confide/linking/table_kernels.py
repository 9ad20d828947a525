"""The inner loops that write out the evidence graph: which record profiles are candidates of which target profiles.

A pair is kept when its score is within a cut of the best score of its target, or of the best score of
its record, so that neither side loses a candidate it needs. Scores are those of `kernels`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from confide.linking.arrays import Cats, Nums, Records, Tables, Tests
from confide.linking.kernels import (
    GAUSS,
    category_scores,
    numeric_score,
    pair_score,
    passes,
    scan,
    search,
    table_score,
    walk,
)
from confide.typing import FloatArray, IntArray


@njit(cache=True, nogil=True)
def reach(
    t_first: int, t_last: int, block: IntArray, block_start: IntArray, primary: int, records: Records, cats: Cats,
    nums: Nums, tables: Tables, tests: Tests, best: FloatArray,
) -> None:  # fmt: skip
    """Raise best[r] to the largest score of each record among the targets that come near it."""
    scores, categories = np.empty(records.base.size), np.zeros(max(cats.code.shape[1], 1))
    for t in range(t_first, t_last):
        b = block[t]
        if b < 0:
            continue
        start, stop = block_start[b], block_start[b + 1]
        category_scores(t, b, cats, categories)
        if primary == GAUSS:
            first, last = walk(t, start, stop, records, cats.combination, categories, nums, tables, scores)
        else:
            first, last = scan(
                t, start, stop, primary, records, cats.combination, categories, nums, tables, tests, scores
            )  # fmt: skip
        for r in range(first, last):
            if scores[r] > best[r]:  # noqa: PLR1730 - NaN compares false
                best[r] = scores[r]


@njit(cache=True, nogil=True)
def reach_back(
    rows: IntArray, block_of_record: IntArray, of_block: IntArray, block_first: IntArray, records: Records, cats: Cats,
    nums: Nums, tables: Tables, tests: Tests, best: FloatArray,
) -> None:  # fmt: skip
    """Compare records that no target came near with every target of their block."""
    for r in rows:
        b = block_of_record[r]
        for place in range(block_first[b], block_first[b + 1]):
            t = of_block[place]
            if not passes(r, t, tests):
                continue
            score = records.base[r]
            for k in range(cats.code.shape[0]):
                code = cats.code[k, cats.combination[r]]
                score += cats.table[cats.offset[k] + cats.row[k, t] * cats.width[k] + code]
            score += table_score(r, t, tables)
            if score > -math.inf:
                for v in range(nums.a.shape[0]):
                    score += numeric_score(nums.a[v, r], nums.b[v, r], nums.start[v, t], nums.stop[v, t], nums)
            best[r] = max(best[r], score)


@njit(cache=True, nogil=True)
def lowest(best: FloatArray, block_start: IntArray, left: FloatArray, right: FloatArray) -> None:
    """Give, within each block, the smallest best score up to and from each record; impossible records are left out."""
    for b in range(block_start.size - 1):
        start, stop = block_start[b], block_start[b + 1]
        least = math.inf
        for r in range(start, stop):
            if best[r] > -math.inf:
                least = min(least, best[r])
            left[r] = least
        least = math.inf
        for r in range(stop - 1, start - 1, -1):
            if best[r] > -math.inf:
                least = min(least, best[r])
            right[r] = least


@njit(cache=True, nogil=True)
def walk_wide(
    t: int, start: int, stop: int, records: Records, combination: IntArray, categories: FloatArray, nums: Nums,
    tables: Tables, best: float, left_least: FloatArray, right_least: FloatArray, cut: float, scores: FloatArray,
) -> tuple[int, int]:  # fmt: skip
    """Score records outwards from the target's value until none further out can be kept."""
    low, high, per_widest = math.inf, -math.inf, math.inf
    for q in range(nums.start[0, t], nums.stop[0, t]):
        low, high = min(low, nums.centre[q] - nums.half[q]), max(high, nums.centre[q] + nums.half[q])
        per_widest = min(per_widest, nums.per_sd[q])
    a, b, peak = nums.a[0], nums.b[0], nums.peak[t]
    middle = search(b, start, stop, 0.5 * (low + high))
    right = middle
    while right < stop:
        d = max(a[right] - high, 0.0) * per_widest
        if -0.5 * d * d + peak + records.right[right] < min(best, right_least[right]) - cut:
            break
        scores[right] = pair_score(right, t, records, combination, categories, nums, tables)
        right += 1
    left = middle
    while left > start:
        d = max(low - b[left - 1], 0.0) * per_widest
        if -0.5 * d * d + peak + records.left[left - 1] < min(best, left_least[left - 1]) - cut:
            break
        left -= 1
        scores[left] = pair_score(left, t, records, combination, categories, nums, tables)
    return left, right


@njit(cache=True, nogil=True)
def candidates(
    t_first: int, t_last: int, block: IntArray, block_start: IntArray, primary: int, records: Records, cats: Cats,
    nums: Nums, tables: Tables, tests: Tests, best_target: FloatArray, best_record: FloatArray, left_least: FloatArray,
    right_least: FloatArray, cut: float, start_of: IntArray, count: IntArray, indices: IntArray, data: FloatArray,
) -> None:  # fmt: skip
    """Count the candidates of target profiles, and write them out where there is room (`indices` is not empty)."""
    scores, categories = np.empty(records.base.size), np.zeros(max(cats.code.shape[1], 1))
    fill = indices.size > 0
    for t in range(t_first, t_last):
        b, found = block[t], 0
        if b >= 0:
            start, stop = block_start[b], block_start[b + 1]
            category_scores(t, b, cats, categories)
            if primary == GAUSS:
                first, last = walk_wide(
                    t, start, stop, records, cats.combination, categories, nums, tables, best_target[t], left_least,
                    right_least, cut, scores,
                )  # fmt: skip
            else:
                first, last = scan(
                    t, start, stop, primary, records, cats.combination, categories, nums, tables, tests, scores
                )  # fmt: skip
            for r in range(first, last):
                # NaN (inconsistent) compares false
                if scores[r] > -math.inf and scores[r] >= min(best_target[t], best_record[r]) - cut:
                    if fill:
                        indices[start_of[t] + found] = r
                        data[start_of[t] + found] = scores[r]
                    found += 1
        count[t] = found
