"""What an inferred amount costs, by whether the re-identification is correct (Lambert 1993, section 6.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from confide.errors import HarmError, raise_all
from confide.harm.belief.belief import Belief
from confide.harm.check import acting, codes, cost_fault, numbers, same_size
from confide.harm.costs.cost import Cost
from confide.harm.costs.none import NoCost
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class AmountCosts:
    """c_T and c_F, functions of the true and the inferred amount; and c_TN, c_FN when nothing is inferred.

    >>> from confide.harm.costs.excess import Excess
    >>> AmountCosts(Excess()).harm([1, 0, 1, -1], [10.0, 20.0, 30.0, 5.0], [12.0, 19.0, np.nan, 9.0]).tolist()
    [2.0, 0.0, 0.0, 0.0]
    """

    correct: Cost
    """c_T: the right record was re-identified."""
    incorrect: Cost | None = None
    """c_F: a wrong record; None: the same as for the right one."""
    tn: float = 0.0
    """c_TN: the right record, no amount."""
    fn: float = 0.0
    """c_FN: a wrong record, no amount."""

    def __post_init__(self) -> None:
        """Check the costs."""
        faults = [
            f"AmountCosts: {name} must be a cost such as OverEstimate(), or GivenCost(function); found {cost!r}"
            for name, cost in (("correct", self.correct), ("incorrect", self.incorrect))
            if not (hasattr(cost, "at") and hasattr(cost, "expected")) and not (name == "incorrect" and cost is None)
        ]
        faults += [*cost_fault("AmountCosts: tn", self.tn), *cost_fault("AmountCosts: fn", self.fn)]
        raise_all(faults, HarmError)

    def harm(self, reidentified: Any, y: Any, estimate: Any) -> FloatArray:
        """Give the harm of each pair when one amount is inferred: H(Y, X)."""
        linked = codes(reidentified, -1, 1, "reidentified")
        true, guess = numbers(y, "the true amount"), numbers(estimate, "the inferred amount")
        same_size(reidentified=linked, y=true, estimate=guess)
        told = ~np.isnan(guess)
        active, silent = acting(linked, told)
        found = np.where(silent, np.where(linked == 1, float(self.tn), float(self.fn)), 0.0)
        for cost, mine in self._parts(linked, active):
            found[mine] = cost.at(true[mine], guess[mine])
        return found

    def expected(self, reidentified: Any, y: Any, belief: Belief, inferred: Any = None) -> FloatArray:
        """Give the integral of p(x) c(y, x) of each pair, by whether the right record is re-identified: H_Bayes.

        >>> from confide.harm.belief.normal import NormalBelief
        >>> from confide.harm.costs.over import OverEstimate
        >>> AmountCosts(OverEstimate()).expected([1, -1], [100.0, 100.0], NormalBelief([95.0, 95.0], 10.0)).round(6).tolist()
        [20.963926, 0.0]
        """
        linked, true = codes(reidentified, -1, 1, "reidentified"), numbers(y, "the true amount")
        same_size(reidentified=linked, y=true, belief=range(belief.size))
        active, silent = acting(linked, inferred)
        found = np.where(silent, np.where(linked == 1, float(self.tn), float(self.fn)), 0.0)
        for cost, mine in self._parts(linked, active):
            found[mine] = cost.expected(true[mine], belief.take(mine))
        return found

    def only_true(self) -> AmountCosts:
        """Give the same costs, with none for false re-identifications."""
        return replace(self, incorrect=NoCost(), fn=0.0)

    @property
    def depends_on_link(self) -> bool:
        """Whether it matters that the right record is linked."""
        return not (self.incorrect in (None, self.correct) and self.tn == self.fn)

    def describe(self) -> str:
        """Say what is costly."""
        told = [self.correct.describe()]
        if self.incorrect is not None:
            told.append(f"by a wrong record: {self.incorrect.describe()}")
        told += [f"{name} {cost:g}" for name, cost in (("tn", self.tn), ("fn", self.fn)) if cost]
        return "; ".join(told)

    def _parts(self, linked: Any, active: Any) -> list[tuple[Cost, Any]]:
        """Give each cost and the pairs it holds for, where there are any."""
        if self.incorrect is None:
            parts = [(self.correct, active)]
        else:
            parts = [(self.correct, active & (linked == 1)), (self.incorrect, active & (linked == 0))]
        return [(cost, mine) for cost, mine in parts if bool(mine.any())]
