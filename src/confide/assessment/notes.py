"""What should make a reader careful about the number of people like a target: one place for prints, reports and records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from confide.intruder.population import FromWeights
from confide.risk.population.people.negative_binomial import NegativeBinomialPopulation

if TYPE_CHECKING:
    from confide.assessment.assessment import Scenario

FEW = 2
"""The sum of so few weights errs by seven tenths of itself and more (1 / sqrt(n)), and not to both sides alike: a
combination that is seen once is likely to be rarer than its weight says."""

SHOWN = 3
"""So many scenarios are named."""


def few_by_weights(scenario: Scenario) -> int:
    """Count the targets whose N_t rests on the weights of one or two records and is larger than their number."""
    intruder = scenario.intruder
    if intruder.target_in_file or not isinstance(intruder.population, FromWeights | NegativeBinomialPopulation | None):
        return 0
    found = 0
    for links in scenario.links:
        n_t, people = links.sample_matches, links.population_matches
        with np.errstate(divide="ignore", invalid="ignore"):
            # so many records carry the evidence: those that may be the target's, in units of the most probable one
            carry = np.minimum(n_t, np.where(links.best > 0, (1.0 - links.null) / links.best, np.inf))
        found += int(np.sum((n_t >= 1) & (carry <= FEW) & (people > n_t)))
    return found


def weights_note(targets: str) -> str:
    """Say that N_t of some targets is a poor guess, and what to type instead."""
    return (
        f"N_t rests on the survey weights of one or two records for {targets}. This understates the risk of sample uniques, "
        "several times where many combinations of keys are rare. Take population=LogLinearPopulation() or "
        'PitmanPopulation() (in a plan: population = "log-linear" or "pitman"), or target_in_file=True'
    )


def fit_notes(scenario: Scenario) -> tuple[str, ...]:
    """Say what a model of N_t says of its fit."""
    return tuple(dict.fromkeys(note for links in scenario.links for note in links.people_notes))


def population_notes(scenario: Scenario) -> tuple[str, ...]:
    """Say where N_t of one scenario is a poor guess, and what its model says of its fit."""
    few = few_by_weights(scenario)
    warned = (weights_note(f"{few:,} of {scenario.summary.n:,} targets"),) if few else ()
    return (*warned, *fit_notes(scenario))


def notes_of_all(scenarios: Sequence[Scenario]) -> tuple[str, ...]:
    """Say it of all scenarios, by the names of release and intruder where there are several."""
    if len(scenarios) == 1:
        return tuple(f"{note}." for note in population_notes(scenarios[0]))
    names = {id(s): f"{s.released.name} / {s.intruder.title}" for s in scenarios}
    few = sorted(((few_by_weights(s), s) for s in scenarios), key=lambda pair: -pair[0])
    listed = [f"{count:,} of {s.summary.n:,} targets ({names[id(s)]})" for count, s in few if count]
    more = f" and in {len(listed) - SHOWN} more scenarios" if len(listed) > SHOWN else ""
    warned = (weights_note(", ".join(listed[:SHOWN]) + more) + ".",) if listed else ()
    return (*warned, *(f"{names[id(s)]}: {note}." for s in scenarios for note in fit_notes(s)))
