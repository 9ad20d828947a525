"""Beliefs in numbers about variables that have levels: a swapped number, or one that was recoded and swapped.

A distribution gives each level the mass of the numbers it stands for: those that are recoded or rounded to it, or, where a
level is a number of its own, those nearer to it than to another level. What lies outside of all levels is left out, since
somebody in the file has the value: the masses are scaled to sum to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from confide.errors import IntruderError
from confide.intruder.beliefs.supplied import Atom, parameters
from confide.intruder.distribution import Distribution, Lognormal, Normal, Uniform
from confide.linking.compose import Composite
from confide.linking.marginal import log_class_mass
from confide.linking.pieces import CatPiece
from confide.release.channel import Discrete
from confide.typing import FloatArray, IntArray, Label


def numbers_of(composite: Composite) -> tuple[FloatArray, FloatArray] | None:
    """Give the first and the last number that each level of a swap stands for, NaN for none; None: they stand for none."""
    core = composite.core
    if not isinstance(core, Discrete) or len(composite.before) > 1:
        return None
    column = core.column()
    low, high = composite.before[0].preimage(column) if composite.before else (column.numbers, column.numbers)
    return None if bool(np.isnan(low).all()) else (low, high)


def shares(part: CatPiece, belief: Distribution) -> FloatArray:
    """Give the share of each level in a distribution of the number.

    Args:
        part: the variable, with the numbers its levels stand for.
        belief: the distribution.
    """
    if part.numbers is None:
        raise IntruderError(
            f"beliefs about {part.name!r}: its levels cannot be traced back to numbers, so that {type(belief).__name__} "
            "says nothing of them; give levels with their probabilities, as in Mixture([(0.2, level), (0.8, other)])"
        )
    low, high, known = nearest(*part.numbers)
    family, first, second = parameters(belief)
    mass = np.zeros(low.size)
    mass[known] = [np.exp(log_class_mass(family, first, second, low[k], high[k])) for k in known]
    if not mass.sum() > 0:
        raise IntruderError(f"beliefs about {part.name!r}: {belief} gives no level that it has any share; widen it")
    share: FloatArray = mass / mass.sum()
    return share


def nearest(low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Widen levels that are single numbers half-way to the next ones; give also which levels stand for numbers.

    >>> nearest(np.array([10.0, 20.0, np.nan, 40.0]), np.array([10.0, 20.0, np.nan, np.inf]))[:2]
    (array([-inf,  15.,  nan,  40.]), array([15., 40., nan, inf]))
    """
    known = np.flatnonzero(~np.isnan(low))
    order = known[np.lexsort((high[known], low[known]))]
    start, stop = low.copy(), high.copy()
    single = np.equal(low, high)
    for place, k in enumerate(order):
        if not single[k]:
            continue
        before, after = order[place - 1] if place else -1, order[place + 1] if place + 1 < order.size else -1
        start[k] = -np.inf if before < 0 else (high[before] + low[k]) / 2 if single[before] else high[before]
        stop[k] = np.inf if after < 0 else (low[after] + high[k]) / 2 if single[after] else low[after]
    return start, stop, known


def over_levels(units: Sequence[Sequence[Atom]], parts: Sequence[object]) -> Sequence[Sequence[Atom]]:
    """Spread what atoms say in numbers over the levels of variables that have levels.

    Args:
        units: the atoms, unit by unit.
        parts: the variables.
    """
    cats = [p for p in parts if isinstance(p, CatPiece)]
    if not any(_in_numbers(atom, p) for p in cats for unit in units for atom in unit):
        return units
    known: dict[tuple[str, Distribution], FloatArray] = {}
    return [[one for atom in unit for one in _spread(atom, cats, known)] for unit in units]


def _in_numbers(atom: Atom, part: CatPiece) -> bool:
    """Say whether an atom gives a distribution, or a number that is recoded, for a variable that has levels."""
    value = atom.values.get(part.name)
    if isinstance(value, Normal | Lognormal | Uniform):
        return True
    return isinstance(value, int | float) and part.numbers is not None and value not in part.levels


def _spread(
    atom: Atom, cats: Sequence[CatPiece], known: dict[tuple[str, Distribution], FloatArray]
) -> Iterator[Atom]:
    """Give an atom for each combination of levels."""
    part = next((p for p in cats if _in_numbers(atom, p)), None)
    if part is None:
        yield atom
        return
    value = atom.values[part.name]
    rest = [p for p in cats if p is not part]
    if isinstance(value, Normal | Lognormal | Uniform):
        if (part.name, value) not in known:
            known[part.name, value] = shares(part, value)
        share = known[part.name, value]
        found = [(float(share[k]), part.levels[k]) for k in np.flatnonzero(share > 0)]
    else:
        found = [(1.0, _level_with(part, value))]
    for weight, level in found:
        yield from _spread(replace(atom, weight=atom.weight * weight, values={**atom.values, part.name: level}), rest, known)


def _level_with(part: CatPiece, value: Label) -> Label:
    """Give the level that stands for a number; the number itself where none does."""
    assert part.numbers is not None
    low, high = part.numbers
    here = np.flatnonzero((low <= float(value)) & (float(value) <= high))
    return part.levels[int(here[0])] if here.size else value
