"""What the intruder believes about a unit's true values before seeing its perturbed ones.

Pr(y^C | z^Ad) of Reiter (2005), section 3.4, as a mixture: rows are kinds of units (those with
equal z^Ad), atoms are combinations of categories, and within an atom every amount has a
distribution of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from confide.typing import FloatArray, IntArray

POINT, NORMAL, LOGNORMAL, UNIFORM, SILENT, REPLACED = 0, 1, 2, 3, 4, 5


@dataclass(frozen=True, slots=True, eq=False)
class AmountPrior:
    """The distribution of one amount, by row and atom.

    A point has its value in `first`; a normal or lognormal its mean and sd (of the logarithm) in
    `first` and `second`; a uniform its ends. A silent one says nothing: the atom gives the class.
    Where another number was perturbed in the place of the amount, that number is in `first`.
    """

    family: IntArray
    """POINT, NORMAL, LOGNORMAL, UNIFORM, SILENT or REPLACED."""
    first: FloatArray
    """The first parameter."""
    second: FloatArray
    """The second parameter."""
    negative: bool = False
    """Whether the amount is below zero and the distributions are those of its absolute value."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitPrior:
    """A mixture for every kind of unit."""

    log_weight: FloatArray
    """Log probabilities of the atoms, rows by atoms."""
    categories: Mapping[str, IntArray]
    """The level each atom gives to a categorical variable, rows by atoms (or one row for all)."""
    amounts: Mapping[str, AmountPrior]
    """The distribution each atom gives to an amount."""
    given_class: bool
    """Whether weights already allow for the class (zero, topcoded, perturbed) of each amount."""
