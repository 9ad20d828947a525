"""F given f when F is Poisson and its mean is gamma distributed over combinations (Bethlehem, Keller and Pannekoek 1990)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.intruder.population_model import ModelledPeople, PopulationFrequency, ReleasedCells
from confide.risk.population.people.checks import counts, number
from confide.risk.population.people.inverses import negative_binomial_inverses


def gamma_poisson_frequency(f: Any, shape: Any, rate: Any, fraction: Any) -> PopulationFrequency:
    """Say what f records tell of F ~ Poisson(lambda), lambda ~ Gamma(shape, rate).

    F - f is negative binomial: the failures before shape + f successes of probability p = (rate + fraction) / (rate + 1).

    Args:
        f: the numbers of records, 1 or more.
        shape: of the gamma distribution of means over combinations.
        rate: of the same; shape / rate is the mean number of people.
        fraction: the share of people in the sample.

    >>> found = gamma_poisson_frequency(2, 1.86, 0.047, 0.1)
    >>> found.mean.round(3).tolist(), found.inverse.round(5).tolist()
    ([25.633], [0.05222])
    """
    f, a = counts(f), number("shape", shape, 0, np.inf, closed=(False, False))
    b = number("rate", rate, 0, np.inf, closed=(False, False))
    pi = number("fraction", fraction, 0, 1, closed=(False, True))
    p, q = (b + pi) / (b + 1), (1 - pi) / (b + 1)
    f, a, p, q = np.broadcast_arrays(f, a, p, q)
    size = a + f
    inverse = negative_binomial_inverses(f, size, p, q)
    return PopulationFrequency(f + size * q / p, np.exp(size * np.log1p(-q)), inverse)


@dataclass(frozen=True, slots=True)
class GammaPoissonPopulation:
    """The number of people like a target is Poisson, its mean gamma distributed over combinations with given parameters."""

    shape: float
    """The shape of the gamma distribution."""
    rate: float
    """Its rate: shape / rate people have a combination on average."""
    fraction: float
    """The share of people who are in the released file."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        gamma_poisson_frequency(1, self.shape, self.rate, self.fraction)

    def people(self, cells: ReleasedCells) -> ModelledPeople:
        """Say how many people have each combination of keys."""
        return ModelledPeople(gamma_poisson_frequency(cells.f, self.shape, self.rate, self.fraction), ())

    def describe(self) -> str:
        """Say it in words."""
        return (
            f"Poisson with gamma distributed means (shape {self.shape:g}, rate {self.rate:g}), {self.fraction:g} of all "
            "people being in the file (all given, not fitted)"
        )
