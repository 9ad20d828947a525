"""Beliefs the user supplies, unit by unit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np

from confide.errors import IntruderError, unknown_level
from confide.intruder.beliefs.prior import LOGNORMAL, NORMAL, POINT, UNIFORM, AmountPrior, UnitPrior
from confide.intruder.distribution import Distribution, Lognormal, Normal, Uniform
from confide.typing import Label


@dataclass(frozen=True, slots=True)
class Atom:
    """One possibility for a unit's true values.

    >>> Atom(0.55, {"race": "w", "tax": Lognormal(6.9, 0.8)}).weight
    0.55
    """

    weight: float
    """Its probability (weights of a unit are scaled to sum to one)."""
    values: Mapping[str, Label | Distribution]
    """A level, a number or a distribution for each perturbed variable."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        number = isinstance(self.weight, int | float) and not isinstance(self.weight, bool)
        if not number or not math.isfinite(self.weight) or not isinstance(self.values, Mapping):
            raise IntruderError(
                'Atom takes a weight and what it says of each variable, as in Atom(0.6, {"race": "w"})'
            )


@dataclass(frozen=True, slots=True)
class SuppliedBeliefs:
    """The intruder's own Pr(y^C | z^Ad) for every released record (section 3.4).

    One list of atoms per released record, or a single list for all of them. The atoms need not
    know whether a noisy amount is zero or topcoded: that is visible, and is conditioned on.
    """

    units: Sequence[Sequence[Atom]]
    """The atoms of each released record."""

    def describe(self) -> str:
        """Say it in words."""
        return "supplied distributions"

    def prior(self, categories: Mapping[str, Sequence[Label]], amounts: Sequence[str], n: int) -> UnitPrior:
        """Arrange the atoms as a mixture for each released record."""
        units = list(self.units) * n if len(self.units) == 1 else list(self.units)
        if len(units) != n:
            raise IntruderError(f"SuppliedBeliefs: {len(units)} lists of atoms for {n} released records")
        width = max(len(atoms) for atoms in units)
        if width == 0 or any(not atoms for atoms in units):
            raise IntruderError("SuppliedBeliefs: every released record needs at least one atom")
        weight = np.zeros((n, width))
        levels = {name: np.zeros((n, width), dtype=np.int64) for name in categories}
        family = {name: np.zeros((n, width), dtype=np.int64) for name in amounts}
        first = {name: np.zeros((n, width)) for name in amounts}
        second = {name: np.ones((n, width)) for name in amounts}
        places = {name: {level: i for i, level in enumerate(known)} for name, known in categories.items()}
        for j, atoms in enumerate(units):
            for a, atom in enumerate(atoms):
                weight[j, a] = atom.weight
                for name in categories:
                    levels[name][j, a] = self._place(atom, name, places[name])
                for name in amounts:
                    family[name][j, a], first[name][j, a], second[name][j, a] = parameters(self._amount(atom, name))
        total = weight.sum(axis=1, keepdims=True)
        if bool(np.any(weight < 0)) or bool(np.any(total <= 0)):
            raise IntruderError("SuppliedBeliefs: weights must not be negative and must have a positive sum for each record")
        with np.errstate(divide="ignore"):
            log_weight = np.log(weight / total)
        priors = {name: AmountPrior(family[name], first[name], second[name]) for name in amounts}
        return UnitPrior(log_weight, levels, priors, given_class=False)

    @staticmethod
    def _value(atom: Atom, name: str) -> Label | Distribution:
        """Give what an atom says about a variable."""
        if name not in atom.values:
            raise IntruderError(f"SuppliedBeliefs: an atom says nothing about the perturbed variable {name!r}")
        return atom.values[name]

    @classmethod
    def _amount(cls, atom: Atom, name: str) -> Label | Distribution:
        """Give what an atom says about a number."""
        value = cls._value(atom, name)
        if not isinstance(value, Normal | Lognormal | Uniform | Real):
            raise IntruderError(
                f"beliefs about {name!r}: its true values are numbers, found {type(value).__name__}; give a number, a "
                "distribution such as Uniform(low, high), or a Mixture of these"
            )
        return value

    @classmethod
    def _place(cls, atom: Atom, name: str, places: Mapping[Label, int]) -> int:
        """Find the level an atom gives to a variable."""
        value = cls._value(atom, name)
        if not isinstance(value, str | Real) or value not in places:
            # an altered variable that is believed in may be what respondents confided
            hint = "; where numbers are coded twice before they are swapped, beliefs are about what they were coded as"
            said = unknown_level(value, places, confided=True) + (hint if isinstance(value, Real) else "")
            raise IntruderError(f"SuppliedBeliefs, variable {name!r}: {said}")
        return places[value]


def parameters(value: Label | Distribution) -> tuple[int, float, float]:
    """Give the family and parameters of a number or a distribution."""
    if isinstance(value, Normal):
        return NORMAL, value.mean, value.sd
    if isinstance(value, Lognormal):
        return LOGNORMAL, value.mean, value.sd
    if isinstance(value, Uniform):
        return UNIFORM, value.low, value.high
    return POINT, float(value), 1.0
