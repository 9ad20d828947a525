"""N_t, the number of people who would look like each target (Reiter 2005, section 3.1).

A model gives the harmonic number 1 / E(1/N_t | n_t). The prior of eq. (1) is linear in 1/N_t, so that this is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.intruder.population import AtLeast, Constant, FromWeights, KnownChance, PopulationTable
from confide.intruder.population_model import PopulationModel, ReleasedCells
from confide.linking.evidence import Evidence
from confide.linking.pieces import BlockPiece, SamePiece
from confide.linking.population import one_class, table_counts
from confide.typing import FloatArray

OTHERS = "give population=Constant(...), AtLeast(...) or PopulationTable(...)"
NO_WEIGHTS = (
    "the intruder is unsure whether the target is in the file, so N_t is needed, but the released file has no "
    "survey weights; declare weight=..., take a model such as PitmanPopulation(population_size=...), or " + OTHERS
)


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """N_t of every target, and how far to trust it."""

    number: FloatArray
    """N_t; nan where a model was asked and no record is consistent, since it then says nothing."""
    notes: tuple[str, ...] = ()
    """What is said of a fitted model."""


def people(evidence: Evidence, n_t: FloatArray, weight: FloatArray, mean_weight: FloatArray | None = None) -> People:
    """Give N_t, the number of people who would look like each target, never below n_t (convention 8).

    Args:
        evidence: what is held against the targets.
        n_t: the number of records consistent with each target.
        weight: the sum of their survey weights.
        mean_weight: the mean weight of the records that may be the target's, as the evidence weighs them; None: not asked.
    """
    intruder = evidence.intruder
    if intruder.target_in_file:
        return People(n_t)
    population = intruder.population or FromWeights()
    if isinstance(population, KnownChance):
        return People(np.full(n_t.size, np.nan))
    if isinstance(population, FromWeights):
        if evidence.released.data.weights is None:
            raise IntruderError(NO_WEIGHTS)
        return People(np.maximum(weight if mean_weight is None else _by_weights(evidence, n_t, weight, mean_weight), n_t))
    if isinstance(population, Constant | AtLeast):
        return People(np.maximum(float(population.n), n_t))
    if isinstance(population, PopulationTable):
        return People(np.maximum(table_counts(evidence, population), n_t))
    return _modelled(evidence, population, n_t)


def _by_weights(evidence: Evidence, n_t: FloatArray, weight: FloatArray, mean_weight: FloatArray) -> FloatArray:
    """Give N_t by survey weights: their sum over consistent records (3.1).

    Where some of these hold blanks, not all of n_t can be told: then n_t over the sampling fraction of people like the
    target, by the mean weight of records that show all, as probable as they are the target's.
    """
    if evidence.alike is None:
        return weight
    source, released = evidence.released.source, evidence.released.data.weights
    scale = 1.0
    if source is not None and source.weights is not None and released is not None and source.weights.mean() > 0:
        scale = float(released.mean() / source.weights.mean())
    own = evidence.alike.weight[evidence.graph.target_profile] * scale
    mean = np.where(np.isnan(mean_weight), own, mean_weight)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(np.isnan(mean), weight / n_t, mean)
        return np.where(n_t > 0, n_t * mean, weight)


def _modelled(evidence: Evidence, model: PopulationModel, n_t: FloatArray) -> People:
    """Ask a model for the number of people in the block of each target."""
    _check(evidence)
    graph = evidence.graph
    keys = {p.name: p.record for p in evidence.pieces if isinstance(p, BlockPiece) and not one_class(p)}
    if not keys:
        raise IntruderError(
            "none of the known variables is released unperturbed, so that everybody is like the target; a model of the "
            "number of people has nothing to tell them apart. Give population=Constant(...), the number of people"
        )
    cells = ReleasedCells(
        evidence.released.data.with_columns(keys), tuple(keys), graph.block_of_record[graph.record_profile]
    )
    found = model.people(cells)
    block = graph.block_of_target[graph.target_profile]
    number = np.where(block >= 0, found.frequency.harmonic[block], np.nan)
    return People(np.maximum(number, n_t), found.notes)


def _check(evidence: Evidence) -> None:
    """Raise where the records consistent with a target are no count of a sample."""
    if any(isinstance(p, SamePiece) for p in evidence.pieces):
        raise IntruderError(
            "a model of the number of people counts those who agree on variables known exactly, and some of these hold "
            "blanks, or are not known of every target. Leave these variables out, choose targets of whom all is known, or "
            + OTHERS
        )
    if evidence.graph.has_tests:
        raise IntruderError(
            "a model of the number of people counts those who agree on variables known exactly; some that are not perturbed "
            "are known only partly. Know them exactly or not at all, or " + OTHERS
        )
    if evidence.released.simulated_share > 0 and evidence.intruder.understands_masking:
        raise IntruderError(
            "a model of the number of people is fitted to respondents' records, and some records of this release are "
            "simulated; " + OTHERS
        )
