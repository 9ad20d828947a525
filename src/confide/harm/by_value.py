"""Costs that differ by the true value: to be known as HIV positive costs more than as negative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from confide.errors import HarmError, raise_all
from confide.harm.check import acting, by_level, codes
from confide.harm.outcomes import Outcomes, true_codes
from confide.harm.protocol import CategoryCosts
from confide.typing import FloatArray, Label


@dataclass(frozen=True, slots=True)
class ByTrueValue:
    """Other costs for each true value (Reiter 2005, section 5).

    >>> costs = ByTrueValue({"positive": Outcomes(tt=100), "negative": Outcomes(tt=1, tf=50)})
    >>> costs.harm([1, 1, 1], [1, 0, 0], [1, 0, 1], levels=["negative", "positive"]).tolist()
    [100.0, 1.0, 50.0]
    """

    costs: Mapping[Label, CategoryCosts]
    """The costs to those who have this value."""
    otherwise: CategoryCosts = field(default_factory=Outcomes)
    """The costs to all others; unless given, none."""

    def __post_init__(self) -> None:
        """Check that costs are given, and keep a copy."""
        faults = [] if self.costs else ["ByTrueValue: give costs for at least one level, as in {'positive': Outcomes(tt=1)}"]
        for level, cost in [*self.costs.items(), ("otherwise", self.otherwise)]:
            if not hasattr(cost, "harm") or not hasattr(cost, "expected"):
                faults.append(f"ByTrueValue: {level!r} must be given costs such as Outcomes(...); found {cost!r}")
        raise_all(faults, HarmError)
        object.__setattr__(self, "costs", MappingProxyType(dict(self.costs)))

    def harm(self, reidentified: Any, true_code: Any, inferred_code: Any, levels: Sequence[Label]) -> FloatArray:
        """Give the harm of each pair when one level is inferred."""
        linked = codes(reidentified, -1, 1, "reidentified")
        guess = codes(inferred_code, -1, len(levels) - 1, "inferred_code")
        truth = true_codes(true_code, linked >= 0, levels)
        found = np.zeros(linked.size)
        for cost, mine in self._parts(truth, levels):
            found[mine] = cost.harm(linked[mine], truth[mine], guess[mine], levels)
        return found

    def expected(
        self, reidentified: Any, true_code: Any, posterior: Any, levels: Sequence[Label], inferred: Any = None
    ) -> FloatArray:
        """Give the average of the harm over what a Bayesian intruder believes."""
        linked = codes(reidentified, -1, 1, "reidentified")
        active, _ = acting(linked, inferred)
        truth = true_codes(true_code, linked >= 0, levels)
        table = np.asarray(posterior, dtype=np.float64)
        if table.shape != (linked.size, len(levels)):
            raise HarmError(
                f"the posterior must be {linked.size:,} pairs by {len(levels)} levels; found shape {table.shape}"
            )
        found = np.zeros(linked.size)
        for cost, mine in self._parts(truth, levels):
            found[mine] = cost.expected(linked[mine], truth[mine], table[mine], levels, active[mine])
        return found

    def only_true(self) -> ByTrueValue:
        """Give the same costs, with none for false re-identifications."""
        return ByTrueValue({level: cost.only_true() for level, cost in self.costs.items()}, self.otherwise.only_true())

    def describe(self) -> str:
        """Say what is costly."""
        told = [f"to {level!r}: {cost.describe()}" for level, cost in self.costs.items()]
        return "; ".join([*told, f"otherwise: {self.otherwise.describe()}"])

    def _parts(self, truth: Any, levels: Sequence[Label]) -> list[tuple[CategoryCosts, Any]]:
        """Give each costs and the pairs they hold for; pairs without a true value are never re-identified."""
        told = by_level(self.costs, levels, "ByTrueValue")
        parts = [(cost, truth == k) for k, cost in enumerate(told) if cost is not None]
        rest = ~np.logical_or.reduce([mine for _, mine in parts]) if parts else np.ones(truth.size, dtype=np.bool_)
        return [*parts, (self.otherwise, rest)]
