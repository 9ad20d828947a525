"""Make the source of the number of people of its table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from confide.data.microdata import Microdata
from confide.intruder.population import AtLeast, Constant, FromWeights, KnownChance, Population, PopulationTable
from confide.plan.build_data import read_beside
from confide.plan.schema import DataTable
from confide.plan.schema_population import NumbersTable
from confide.risk.population.loglinear.terms import AllTwoWay, ForwardSelection, Interactions, MainEffects, Terms
from confide.risk.population.people.gamma_poisson import GammaPoissonPopulation
from confide.risk.population.people.loglinear import LogLinearPopulation
from confide.risk.population.people.negative_binomial import NegativeBinomialPopulation
from confide.risk.population.people.pitman import PitmanPopulation
from confide.risk.population.people.poisson import PoissonPopulation

TERMS: dict[str | None, Terms] = {
    None: ForwardSelection(),
    **{c.__name__: c() for c in (MainEffects, AllTwoWay, ForwardSelection)},
}
"""The terms of a log-linear model by their names."""


def build_population(table: NumbersTable, data: DataTable, source: Microdata | None, folder: Path) -> Population:
    """Make the source of N_t; a table of the population is read with the kinds of the source file."""
    if table.model is not None:
        return _model(table)
    if table.constant is not None:
        return Constant(table.constant)
    if table.at_least is not None:
        return AtLeast(table.at_least)
    if table.chance is not None:
        return KnownChance(table.chance)
    if table.table is None:
        return FromWeights()
    records = read_beside(data, table.table, folder)
    if table.count in records.names:
        records = records.declare(kinds={table.count: "continuous"})
    variables = {} if source is None else source.variables
    kinds: dict[str, Any] = {n: v.kind for n, v in variables.items() if n in records.names and n != table.count}
    return PopulationTable(records.declare(kinds=kinds), table.count)


def _model(table: NumbersTable) -> Population:
    """Make a model of the number of people; the table holds what it needs."""
    if table.model == "log-linear":
        terms = TERMS[table.terms] if table.interactions is None else Interactions(*table.interactions)
        return LogLinearPopulation(terms, table.fraction)
    if table.model == "pitman":
        return PitmanPopulation(table.theta, table.alpha, table.population_size)
    if table.model == "poisson":
        return PoissonPopulation(table.mean or 0.0, table.fraction or 0.0)
    if table.model == "gamma-poisson":
        return GammaPoissonPopulation(table.shape or 0.0, table.rate or 0.0, table.fraction or 0.0)
    return NegativeBinomialPopulation()


def needs_weights(population: Population | None) -> bool:
    """Say whether a source of N_t reads survey weights."""
    if isinstance(population, LogLinearPopulation):
        return population.fraction is None
    if isinstance(population, PitmanPopulation):
        return population.population_size is None
    return isinstance(population, FromWeights | NegativeBinomialPopulation)
