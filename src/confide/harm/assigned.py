"""Harm for people who want no costs: count those whom the intruder assigns to the sensitive category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from confide.errors import HarmError, raise_all
from confide.harm.check import acting, by_level, codes, cost_fault, posterior_rows, same_size
from confide.typing import FloatArray, IntArray, Label


@dataclass(frozen=True, slots=True)
class AssignedTo:
    """One for each respondent whom the intruder assigns to a category, rightly or wrongly.

    Lambert 1993, section 6.3: no respondent wants to be thought of it, and all agree on the damage. Then
    the total harm is a number of respondents; `only_true()` counts those among the correctly re-identified.

    >>> costs = AssignedTo("yes")
    >>> costs.harm([1, 0, 1, -1], [0, 0, 0, 0], [1, 1, 0, 1], levels=["no", "yes"]).tolist()
    [1.0, 1.0, 0.0, 0.0]
    >>> costs.only_true().harm([1, 0, 1, -1], [0, 0, 0, 0], [1, 1, 0, 1], levels=["no", "yes"]).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """

    level: Label
    """The sensitive category."""
    loss: float = 1.0
    """What each assignment counts."""
    false_too: bool = True
    """Whether assignments after a false re-identification count."""

    def __post_init__(self) -> None:
        """Check the loss."""
        raise_all(cost_fault("AssignedTo: loss", self.loss), HarmError)

    def harm(self, reidentified: Any, true_code: Any, inferred_code: Any, levels: Sequence[Label]) -> FloatArray:
        """Give the loss of each pair whose inferred level is the sensitive one."""
        linked = self._linked(reidentified, true_code, levels)
        guess = codes(inferred_code, -1, len(levels) - 1, "inferred_code")
        same_size(reidentified=linked, inferred_code=guess)
        hit = (linked >= self._least) & (guess == self._place(levels))
        return np.where(hit, float(self.loss), 0.0)

    def expected(
        self, reidentified: Any, true_code: Any, posterior: Any, levels: Sequence[Label], inferred: Any = None
    ) -> FloatArray:
        """Give the loss times the probability of the sensitive level."""
        linked = self._linked(reidentified, true_code, levels)
        active, _ = acting(linked, inferred)
        place, found = self._place(levels), np.zeros(linked.size)
        found[active] = self.loss * posterior_rows(posterior, active, levels)[:, place]
        return np.where(linked >= self._least, found, 0.0)

    def only_true(self) -> AssignedTo:
        """Count the correctly re-identified only."""
        return replace(self, false_too=False)

    def describe(self) -> str:
        """Say what is costly."""
        whom = "" if self.false_too else ", if correctly re-identified"
        return f"{self.loss:g} for each respondent assigned to {self.level!r}{whom}"

    @property
    def _least(self) -> int:
        """From which code of re-identification on an assignment counts."""
        return 0 if self.false_too else 1

    def _place(self, levels: Sequence[Label]) -> int:
        return by_level({self.level: 1}, levels, "AssignedTo").index(1)

    def _linked(self, reidentified: Any, true_code: Any, levels: Sequence[Label]) -> IntArray:
        linked = codes(reidentified, -1, 1, "reidentified")
        same_size(reidentified=linked, true_code=codes(true_code, -1, len(levels) - 1, "true_code"))
        return linked
