"""F given f when F is Poisson and each person is drawn with the same chance (Skinner and Holmes 1998)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import ModelError
from confide.intruder.population_model import ModelledPeople, PopulationFrequency, ReleasedCells
from confide.risk.population.people.checks import counts, number
from confide.risk.population.people.inverses import poisson_inverses


def poisson_frequency(f: Any, people: Any, fraction: Any) -> PopulationFrequency:
    """Say what f records tell of F ~ Poisson(people): F - f is Poisson with mean h = people (1 - fraction).

    Args:
        f: the numbers of records, 1 or more.
        people: the mean of the POPULATION; a log-linear model fits means of the sample, which are `fraction` of it.
        fraction: the share of people in the sample.

    >>> found = poisson_frequency(1, 4.6, 0.08)
    >>> found.mean.round(3).tolist(), found.alone.round(4).tolist(), found.inverse.round(4).tolist()
    ([5.232], [0.0145], [0.2329])
    """
    f, mean = counts(f), number("people", people, 0, np.inf, closed=(True, False))
    pi = number("fraction", fraction, 0, 1, closed=(False, True))
    if not bool((mean > 0).all()):
        raise ModelError("a combination that occurs in the file cannot have a population mean of 0; give a mean above 0")
    h = mean * (1 - pi)
    f, h = np.broadcast_arrays(f, h)
    return PopulationFrequency(f + h, np.exp(-h), poisson_inverses(f, h))


@dataclass(frozen=True, slots=True)
class PoissonPopulation:
    """The number of people like a target is Poisson with a given mean, the same for every target.

    It becomes at least the number of consistent records, as these are people.
    """

    mean: float
    """The mean number of people with a combination of the keys, in the population."""
    fraction: float
    """The share of people who are in the released file."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        poisson_frequency(1, self.mean, self.fraction)

    def people(self, cells: ReleasedCells) -> ModelledPeople:
        """Say how many people have each combination of keys."""
        return ModelledPeople(poisson_frequency(cells.f, self.mean, self.fraction), ())

    def describe(self) -> str:
        """Say it in words."""
        return f"Poisson with mean {self.mean:g}, {self.fraction:g} of all people being in the file (both given, not fitted)"
