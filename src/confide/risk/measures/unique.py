"""How many targets are matched correctly and without doubt about which record."""

from __future__ import annotations

from dataclasses import dataclass

from confide.linking.summary import Summary
from confide.risk.measure import defined
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class UniqueMatches:
    """The number of targets whose own record alone has the largest probability (4.3 (iii)).

    >>> UniqueMatches().value(Summary.of_matrix([[0.5, 0.5], [0.2, 0.8]], [0, 1]))
    1.0
    """

    name = "unique_matches"
    title = "Unique matches"
    is_count = True
    larger_is_riskier = True
    tells_unknown = True

    def per_target(self, summary: Summary) -> FloatArray:
        """Say whether a target is matched uniquely and correctly; NaN where the truth is not known."""
        return summary.where_known(summary.own_is_best & (summary.at_best == 1))

    def value(self, summary: Summary) -> float | None:
        """Count the targets; undefined where the truth about one is not known."""
        return defined(float(self.per_target(summary).sum()))

    def baseline(self, summary: Summary) -> float | None:
        """Give the expected count when a record is picked at random and taken for certain."""
        return defined(float(summary.where_known(summary.in_file).sum()) / max(summary.records, 1))
