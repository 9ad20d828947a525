"""True and false match rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.linking.summary import Summary
from confide.risk.measures.unique import UniqueMatches
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class TrueMatchRate:
    """The share of all targets that are matched uniquely and correctly.

    >>> TrueMatchRate().value(Summary.of_matrix(np.array([[0.5, 0.5], [0.2, 0.8]]), [0, 1]))
    0.5
    """

    name = "true_match_rate"
    title = "True match rate"
    is_count = False
    larger_is_riskier = True

    def per_target(self, summary: Summary) -> FloatArray:
        """Say whether a target is matched uniquely and correctly."""
        return UniqueMatches().per_target(summary)

    def value(self, summary: Summary) -> float | None:
        """Divide by the number of targets; undefined without targets."""
        return float(self.per_target(summary).mean()) if summary.n else None

    def baseline(self, summary: Summary) -> float | None:
        """Give the rate of random guesses."""
        return UniqueMatches().baseline(summary) / summary.n if summary.n else None


@dataclass(frozen=True, slots=True)
class FalseMatchRate:
    """The share of unique matches that are wrong.

    Undefined when no target has a unique match. A high rate protects: the intruder is often wrong.

    >>> FalseMatchRate().value(Summary.of_matrix(np.array([[0.1, 0.9], [0.2, 0.8]]), [0, 1]))
    0.5
    """

    name = "false_match_rate"
    title = "False match rate"
    is_count = False
    larger_is_riskier = False

    def per_target(self, summary: Summary) -> FloatArray:
        """Say whether a target is matched uniquely and wrongly."""
        return np.asarray((summary.at_best == 1) & ~summary.own_is_best, dtype=np.float64)

    def value(self, summary: Summary) -> float | None:
        """Divide the wrong unique matches by all unique matches."""
        unique = float(np.sum(summary.at_best == 1))
        return float(self.per_target(summary).sum()) / unique if unique else None

    def baseline(self, summary: Summary) -> float | None:
        """Give the rate of random guesses."""
        rate = TrueMatchRate().baseline(summary)
        return None if rate is None else 1.0 - rate
