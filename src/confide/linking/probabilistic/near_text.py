"""Levels of text for the pairs of values that candidate pairs hold, where a table of all values would be too large."""

from __future__ import annotations

import threading

import numpy as np

from confide.linking.distance.text import StringDistance
from confide.linking.memory import needs_memory
from confide.linking.parallel import in_chunks
from confide.linking.probabilistic.blocks import Blocked
from confide.linking.probabilistic.comparison import Compared, NearValues
from confide.linking.probabilistic.kernels import FREE, fill, needed_values
from confide.linking.probabilistic.patterns import SPAN
from confide.linking.probabilistic.text import levels_of
from confide.typing import IntArray


def near_values(part: Compared, using: StringDistance, *candidates: Blocked) -> NearValues:
    """Find the pairs of texts that are alike among those that candidate pairs hold.

    Pairs of values are collected some at a time and compared once in each lot; only those above level 0 are kept, so that
    memory grows with the number of texts that are alike.

    Args:
        part: the comparison.
        using: the string distance, with a method `pairs`.
        candidates: the pairs that are compared.
    """
    found = [keys for blocked in candidates for keys in (_near if blocked.rules else _crossed)(part, using, blocked)]
    both = np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int64)
    size = 1 << max(4, int(2 * both.size).bit_length())
    key, level = np.full(size, FREE, dtype=np.int64), np.zeros(size, dtype=np.int8)
    fill(both // 128, (both % 128).astype(np.int8), key, level)
    return NearValues(key, level)


def _crossed(part: Compared, using: StringDistance, blocked: Blocked) -> list[IntArray]:
    """Give the pairs of texts that are alike, where every record of some is compared with every one of others."""
    ours, theirs = np.unique(part.source[blocked.candidates.row]), np.unique(part.released[blocked.candidates.order])
    ours, theirs = ours[ours >= 0], theirs[theirs >= 0]
    other = [part.texts[k] for k in theirs.tolist()]
    found, step = [], max(1, SPAN // max(theirs.size, 1))
    for i in range(0, ours.size, step):
        here = ours[i : i + step]
        level = levels_of(using.table([part.texts[k] for k in here.tolist()], other), part.cuts)
        a, b = np.nonzero((level > 0) & (here[:, None] != theirs))
        found.append((here[a] * len(part.texts) + theirs[b]) * 128 + level[a, b])
    return found


def _near(part: Compared, using: StringDistance, blocked: Blocked) -> list[IntArray]:
    """Give the pairs of texts that are alike, with their levels."""
    spans, lock = blocked.spans(SPAN), threading.Lock()
    width, texts = len(part.texts), part.texts
    found: list[IntArray] = []
    total = 0

    def work(first: int, last: int) -> None:
        nonlocal total
        p, q, end = int(spans[first]), 0, int(spans[last])
        while p < end:
            keys = np.full(SPAN, FREE, dtype=np.int64)
            p, q = needed_values(p, q, end, blocked.candidates, part.source, part.released, width, keys)
            keys = keys[keys != FREE]
            a, b = (keys // width).tolist(), (keys % width).tolist()
            distance = using.pairs([texts[i] for i in a], [texts[k] for k in b])  # type: ignore[attr-defined]
            level = levels_of(np.asarray(distance, dtype=np.float64), part.cuts)
            near = level > 0
            with lock:
                total += int(near.sum())
                needs_memory(64 * total, f"{total:,} pairs of texts that are alike", instead="raise the least similarity")
                found.append(keys[near] * 128 + level[near])

    in_chunks(work, spans.size - 1, 1)
    return found
