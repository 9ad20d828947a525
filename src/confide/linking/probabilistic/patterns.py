"""Count agreement patterns of candidate pairs, and keep the pairs that matter, without a table of all pairs."""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass

import numpy as np

from confide.linking.memory import needs_memory
from confide.linking.parallel import Progress, cores, in_chunks, silent
from confide.linking.probabilistic.blocks import Blocked
from confide.linking.probabilistic.kernels import FREE, Fields, Weights, count_patterns, fill, keep_pairs
from confide.typing import AnyArray, FloatArray, IntArray

SPAN = 1 << 22
"""About so many pairs are looked at by one core at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """How many candidate pairs have each pattern of levels."""

    key: IntArray
    """The number of each pattern, increasing."""
    count: IntArray
    """How many pairs have it."""
    level: AnyArray
    """The level of each comparison, patterns by comparisons; one more than the highest: missing."""
    sizes: tuple[int, ...]
    """The number of levels of each comparison, without missing."""

    @property
    def pairs(self) -> int:
        """The number of candidate pairs."""
        return int(self.count.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """The pairs that are noticeably probable."""

    source: IntArray
    """Their source records."""
    released: IntArray
    """Their released records."""
    log_odds: FloatArray
    """The log odds that each is a match."""
    left_out: FloatArray
    """For each source record, the sum of the probabilities of its pairs that were not kept."""


def patterns_of(blocked: Blocked, fields: Fields, progress: Progress = silent) -> Patterns:
    """Count the patterns of all candidate pairs."""
    spans, lock = blocked.spans(SPAN), threading.Lock()
    found: dict[int, int] = {}

    def work(first: int, last: int) -> None:
        keys, counts = _table(12)
        p, q, held = int(spans[first]), 0, 0
        while True:
            p, q, held = count_patterns(p, q, int(spans[last]), blocked.candidates, fields, keys, counts, held)
            if p >= int(spans[last]):
                break
            keys, counts = _grown(keys, counts)
        used = keys != FREE
        with lock:
            for key, count in zip(keys[used].tolist(), counts[used].tolist(), strict=True):
                found[key] = found.get(key, 0) + count

    in_chunks(work, spans.size - 1, several(spans), progress)
    key = np.array(sorted(found), dtype=np.int64)
    count = np.array([found[k] for k in key.tolist()], dtype=np.int64)
    level = key[:, None] // fields.stride % (fields.levels + 1)
    return Patterns(key, count, level.astype(np.int8), tuple(int(x) for x in fields.levels))


def kept_pairs(
    blocked: Blocked,
    fields: Fields,
    patterns: Patterns,
    weight: FloatArray,
    prior: FloatArray,
    floor: float,
    progress: Progress = silent,
) -> Kept:
    """Keep the pairs whose log odds of a match reach a floor.

    Args:
        blocked: the candidate pairs.
        fields: the comparisons.
        patterns: the patterns that occur.
        weight: the log weight of each.
        prior: the log odds of a match before anything is compared, for the pairs of every place.
        floor: the least log odds.
        progress: called with how much of how much is done.
    """
    spans, lock = blocked.spans(SPAN), threading.Lock()
    c = blocked.candidates
    left_out = np.zeros(c.row.size)
    weights = weights_of(fields, patterns, weight, float(prior.max()), floor)
    parts: list[tuple[IntArray, IntArray, FloatArray]] = []
    total = 0

    def work(first: int, last: int) -> None:
        nonlocal total
        p, q, end = int(spans[first]), 0, int(spans[last])
        while p < end:
            room = SPAN // 4
            source, released, kept = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64), np.empty(room)
            p, q, held = keep_pairs(p, q, end, c, fields, weights, prior, source, released, kept, left_out)
            with lock:
                total += held
                needs_memory(48 * total, f"{total:,} pairs of noticeable probability", instead="compare more variables")
                parts.append((source[:held].copy(), released[:held].copy(), kept[:held].copy()))

    in_chunks(work, spans.size - 1, several(spans), progress)
    n = fields.a.shape[1]
    rest = np.bincount(c.row, left_out, minlength=n).astype(np.float64)
    source, released, kept = (np.concatenate([p[k] for p in parts]) for k in range(3))
    order = np.lexsort((released, source))
    return Kept(source[order], released[order], kept[order], rest)


def several(spans: IntArray) -> int:
    """Say how many spans one call takes: enough calls for all cores, not too many tables."""
    return max(1, (spans.size - 1) // (16 * cores()))


def weights_of(fields: Fields, patterns: Patterns, weight: FloatArray, prior: float, floor: float) -> Weights:
    """Arrange weights as a hash table of patterns."""
    bits = max(4, int(2 * patterns.key.size).bit_length())
    keys = np.full(1 << bits, FREE, dtype=np.int64)
    held = np.full(keys.size, -np.inf)
    fill(patterns.key, weight, keys, held)
    ends = [int(x) for x in fields.rare if x >= 0] + [fields.rarity.size]
    lift = sum(max(0.0, float(fields.rarity[a:b].max(initial=0.0))) for a, b in itertools.pairwise(ends))
    return Weights(keys, held, np.exp(np.minimum(held, 700.0)), held + lift + prior < floor, floor)


def _table(bits: int) -> tuple[IntArray, IntArray]:
    """Give an empty hash table of patterns with its counts."""
    return np.full(1 << bits, FREE, dtype=np.int64), np.zeros(1 << bits, dtype=np.int64)


def _grown(keys: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    """Give a table with four times as many places that holds the same."""
    wide, total = _table(keys.size.bit_length() + 1)
    used = np.flatnonzero(keys != FREE)
    fill(keys[used], counts[used], wide, total)
    return wide, total
