"""True and false match rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.linking.summary import Summary
from confide.risk.measure import defined
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
    tells_unknown = True

    def per_target(self, summary: Summary) -> FloatArray:
        """Say whether a target is matched uniquely and correctly; NaN where the truth is not known."""
        return UniqueMatches().per_target(summary)

    def value(self, summary: Summary) -> float | None:
        """Divide by the number of targets; undefined without targets, or where the truth about one is not known."""
        return defined(float(self.per_target(summary).mean())) if summary.n else None

    def baseline(self, summary: Summary) -> float | None:
        """Give the rate of random guesses."""
        matches = UniqueMatches().baseline(summary)
        return matches / summary.n if summary.n and matches is not None else None


@dataclass(frozen=True, slots=True)
class FalseMatchRate:
    """The share of unique matches that are wrong.

    Undefined when no target has a unique match, and a limit on it then fails like every limit on what is
    undefined; to allow such a file limit the unique matches instead. A high rate protects: the intruder is often wrong.

    >>> FalseMatchRate().value(Summary.of_matrix(np.array([[0.1, 0.9], [0.2, 0.8]]), [0, 1]))
    0.5
    """

    name = "false_match_rate"
    title = "False match rate"
    is_count = False
    larger_is_riskier = False
    tells_unknown = True
    undefined = "no target has a single most probable record"

    def per_target(self, summary: Summary) -> FloatArray:
        """Say whether a target is matched uniquely and wrongly; NaN where the truth is not known."""
        return summary.where_known((summary.at_best == 1) & ~summary.own_is_best)

    def value(self, summary: Summary) -> float | None:
        """Divide the wrong unique matches by all unique matches; undefined without one, or without the truth."""
        unique = float(np.sum(summary.at_best == 1))
        return defined(float(self.per_target(summary).sum()) / unique) if unique else None

    def baseline(self, summary: Summary) -> float | None:
        """Give the rate of random guesses."""
        rate = TrueMatchRate().baseline(summary)
        return None if rate is None else 1.0 - rate
