"""What a model of the number of people says, and how an intruder asks for it.

F people of the population share a combination of values, f >= 1 of them are in the file. Reiter's prior (2005, section
3.1) is linear in 1/N_t: a consistent record has E(1/F | f), the null link 1 - f E(1/F | f). Mixing over F is the same as
the one number 1 / E(1/F | f), the harmonic number; E(F | f) in its place makes links too improbable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from confide.data.microdata import Microdata
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PopulationFrequency:
    """F, the number of people with a combination of values, given f records that have it."""

    mean: FloatArray
    """E(F | f)."""
    alone: FloatArray
    """Pr(F = f | f): nobody but the records has it."""
    inverse: FloatArray
    """E(1/F | f): the chance that a record is a given person's who has it."""

    @property
    def harmonic(self) -> FloatArray:
        """1 / E(1/F | f): the N_t that stands for all in the prior of link probabilities."""
        return np.asarray(1.0 / self.inverse)


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedCells:
    """What a model of the number of people is fitted to: the released file and who is alike in it."""

    file: Microdata
    """The released file; the keys are coded as the intruder compares them."""
    keys: tuple[str, ...]
    """The known variables that are not perturbed."""
    cell: IntArray
    """The combination of keys of each record, counted from 0; every one occurs."""

    @property
    def f(self) -> IntArray:
        """The number of records of each cell."""
        return np.bincount(self.cell).astype(np.int64)

    @property
    def first(self) -> IntArray:
        """One record of each cell."""
        return np.unique(self.cell, return_index=True)[1].astype(np.int64)

    def sums(self, weights: FloatArray) -> FloatArray:
        """Add up something over the records of each cell."""
        return np.bincount(self.cell, weights=weights).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class ModelledPeople:
    """What a model says of the number of people of each cell, and how far to trust it."""

    frequency: PopulationFrequency
    """F of each cell."""
    notes: tuple[str, ...]
    """The fit, its tests and errors, line by line."""


@runtime_checkable
class PopulationModel(Protocol):
    """A model of how many people are like a target: `Intruder(population=...)` takes any of them."""

    def people(self, cells: ReleasedCells) -> ModelledPeople:
        """Say how many people have each combination of keys; fit the model first, if it has to be.

        Raises:
            ModelError: the model cannot be fitted; there is then no number.
        """
        ...

    def describe(self) -> str:
        """Say in words where the number of people comes from."""
        ...
