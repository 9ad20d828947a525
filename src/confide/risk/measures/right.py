"""How many right links the intruder would act on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError, raise_all
from confide.intruder.acting import Acts, acted, check_acts, describe_acts
from confide.intruder.decision import Losses
from confide.linking.summary import Summary
from confide.risk.measure import defined
from confide.typing import BoolArray, FloatArray


@dataclass(frozen=True, slots=True)
class RightLinks:
    """The expected number of right links among those the intruder acts on: true identifications of targets.

    The intruder links a target to one of its most probable records where that is probable enough, or costs less than the
    null link (Lambert 1993, section 5: perceived and true identification; Duncan and Lambert 1987, section 4). It is never
    more than the perceived identifications at the same threshold, nor than the expected matches, which link everyone.

    >>> summary = Summary.of_matrix(np.array([[0.5, 0.5], [0.2, 0.8]]), [0, 1])
    >>> RightLinks(0.2).value(summary), RightLinks(0.5).value(summary)
    (1.5, 1.0)
    >>> RightLinks(Losses(missed=1.0, wrong=3.0)).value(summary)
    1.0
    """

    acts: Acts = 0.2
    """When the intruder acts: a probability that the best record must exceed, or the losses of a decision maker.

    With `Losses(missed=1, wrong=1)` that is wherever the best record is more probable than the null link.
    """

    def __post_init__(self) -> None:
        """Check the rule."""
        raise_all(check_acts(self.acts), IntruderError)

    name = "right_links"
    is_count = True
    larger_is_riskier = True
    tells_unknown = True

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return "Right links by losses" if isinstance(self.acts, Losses) else f"Right links > {self.acts:g}"

    @property
    def meaning(self) -> str:
        """What it is, in a line."""
        return f"right links expected of an intruder who {describe_acts(self.acts)}"

    def acted(self, summary: Summary) -> BoolArray:
        """Say which targets the intruder acts on."""
        return acted(self.acts, summary.best, summary.null)

    def per_target(self, summary: Summary) -> FloatArray:
        """Give the probability that the link acted on is right: 0 where none is, NaN where the truth is not known."""
        return np.where(self.acted(summary), summary.matched, 0.0)

    def value(self, summary: Summary) -> float | None:
        """Add up the probabilities; undefined where the truth about a target acted on is not known."""
        return defined(float(self.per_target(summary).sum()))

    def baseline(self, summary: Summary) -> float | None:
        """Give the right links of random guesses: every record is equally probable, so that mostly nobody is acted on."""
        each = 1.0 / max(summary.records, 1)
        acts = bool(acted(self.acts, np.array([each]), np.array([0.0]))[0])
        return defined(float(summary.where_known(summary.in_file).sum()) * each) if acts else 0.0
