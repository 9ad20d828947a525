"""What every cost of an inferred amount can tell: c_F or c_T of Lambert 1993, section 6.3."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from confide.errors import HarmError
from confide.harm.belief.belief import Belief
from confide.harm.check import amounts
from confide.typing import FloatArray


class Cost(Protocol):
    """c(y, yhat): the loss to a respondent of true amount y when yhat is inferred; never negative."""

    def at(self, y: Any, estimate: Any) -> FloatArray:
        """Give the loss of each estimate."""
        ...

    def expected(self, y: Any, belief: Belief) -> FloatArray:
        """Give the loss averaged over each belief: the integral of p(x) c(y, x)."""
        ...

    def describe(self) -> str:
        """Say what is costly."""
        ...


def pairs(y: Any, estimate: Any) -> tuple[FloatArray, FloatArray]:
    """Give true and inferred amounts pair by pair; one number stands for all pairs."""
    true, inferred = amounts(y, "the true amount"), amounts(estimate, "the inferred amount")
    if true.size != inferred.size and 1 not in (true.size, inferred.size):
        raise HarmError(f"{true.size:,} true amounts for {inferred.size:,} inferred ones; give one of each for every pair")
    wide = inferred.size if true.size == 1 else true.size
    return np.broadcast_to(true, (wide,)), np.broadcast_to(inferred, (wide,))


def true_amounts(y: Any, belief: Belief) -> FloatArray:
    """Give the true amount for each belief; one number stands for all."""
    true = amounts(y, "the true amount")
    if true.size not in (1, belief.size):
        raise HarmError(f"{true.size:,} true amounts for {belief.size:,} beliefs; give one for each")
    return np.broadcast_to(true, (belief.size,))


def finite(values: FloatArray, who: str) -> FloatArray:
    """Raise where a loss is too large to be a number."""
    wrong = int(np.sum(~np.isfinite(values)))
    if wrong:
        raise HarmError(
            f"{who}: {wrong:,} of {values.size:,} losses are too large to be numbers; "
            "are the amounts, or the spread of the beliefs, on the right scale?"
        )
    return values
