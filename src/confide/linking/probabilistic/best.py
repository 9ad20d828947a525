"""The best link of every released record: the source record it agrees with most, however probable that is."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from confide.linking.parallel import in_chunks, silent
from confide.linking.probabilistic.blocks import Blocked
from confide.linking.probabilistic.kernels import Fields, best_pairs
from confide.linking.probabilistic.patterns import SPAN, Patterns, several, weights_of
from confide.typing import FloatArray, IntArray

TIE = 1e-9
"""Weights this close are equal."""


class Best(NamedTuple):
    """The largest weight of each released record's pairs."""

    weight: FloatArray
    """The weight, a log; -inf: the record has no candidate."""
    many: IntArray
    """How many source records reach it."""
    own: FloatArray
    """The weight of the pair with the source record it belongs to; -inf: there is none among the candidates."""

    @property
    def right(self) -> FloatArray:
        """The probability that a link to one of the best source records is right: 1/m where the own one is among m."""
        hit = np.isfinite(self.own) & (self.own >= self.weight - TIE)
        return np.where(hit, 1.0 / np.maximum(self.many, 1), 0.0)


@dataclass(frozen=True, eq=False)
class BestLinks:
    """Finds the best link of every released record when it is asked for; no table of all pairs is made."""

    pairs: Blocked
    """The candidate pairs."""
    fields: Fields
    """The comparisons."""
    patterns: Patterns
    """The patterns that occur."""
    weight: FloatArray
    """The log weight of each."""
    parent: IntArray
    """The source record each released record belongs to; negative: nobody's, or not known."""

    @cached_property
    def found(self) -> Best:
        """Look through all candidate pairs."""
        spans, lock, n = self.pairs.spans(SPAN), threading.Lock(), self.parent.size
        weights = weights_of(self.fields, self.patterns, self.weight, 0.0, -np.inf)
        parts = [_nothing(n)]

        def work(first: int, last: int) -> None:
            p, last_p = int(spans[first]), int(spans[last])
            best, many, own = _nothing(n)
            best_pairs(p, last_p, self.pairs.candidates, self.fields, weights, TIE, self.parent, best, many, own)
            with lock:
                parts.append(_better(parts.pop(), Best(best, many, own)))

        in_chunks(work, spans.size - 1, several(spans), silent)
        return parts[0]


def _nothing(n: int) -> Best:
    """Give what is known of records before any pair was looked at."""
    return Best(np.full(n, -np.inf), np.zeros(n, dtype=np.int64), np.full(n, -np.inf))


def _better(a: Best, b: Best) -> Best:
    """Put together what two parts of the pairs gave."""
    top = np.maximum(a.weight, b.weight)
    many = sum(np.where(x.weight >= top - TIE, x.many, 0) for x in (a, b))
    return Best(top, np.asarray(many, dtype=np.int64), np.maximum(a.own, b.own))
