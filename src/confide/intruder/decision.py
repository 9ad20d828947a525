"""The intruder as a decision maker: to link, or not to (Duncan and Lambert 1987, sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import IntruderError
from confide.intruder.columns import ROUNDING, checked, columns, less
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Losses:
    """What it costs the intruder to miss and to err.

    >>> Losses(missed=1.0, wrong=1.0).decide([0.9, 0.1]).links
    True
    """

    missed: float = 1.0
    """l1: the target was released and no link was made."""
    wrong: float = 1.0
    """l2: a record was linked that is not the target's."""

    def __post_init__(self) -> None:
        """Check the losses."""
        if not (np.isfinite([self.missed, self.wrong]).all() and self.missed >= 0 and self.wrong > 0):
            raise IntruderError(f"losses must be finite, missed not negative and wrong positive; found {self}")

    def decide(self, p: Sequence[float] | FloatArray) -> Decision:
        """Choose the link, or the null link, with the smaller expected loss; ties do not link (convention 4).

        Args:
            p: the probability that each released record is the target's.
        """
        found = self.decide_all(checked(p)[:, None])
        return found.of(0)

    def decide_all(self, p: Any, *, slack: float = ROUNDING) -> Decisions:
        """Decide for every respondent at once.

        Args:
            p: the probability that record j is respondent i's, records by respondents; a table or a
                sparse one.
            slack: how far a respondent's probabilities may sum above one, as approximations can.

        >>> Losses().decide_all(np.array([[0.9, 0.2], [0.1, 0.2]])).record.tolist()
        [0, -1]
        """
        found = columns(p, slack)
        loss_null = self.missed * found.total
        loss_link = self.wrong * (1.0 - np.minimum(found.largest, 1.0))
        record = np.where(less(loss_link, loss_null), found.record, -1)
        return Decisions(record, np.minimum(loss_null, loss_link), loss_null, loss_link)

    def deterring(self, p: Sequence[float] | FloatArray) -> float:
        """Give the smallest cost of a wrong link that deters this intruder; infinite where nothing does.

        >>> round(Losses(missed=2.0).deterring([0.75, 0.25]), 12)
        8.0
        """
        probabilities = checked(p)
        reward = self.missed * float(probabilities.sum())
        doubt = 1.0 - float(probabilities.max())
        if doubt > 0:
            return reward / doubt
        return float("inf") if reward > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Decision:
    """What the intruder does, and how uncertain the intruder is."""

    uncertainty: float
    """U(y): the smallest expected loss."""
    loss_null: float
    """The expected loss of the null link."""
    loss_link: float
    """The expected loss of the best link."""
    record: int | None
    """The record that is linked; None: the null link."""

    @property
    def links(self) -> bool:
        """Whether a link is made."""
        return self.record is not None


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """What the intruder does about every respondent."""

    record: IntArray
    """The record that is linked to each respondent; -1: the null link."""
    uncertainty: FloatArray
    """U(y): the smallest expected loss."""
    loss_null: FloatArray
    """The expected loss of the null link."""
    loss_link: FloatArray
    """The expected loss of the best link."""

    @property
    def links(self) -> BoolArray:
        """Whom a record is linked to."""
        return self.record >= 0

    @property
    def linked(self) -> int:
        """How many respondents a record is linked to."""
        return int(self.links.sum())

    def of(self, respondent: int) -> Decision:
        """Give the decision about one respondent."""
        record = int(self.record[respondent])
        least, null, best = (float(x[respondent]) for x in (self.uncertainty, self.loss_null, self.loss_link))
        return Decision(least, null, best, record if record >= 0 else None)

    def __repr__(self) -> str:
        """Say how many are linked and how uncertain the intruder is."""
        low, high = float(self.uncertainty.min()), float(self.uncertainty.max())
        return f"Decisions({self.linked:,} of {self.record.size:,} respondents linked; uncertainty {low:.3g} to {high:.3g})"
