"""What a believed value costs: c_T1, c_T0, c_F1 and c_F0 of Lambert 1993, section 6.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from confide.errors import HarmError, raise_all
from confide.harm.check import acting, by_level, codes, cost_fault, posterior_rows, same_size
from confide.typing import FloatArray, Label


@dataclass(frozen=True, slots=True)
class BeliefCosts:
    """What it costs the respondent that a value is believed, whether it is true or not.

    A level that is not named costs nothing.

    >>> costs = BeliefCosts({1: 8.0, 0: 1.0})
    >>> costs.expected([1], [1], [[0.3, 0.7]], levels=[0, 1]).round(9).tolist()
    [5.9]
    """

    correct: Mapping[Label, float]
    """The costs of each believed level when the right record is re-identified: c_T1, c_T0."""
    incorrect: Mapping[Label, float] | None = None
    """The same for a wrong record: c_F1, c_F0; None: as for the right one."""
    tn: float = 0.0
    """c_TN: the right record, no value."""
    fn: float = 0.0
    """c_FN: a wrong record, no value."""

    def __post_init__(self) -> None:
        """Check the costs and keep a copy."""
        faults = [] if self.correct else ["BeliefCosts: give a cost for at least one level, as in {1: 8.0, 0: 1.0}"]
        for name, costs in (("correct", self.correct), ("incorrect", self.incorrect or {})):
            faults += [x for level, cost in costs.items() for x in cost_fault(f"BeliefCosts: {name}[{level!r}]", cost)]
        faults += [*cost_fault("BeliefCosts: tn", self.tn), *cost_fault("BeliefCosts: fn", self.fn)]
        raise_all(faults, HarmError)
        object.__setattr__(self, "correct", MappingProxyType(dict(self.correct)))
        if self.incorrect is not None:
            object.__setattr__(self, "incorrect", MappingProxyType(dict(self.incorrect)))

    def harm(self, reidentified: Any, true_code: Any, inferred_code: Any, levels: Sequence[Label]) -> FloatArray:
        """Give the harm of each pair when one level is inferred: all belief on it."""
        linked = codes(reidentified, -1, 1, "reidentified")
        guess = codes(inferred_code, -1, len(levels) - 1, "inferred_code")
        same_size(reidentified=linked, true_code=codes(true_code, -1, len(levels) - 1, "true_code"), inferred_code=guess)
        table = self._table(levels)
        table = np.column_stack([table, [self.fn, self.tn]])
        return np.where(linked < 0, 0.0, table[np.maximum(linked, 0), guess])

    def expected(
        self, reidentified: Any, true_code: Any, posterior: Any, levels: Sequence[Label], inferred: Any = None
    ) -> FloatArray:
        """Give p(1) c_1 + p(0) c_0, by whether the right record is re-identified: H_Bayes."""
        linked = codes(reidentified, -1, 1, "reidentified")
        same_size(reidentified=linked, true_code=codes(true_code, -1, len(levels) - 1, "true_code"))
        active, silent = acting(linked, inferred)
        rows = posterior_rows(posterior, active, levels)
        found = np.where(silent, np.where(linked == 1, float(self.tn), float(self.fn)), 0.0)
        found[active] = np.einsum("ij,ij->i", rows, self._table(levels)[linked[active]])
        return found

    def only_true(self) -> BeliefCosts:
        """Give the same costs, with none for false re-identifications."""
        return replace(self, incorrect={}, fn=0.0)

    def describe(self) -> str:
        """Say what is costly."""
        told = [", ".join(f"believed {level!r} {cost:g}" for level, cost in self.correct.items())]
        if self.incorrect is not None:
            wrong = ", ".join(f"believed {level!r} {cost:g}" for level, cost in self.incorrect.items())
            told.append(f"by a wrong record: {wrong or 'nothing'}")
        told += [f"{name} {cost:g}" for name, cost in (("tn", self.tn), ("fn", self.fn)) if cost]
        return "; ".join(told)

    def _table(self, levels: Sequence[Label]) -> FloatArray:
        """Give the cost of each level by a wrong record, then by the right one."""
        wrong = self.correct if self.incorrect is None else self.incorrect
        rows = [by_level(costs, levels, "BeliefCosts") for costs in (wrong, self.correct)]
        return np.array([[cost or 0.0 for cost in row] for row in rows], dtype=np.float64)
