"""The intruder as a decision maker: to link, or not to (Duncan and Lambert 1987, sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.typing import FloatArray


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
        probabilities = np.asarray(p, dtype=np.float64)
        total = float(probabilities.sum())
        if probabilities.size == 0 or bool(np.any(probabilities < 0)) or total > 1 + 1e-9:
            raise IntruderError("link probabilities must not be negative and must sum to at most one")
        best = int(np.argmax(probabilities))
        loss_null = self.missed * total
        loss_link = self.wrong * (1.0 - float(probabilities[best]))
        links = loss_link < loss_null
        return Decision(min(loss_null, loss_link), loss_null, loss_link, best if links else None)

    def deterring(self, p: Sequence[float] | FloatArray) -> float:
        """Give the smallest cost of a wrong link that deters this intruder; infinite where nothing does."""
        probabilities = np.asarray(p, dtype=np.float64)
        doubt = 1.0 - float(probabilities.max())
        return self.missed * float(probabilities.sum()) / doubt if doubt > 0 else float("inf")


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
