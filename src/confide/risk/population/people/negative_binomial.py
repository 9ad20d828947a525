"""F given f, negative binomial, from survey weights (Benedetti and Franconi 1998)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import IntruderError
from confide.intruder.population_model import ModelledPeople, PopulationFrequency, ReleasedCells
from confide.risk.frequency.inverse_kernel import expected_inverses
from confide.risk.frequency.keys import survey_weights
from confide.risk.population.people.checks import counts, number


def negative_binomial_frequency(f: Any, p: Any) -> PopulationFrequency:
    """Say what f records tell of F when F - f counts the failures before f successes of probability p.

    Args:
        f: the numbers of records, 1 or more.
        p: the chance of a person to be drawn: f over the sum of the weights of the combination; 1 says that F = f.

    >>> found = negative_binomial_frequency(2, 0.024)
    >>> found.mean.round(3).tolist(), found.inverse.round(5).tolist()
    ([83.333], [0.02233])
    """
    f, p = np.broadcast_arrays(counts(f), number("p", p, 0, 1, closed=(False, True)))
    inverse = expected_inverses(f.astype(np.int64), np.ascontiguousarray(p))
    return PopulationFrequency(f / p, p**f, inverse)


NOTE = "the negative binomial takes sums of weights as its known means; of sample uniques it may state half of what is true"


@dataclass(frozen=True, slots=True)
class NegativeBinomialPopulation:
    """The number of people like a target is negative binomial, its mean the sum of survey weights.

    Weights of one or two records say little of the people who share their keys. Where many combinations are rare the
    model still understates the risk of sample uniques several times, less than the weights themselves do;
    `LogLinearPopulation()` and `PitmanPopulation()` read the whole file.
    """

    def people(self, cells: ReleasedCells) -> ModelledPeople:
        """Say how many people have each combination of keys."""
        if cells.file.weights is None:
            raise IntruderError(
                "NegativeBinomialPopulation() takes the sampling fractions from survey weights, and the released file has "
                "none; declare weight=..., or take PitmanPopulation(population_size=...) or LogLinearPopulation(fraction=.1)"
            )
        f = cells.f
        p = f / np.maximum(cells.sums(survey_weights(cells.file)), f)
        return ModelledPeople(negative_binomial_frequency(f, p), (NOTE,))

    def describe(self) -> str:
        """Say it in words."""
        return "negative binomial given the survey weights of consistent records"
