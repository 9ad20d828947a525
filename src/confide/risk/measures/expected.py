"""How many true matches the intruder can expect."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.linking.summary import Summary
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class ExpectedMatches:
    """The expected number of true matches: the sum of I / m (Reiter 2005, 4.3 (ii)).

    The intruder picks at random among the m records with the largest probability; I is one when
    the target's own record is among them. Every target is linked, also where the null link is more
    probable than any record: what an intruder can gain at most, not what a cautious one does.

    >>> ExpectedMatches().value(Summary.of_matrix(np.array([[0.5, 0.5], [0.2, 0.8]]), [0, 1]))
    1.5
    """

    name = "expected_matches"
    title = "Expected matches"
    is_count = True
    larger_is_riskier = True

    def per_target(self, summary: Summary) -> FloatArray:
        """Give the probability that a guess among the best records is right."""
        return summary.matched

    def value(self, summary: Summary) -> float:
        """Add up the probabilities."""
        return float(summary.matched.sum())

    def baseline(self, summary: Summary) -> float:
        """Give the expected matches of random guesses."""
        return float(np.sum(summary.in_file)) / max(summary.records, 1)
