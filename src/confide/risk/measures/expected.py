"""How many true matches the intruder can expect."""

from __future__ import annotations

from dataclasses import dataclass

from confide.linking.summary import Summary
from confide.risk.measure import defined
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class ExpectedMatches:
    """The expected number of true matches: the sum of I / m (Reiter 2005, 4.3 (ii)).

    The intruder picks at random among the m records with the largest probability; I is one when
    the target's own record is among them. Every target is linked, also where the null link is more
    probable than any record: what an intruder can gain at most, not what a cautious one does. So it
    is often the same for an intruder who knows that the target is in the file and for one who does not;
    `RightLinks` counts those of them that an intruder would act on.

    >>> ExpectedMatches().value(Summary.of_matrix([[0.5, 0.5], [0.2, 0.8]], [0, 1]))
    1.5
    """

    name = "expected_matches"
    title = "Expected matches"
    is_count = True
    larger_is_riskier = True
    tells_unknown = True
    meaning = "right links expected of an intruder who links every target, however improbable the best record"

    def per_target(self, summary: Summary) -> FloatArray:
        """Give the probability that a guess among the best records is right; NaN where the truth is not known."""
        return summary.matched

    def value(self, summary: Summary) -> float | None:
        """Add up the probabilities; undefined where the truth about a target is not known."""
        return defined(float(summary.matched.sum()))

    def baseline(self, summary: Summary) -> float | None:
        """Give the expected matches of random guesses."""
        return defined(float(summary.where_known(summary.in_file).sum()) / max(summary.records, 1))
