"""F given f by Pitman's sampling formula: F - f is beta-binomial (Pitman 1995; Hoshino 2001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import IntruderError, ModelError
from confide.intruder.population_model import ModelledPeople, PopulationFrequency, ReleasedCells
from confide.risk.population.ewens_pitman import log_ratio
from confide.risk.population.fit import PopulationFit
from confide.risk.population.people.beta_binomial import beta_binomial_inverses
from confide.risk.population.people.checks import counts, number
from confide.risk.population.pitman import Pitman
from confide.risk.population.sizes import Sizes
from confide.risk.population.sizes import people as people_of


def pitman_frequency(f: Any, theta: float, alpha: float, n: int, population_size: float) -> PopulationFrequency:
    """Say what f of n records tell of F: F - f is beta-binomial(N - n; f - alpha, theta + n - f + alpha).

    Args:
        f: the numbers of records, 1 or more.
        theta: above -alpha.
        alpha: from 0 to below 1; 0 is Ewens's formula.
        n: the number of records of the sample.
        population_size: N, the number of people, to the nearest person.

    >>> found = pitman_frequency(1, 39.1, 0.17, 40, 600)
    >>> found.mean.round(3).tolist(), found.alone.round(4).tolist(), found.inverse.round(4).tolist()
    ([6.876], [0.1751], [0.3527])
    """
    f = counts(f)
    _check(f, theta, alpha, n, population_size)
    more, total = float(round(population_size) - n), theta + n
    a = f - alpha
    alone = [np.exp(log_ratio(total + more, -x) - log_ratio(total, -x)) for x in a] if more else np.ones(f.size)
    mean = f + more * a / total if more else f
    return PopulationFrequency(mean, np.asarray(alone), beta_binomial_inverses(f, alpha, total, more))


def _check(f: Any, theta: float, alpha: float, n: int, population_size: float) -> None:
    """Raise where the parameters make no distribution."""
    number("alpha", alpha, 0, 1, closed=(True, False))
    number("theta", theta, -alpha, np.inf, closed=(False, False))
    if not (np.isfinite(population_size) and 1 <= n <= round(population_size)):
        raise IntruderError(f"n = {n:,} records of {population_size:,.6g} people; a population holds its sample")
    if f.max() > n:
        raise IntruderError(f"f is {f.max():,.0f}, but the sample has n = {n:,} records")


def _fitted(sizes: Sizes) -> PopulationFit:
    """Fit the parameters; where that fails, say what an intruder's population can be instead."""
    try:
        return Pitman().fit(sizes)
    except ModelError as error:
        why = str(error).removeprefix("Pitman() ").partition(". ")[0]
        raise ModelError(
            f"PitmanPopulation() {why}. Take LogLinearPopulation() (in a plan: population = 'log-linear'), a table of the "
            "population, or give theta and alpha (alpha = 0 is Ewens's formula)"
        ) from None


@dataclass(frozen=True, slots=True)
class PitmanPopulation:
    """The number of people like a target by Pitman's sampling formula, fitted to the sizes of combinations or given.

    All targets with as many consistent records have the same number. The sample is taken as drawn at random.
    """

    theta: float | None = None
    """The parameter, with alpha; both by maximum likelihood when None."""
    alpha: float | None = None
    """From 0 to below 1; many combinations are rare where it is large."""
    population_size: float | None = None
    """The number of people; the sum of survey weights when None."""

    def __post_init__(self) -> None:
        """Check the numbers."""
        if (self.theta is None) != (self.alpha is None):
            raise IntruderError("PitmanPopulation: give both theta and alpha, or neither to have them fitted")
        if self.theta is not None and self.alpha is not None:
            _check(np.ones(1), self.theta, self.alpha, 1, 1.0)
        if self.population_size is not None:
            number("PitmanPopulation: population_size", self.population_size, 1, np.inf, closed=(True, False))

    def people(self, cells: ReleasedCells) -> ModelledPeople:
        """Say how many people have each combination of keys."""
        size = people_of(cells.file, self.population_size)
        sizes = Sizes.count(cells.f, size)
        if self.theta is not None and self.alpha is not None:
            return ModelledPeople(pitman_frequency(cells.f, self.theta, self.alpha, sizes.n, size), ())
        fitted = _fitted(sizes)
        theta, alpha = fitted.parameters["theta"], fitted.parameters["alpha"]
        note = (
            f"Pitman's model: theta {theta:.5g}, alpha {alpha:.4g}; it expects {fitted.sample_uniques:,.1f} sample uniques, "
            f"the file has {sizes.of(1):,}; {fitted.uniques:,.0f} of {size:,.0f} people unique, standard error "
            f"{fitted.standard_error:,.3g}. The parameters are taken as known"
        )
        return ModelledPeople(pitman_frequency(cells.f, theta, alpha, sizes.n, size), (note,))

    def describe(self) -> str:
        """Say it in words."""
        if self.theta is None:
            return "by Pitman's model, fitted to the released file"
        return f"by Pitman's model with theta {self.theta:g} and alpha {self.alpha:g} (given, not fitted)"
