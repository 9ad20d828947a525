"""What should make a reader careful about the number of people like a target: one place for prints, reports and records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from confide.intruder.beliefs.supplied import SuppliedBeliefs
from confide.intruder.population import FromWeights, KnownChance
from confide.linking.links import Links
from confide.risk.population.people.negative_binomial import NegativeBinomialPopulation
from confide.typing import BoolArray

if TYPE_CHECKING:
    from confide.assessment.assessment import Scenario

FEW = 2
"""The sum of so few weights errs by seven tenths of itself and more (1 / sqrt(n)), and not to both sides alike: a
combination that is seen once is likely to be rarer than its weight says."""

SHOWN = 3
"""So many scenarios are named."""


def weak_targets(scenario: Scenario) -> BoolArray:
    """Say for which targets the number, or the share, of people like them rests on one or two records."""
    intruder = scenario.intruder
    if intruder.target_in_file or not isinstance(
        intruder.population, FromWeights | NegativeBinomialPopulation | KnownChance | None
    ):
        return np.zeros(scenario.summary.n, dtype=np.bool_)
    return np.concatenate([_few(links) for links in scenario.links])


def _few(links: Links) -> BoolArray:
    """Say for which targets of a group it rests on one or two records and says more people than these."""
    population = links.evidence.intruder.population
    n_t, people = links.sample_matches, links.population_matches
    if isinstance(population, KnownChance):
        if population.chance == 1 or isinstance(links.evidence.intruder.beliefs, SuppliedBeliefs):
            return np.zeros(links.n, dtype=np.bool_)
        people = np.full(links.n, np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        # so many records carry the evidence: those that may be the target's, in units of the most probable one
        carry = np.minimum(n_t, np.where(links.best > 0, (1.0 - links.null) / links.best, np.inf))
    return np.asarray((n_t >= 1) & (carry <= FEW) & (people > n_t), dtype=np.bool_)


def few_by_weights(scenario: Scenario) -> int:
    """Count the targets for whom the number, or the share, of people like them rests on one or two records."""
    return int(weak_targets(scenario).sum())


def chance_note(targets: str, chance: float) -> str:
    """Say that with a known chance the share of people like some targets is a poor guess, and what to type instead."""
    return (
        f"how common the keys are is read from the very file that holds the record, and rests on one or two records for "
        f"{targets}. This understates the risk of sample uniques, several times where many combinations of keys are rare. "
        f"The same chance with a model of the population is population=LogLinearPopulation(fraction={chance:g}) (in a plan: "
        f'population = {{ model = "log-linear", fraction = {chance:g} }})'
    )


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
    few, population = few_by_weights(scenario), scenario.intruder.population
    targets = f"{few:,} of {scenario.summary.n:,} targets"
    note = chance_note(targets, population.chance) if isinstance(population, KnownChance) else weights_note(targets)
    return (*((note,) if few else ()), *fit_notes(scenario))


def notes_of_all(scenarios: Sequence[Scenario]) -> tuple[str, ...]:
    """Say it of all scenarios, by the names of release and intruder where there are several."""
    if len(scenarios) == 1:
        return tuple(f"{note}." for note in population_notes(scenarios[0]))
    names = {id(s): f"{s.released.name} / {s.intruder.title}" for s in scenarios}
    chance = [s for s in scenarios if isinstance(s.intruder.population, KnownChance)]
    few = sorted(((few_by_weights(s), s) for s in scenarios if s not in chance), key=lambda pair: -pair[0])
    listed = [f"{count:,} of {s.summary.n:,} targets ({names[id(s)]})" for count, s in few if count]
    more = f" and in {len(listed) - SHOWN} more scenarios" if len(listed) > SHOWN else ""
    warned = (weights_note(", ".join(listed[:SHOWN]) + more) + ".",) if listed else ()
    told = tuple(f"{names[id(s)]}: {note}." for s in chance for note in population_notes(s))
    return (*warned, *told, *(f"{names[id(s)]}: {note}." for s in scenarios if s not in chance for note in fit_notes(s)))
