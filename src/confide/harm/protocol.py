"""What every declaration of costs can tell, so that the flow from links to harm treats them alike.

Costs may say `depends_on_link`, whether it matters that the right record is linked; costs that do not say so are taken to
depend on it. `reidentified` says for each pair of a respondent and what the intruder takes for the record: -1 no record
was re-identified, 0 a wrong one, 1 the respondent's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from confide.harm.belief.belief import Belief
from confide.typing import FloatArray, Label


class CategoryCosts(Protocol):
    """Costs of inferences about a category."""

    def harm(self, reidentified: Any, true_code: Any, inferred_code: Any, levels: Sequence[Label]) -> FloatArray:
        """Give the harm of each pair when one level is inferred.

        Args:
            reidentified: -1 no record, 0 a wrong one, 1 the respondent's own.
            true_code: the place of the true value among the levels; -1: not known to us.
            inferred_code: the place of the inferred value; -1: nothing inferred.
            levels: the levels of the attribute.
        """
        ...

    def expected(
        self, reidentified: Any, true_code: Any, posterior: Any, levels: Sequence[Label], inferred: Any = None
    ) -> FloatArray:
        """Give the harm of each pair by a Bayesian intruder: H_Bayes.

        Args:
            reidentified: -1 no record, 0 a wrong one, 1 the respondent's own.
            true_code: the place of the true value among the levels; -1: not known to us.
            posterior: the probability of each level, pairs by levels; only read where something is inferred.
            levels: the levels of the attribute.
            inferred: whether anything is inferred; None: wherever a record is re-identified.
        """
        ...

    def only_true(self) -> CategoryCosts:
        """Give the same costs, with none for false re-identifications."""
        ...

    def describe(self) -> str:
        """Say what is costly."""
        ...


class NumberCosts(Protocol):
    """Costs of inferences about an amount."""

    def harm(self, reidentified: Any, y: Any, estimate: Any) -> FloatArray:
        """Give the harm of each pair when one amount is inferred.

        Args:
            reidentified: -1 no record, 0 a wrong one, 1 the respondent's own.
            y: the true amounts; only read where something is inferred.
            estimate: the inferred amounts; NaN: nothing inferred.
        """
        ...

    def expected(self, reidentified: Any, y: Any, belief: Belief, inferred: Any = None) -> FloatArray:
        """Give the harm of each pair by a Bayesian intruder: H_Bayes.

        Args:
            reidentified: -1 no record, 0 a wrong one, 1 the respondent's own.
            y: the true amounts; only read where something is inferred.
            belief: what is believed about the amount of each pair.
            inferred: whether anything is inferred; None: wherever a record is re-identified.
        """
        ...

    def only_true(self) -> NumberCosts:
        """Give the same costs, with none for false re-identifications."""
        ...

    def describe(self) -> str:
        """Say what is costly."""
        ...
