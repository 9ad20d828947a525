"""N_t by survey weights where all records compete for a list of targets.

The sum of weights W of a block errs by chance, and N_t cannot be below the number T of targets, who are such people. So
errors are cut off on one side; and a block is seen only when it has records, that is, when W is not too small. For both
reasons the strangers are too many, and the expected number of true links, the sum of n T / N_t over blocks, is too small.
Over all targets it should be that of the sampling fractions, W-hat being the sum over the file:

    sum over blocks with records of T n / W + (targets without consistent record) n-hat / W-hat.

So N_t is taken as W less c standard errors, the same c from 0 to 3 in all blocks, for which it is. The squared error
of W is that of persons drawn one by one with chances 1/w: the sum of w (w - 1).

What remains: of a list of all people no more than the n records can be right links. Where fewer were drawn than the sampling
fractions let expect, n is what is stated; where more were, the fractions' number is, as the list might lack people. So a
whole list is short by the mean of max(E(n) - n, 0), about 0.4 sqrt(n): 2.3 per cent of 300 records, 0.2 of 30,000. It is
named among the assumptions that fail.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from confide.typing import FloatArray, IntArray

MOST = 3.0
"""N_t is lowered by so many standard errors at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Lowered:
    """N_t of every block, and how it was found."""

    people: FloatArray
    """N_t."""
    errors: float
    """c, the number of standard errors by which the sums of weights were lowered."""
    wanted: float
    """The number of true links to expect."""
    reached: float
    """The number of true links that the prior says."""

    @property
    def note(self) -> str:
        """Say what was done; empty where nothing was."""
        if self.errors == 0:
            return ""
        return (
            f"N_t by weights was lowered by {self.errors:.2g} standard errors, so that {self.reached:,.4g} true links are "
            f"expected, of {self.wanted:,.4g} by the sampling fractions"
        )


def lowered(weight: FloatArray, squares: FloatArray, n: IntArray, targets: IntArray, unseen: int) -> Lowered:
    """Give the number of people of every block.

    Args:
        weight: the sum of the weights of its records.
        squares: the sum of their squares.
        n: the number of its records.
        targets: the number of its targets.
        unseen: the number of targets without a consistent record.

    >>> found = lowered(np.array([50.0, 20.0]), np.array([500.0, 200.0]), np.array([5, 2]), np.array([35, 35]), 0)
    >>> found.people.tolist(), round(found.wanted, 9), round(found.reached, 9)
    ([35.0, 35.0], 7.0, 7.0)
    """
    least = np.maximum(n, targets).astype(np.float64)
    weight = np.maximum(weight, n)
    error = np.sqrt(np.maximum(squares - weight, 0.0))
    fraction = n.sum() / weight.sum()
    wanted = float((targets * n / weight).sum() + unseen * fraction)

    def people(c: float) -> FloatArray:
        return np.asarray(np.maximum(weight - c * error, least))

    def short(c: float) -> float:
        return float((targets * n / people(c)).sum()) - wanted

    c = 0.0
    if short(0.0) < -1e-12 * wanted:
        c = MOST if short(MOST) <= 0 else float(brentq(short, 0.0, MOST, xtol=1e-9))
    return Lowered(people(c), c, wanted, wanted + short(c))
