"""Fit a log-linear model: closed forms where there are, iterative proportional fitting for the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import ModelError
from confide.risk.population.loglinear.nest import Nest, nest
from confide.risk.population.loglinear.structure import Structure, take_apart
from confide.risk.population.loglinear.table import Occupied
from confide.risk.population.loglinear.terms import Generator
from confide.typing import FloatArray

CYCLES = 1000
"""Rounds of proportional fitting before it is given up."""
TOO_LARGE = (
    "the interactions of {keys} have no closed form and are fitted by passes over all combinations of their levels, {size}; "
    "at most {most} are run over. Take fewer interactions with terms=Interactions(...), or recode keys to fewer levels"
)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A fitted log-linear model."""

    mean: FloatArray
    """The fitted count of each occupied cell."""
    generators: tuple[Generator, ...]
    """The sets of keys whose margins are fitted."""
    structure: Structure
    """What had a closed form."""
    factors: tuple[FloatArray, ...]
    """The factors of the sets of the core, in the order of `nest.sets`."""
    nest: Nest | None
    """How the core was run over; None without a core."""
    cycles: int
    """Rounds of iterative proportional fitting; 0 for a closed form."""
    off: float
    """The largest difference between a fitted and an observed margin, in counts."""


def fit(table: Occupied, generators: tuple[Generator, ...], tolerance: float) -> Fit:
    """Fit the model.

    Args:
        table: the cells and their counts.
        generators: the sets of keys whose margins the model keeps.
        tolerance: the largest difference to leave between a fitted and an observed margin, in counts.

    Raises:
        IntruderError: iteration would run over too many combinations.
        ModelError: it did not end.
    """
    structure = take_apart(generators)
    mean = np.ones(table.counts.size)
    for i, (ear, shared) in enumerate(structure.ears):
        mean *= table.margin(ear)
        if shared or structure.core or i < len(structure.ears) - 1:
            mean /= table.margin(shared)
    if not structure.core:
        return Fit(mean, generators, structure, (), None, 0, 0.0)
    arranged = nest(table, structure.core_keys, structure.core, TOO_LARGE)
    factors, cycles, off = _proportional(table, arranged, tolerance)
    parts = tuple(factors[arranged.part(i)] for i in range(len(arranged.sets)))
    for g, part in zip(arranged.sets, parts, strict=True):
        mean *= part[table.packed(g)]
    return Fit(mean, generators, structure, parts, arranged, cycles, off)


def _proportional(table: Occupied, arranged: Nest, tolerance: float) -> tuple[FloatArray, int, float]:
    """Scale the factors of one set after the other until all margins are met."""
    observed = [table.dense(g) for g in arranged.sets]
    factors = np.concatenate([(margin > 0).astype(np.float64) for margin in observed])
    off = np.inf
    for cycle in range(1, CYCLES + 1):
        off = 0.0
        for i, margin in enumerate(observed):
            found = arranged.margin(i, factors)
            if cycle > 1 or i:
                off = max(off, float(np.abs(found - margin).max()))
            factors[arranged.part(i)] *= np.divide(margin, found, out=np.zeros_like(found), where=found > 0)
        if off <= tolerance and (cycle > 1 or len(observed) == 1):
            return factors, cycle, off
    raise ModelError(
        f"iterative proportional fitting of {len(observed)} interactions did not end in {CYCLES:,} rounds: a margin is "
        f"still {off:.3g} off, and {tolerance:.3g} was asked for. Give a larger tolerance, or fewer interactions"
    )


def dense_factors(table: Occupied, fitted: Fit) -> tuple[tuple[Generator, ...], list[FloatArray]]:
    """Give factors for all combinations of levels of every set, in the order of its keys: ears first, then the core."""
    sets: list[Generator] = []
    found: list[FloatArray] = []
    for i, (ear, shared) in enumerate(fitted.structure.ears):
        rest = tuple(key for key in ear if key not in shared)
        factor = table.dense((*shared, *rest)).reshape(table.possible(shared), -1)
        if shared or fitted.structure.core or i < len(fitted.structure.ears) - 1:
            below = table.dense(shared)[:, None] if shared else np.full((1, 1), table.total)
            factor = np.divide(factor, below, out=np.zeros_like(factor), where=below > 0)
        sets.append((*shared, *rest))
        found.append(factor.ravel())
    if fitted.nest is not None:
        sets.extend(fitted.nest.sets)
        found.extend(fitted.factors)
    return tuple(sets), found


def rearranged(table: Occupied, keys: Generator, wanted: Generator, factor: FloatArray) -> FloatArray:
    """Put a factor into another order of its keys."""
    shape = [table.levels[key] for key in keys]
    return np.ascontiguousarray(factor.reshape(shape).transpose([keys.index(key) for key in wanted])).ravel()
