"""F given f from a Poisson log-linear model of the keys (Skinner and Shlomo 2008)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.intruder.population_model import ModelledPeople, ReleasedCells
from confide.risk.population.loglinear.counts import SAMPLE_COUNTS, Counts, WeightedCounts
from confide.risk.population.loglinear.error_test import ErrorTest
from confide.risk.population.loglinear.risk import LogLinearRisk, loglinear_risk
from confide.risk.population.loglinear.terms import ForwardSelection, Terms
from confide.risk.population.people.checks import number
from confide.risk.population.people.poisson import poisson_frequency

FORWARD = ForwardSelection()
NOTABLE = 2.0
"""Test statistics beyond this say that the model does not fit."""


@dataclass(frozen=True, slots=True)
class LogLinearPopulation:
    """The number of people like a target is Poisson, its mean by a log-linear model of the keys fitted to the released file.

    The fit gives means of the sample; those of the population are these over the sampling fraction.
    """

    terms: Terms = FORWARD
    """`ForwardSelection()`, `MainEffects()`, which overstates risk, `AllTwoWay()`, which may understate it, or
    `Interactions(...)`."""
    fraction: float | None = None
    """The share of people who are in the released file; when None, a combination's records over their survey weights."""
    counts: Counts = SAMPLE_COUNTS
    """Fit to `SampleCounts()`, or to `WeightedCounts()` where inclusion probabilities differ."""
    test: bool = True
    """Whether to test the fit; it adds up over all combinations of levels."""

    def __post_init__(self) -> None:
        """Check the fraction."""
        if self.fraction is not None:
            number("LogLinearPopulation: fraction", self.fraction, 0, 1, closed=(False, True))
            if isinstance(self.counts, WeightedCounts):
                raise IntruderError("WeightedCounts() takes the sampling fractions from survey weights; leave fraction out")

    def people(self, cells: ReleasedCells) -> ModelledPeople:
        """Say how many people have each combination of keys."""
        found = loglinear_risk(
            cells.file, cells.keys, self.terms, fraction=self.fraction, counts=self.counts, test=self.test
        )
        mean, pi = found.mean[cells.first], found.fraction[cells.first]
        return ModelledPeople(poisson_frequency(cells.f, mean / pi, pi), (_fit(found), _judged(found.test)))

    def describe(self) -> str:
        """Say it in words."""
        drawn = "" if self.fraction is None else f", {self.fraction:g} of all people being in the file"
        return f"by a Poisson log-linear model, {self.terms.describe()}, {self.counts.describe()}{drawn}"


def _fit(found: LogLinearRisk) -> str:
    """Say what was fitted."""
    pairs = [" x ".join(g) for g in found.terms if len(g) > 1]
    shown = ", ".join(pairs[:6]) + (f" and {len(pairs) - 6} more" if len(pairs) > 6 else "")
    drawn = float(np.sum(found.fraction > 0) / np.sum(1 / found.fraction))
    return (
        f"log-linear model: {shown or 'main effects'}; {found.cells:,} of {found.possible:,} combinations occur, sampling "
        f"fraction {drawn:.3g}; the fitted means are taken as known"
    )


def _judged(test: ErrorTest | None) -> str:
    """Say what the test of the fit says of the risk."""
    if test is None:
        return "the fit of the log-linear model was not tested"
    both = f"test of its fit, B/sqrt(v): {test.z1:.2f} and {test.z2:.2f}"
    if test.worst > NOTABLE:
        return f"{both}; it underfits, and the probabilities are overstated"
    if min(test.z1, test.z2) < -NOTABLE:
        return f"{both}; it may overfit, and the probabilities may then be too low. Take fewer interactions"
    return f"{both}; no misfit shows"
