"""Reiter's posterior: every target is matched on its own, with replacement (2005, eq. 1).

Pr(J = j | t, Z) is proportional to Pr(J = j | t, Z^Ad) a_j u_j / m_j for a released record j, and
to Pr(J = r + 1 | t, Z^Ad) for the null link. A common factor cancels, so with n_t consistent
records, N_t people and a share s of simulated records the prior odds of record against null link
are (1 - s) : N_t - (1 - s) n_t (3.1).
"""

from __future__ import annotations

import numpy as np

from confide.errors import IntruderError
from confide.intruder.population import AtLeast, Constant, FromWeights, KnownChance, PopulationTable
from confide.linking.evidence import Evidence
from confide.linking.kernels import TIE, score_targets
from confide.linking.links import Links
from confide.linking.parallel import Progress, in_chunks, silent
from confide.linking.population import table_counts
from confide.typing import FloatArray, IntArray


def independent(evidence: Evidence, *, progress: Progress = silent) -> Links:
    """Give the link probabilities of every target, each taken by itself."""
    scores, own = scored(evidence, progress=progress)
    return _links(evidence, scores[evidence.graph.target_profile], own)


def scored(evidence: Evidence, *, progress: Progress = silent) -> tuple[FloatArray, FloatArray]:
    """Score every target against the file.

    Gives, for each target profile, the best score, the log of the sum, the records at the best and
    the records and weight consistent; for each target, the score of its own record and how many
    others are at least as probable.
    """
    graph = evidence.graph
    profiles = graph.target_first.size
    order = np.argsort(graph.target_profile, kind="stable")
    starts = np.searchsorted(graph.target_profile[order], np.arange(profiles + 1)).astype(np.int64)
    own = own_profiles(evidence)[order]
    out, member = np.empty((profiles, 5)), np.empty((order.size, 2))
    records = graph.records(evidence.base)

    def work(first: int, last: int) -> None:
        score_targets(
            first,
            last,
            graph.block_of_target,
            graph.block_start,
            graph.primary,
            records,
            graph.cats,
            graph.nums,
            evidence.tables,
            graph.tests,
            starts,
            own,
            out,
            member,
        )

    in_chunks(work, profiles, max(64, profiles // 64), progress)
    if not graph.has_tests:
        counts, sums = graph.block_totals()
        known = graph.block_of_target >= 0
        out[:, 3] = np.where(known, counts[graph.block_of_target], 0.0)
        out[:, 4] = np.where(known, sums[graph.block_of_target], 0.0)
    unsorted = np.empty_like(member)
    unsorted[order] = member
    return out, unsorted


def own_profiles(evidence: Evidence) -> IntArray:
    """Give the record profile of each target's own record; -1 when it has none."""
    record = evidence.own_records
    profile = evidence.graph.record_profile
    return np.where(record >= 0, profile[np.maximum(record, 0)], -1).astype(np.int64)


def _links(evidence: Evidence, scores: FloatArray, own: FloatArray) -> Links:
    """Turn scores into probabilities."""
    best, log_sum, at_best, n_t, weight = scores.T
    real = 1.0 - (evidence.released.simulated_share if evidence.intruder.understands_masking else 0.0)
    big_n = people(evidence, n_t, weight)
    with np.errstate(divide="ignore", invalid="ignore"):
        if evidence.intruder.target_in_file:
            total = log_sum
            null = np.where(np.isneginf(log_sum), 1.0, 0.0)
        else:
            given = evidence.outside
            outside = np.log(np.maximum(big_n - real * n_t, 0.0) if given is None else given[evidence.graph.target_profile])
            total = np.logaddexp(np.log(real) + log_sum, outside)
            total = np.where(np.isneginf(total), 0.0, total)
            null = np.exp(outside - total)
            null = np.where(np.isneginf(log_sum), 1.0, null)
            total = total - np.log(real)
        impossible = np.isneginf(log_sum)
        p_best = np.where(impossible, 0.0, np.exp(best - total))
        p_own = np.where(impossible | np.isneginf(own[:, 0]), 0.0, np.exp(own[:, 0] - total))
    return Links(
        evidence=evidence,
        best=np.minimum(p_best, 1.0),
        at_best=at_best.astype(np.int64),
        own=np.minimum(p_own, 1.0),
        own_is_best=~impossible & (own[:, 0] >= best - TIE),
        others_at_least=own[:, 1].astype(np.int64),
        null=null,
        sample_matches=n_t.astype(np.int64),
        population_matches=big_n,
        log_total=np.where(impossible, 0.0, total),
    )


def people(evidence: Evidence, n_t: FloatArray, weight: FloatArray) -> FloatArray:
    """Give N_t, the number of people who would look like each target, never below n_t (convention 8)."""
    intruder = evidence.intruder
    if intruder.target_in_file:
        return n_t
    population = intruder.population or FromWeights()
    if isinstance(population, KnownChance):
        return np.full(n_t.size, np.nan)
    if isinstance(population, FromWeights):
        if evidence.released.data.weights is None:
            raise IntruderError(
                "the intruder is unsure whether the target is in the file, so N_t is needed, but the released file has no "
                "survey weights; declare weight=..., or give population=Constant(...), AtLeast(...) or PopulationTable(...)"
            )
        return np.asarray(np.maximum(weight, n_t), dtype=np.float64)
    if isinstance(population, Constant | AtLeast):
        return np.asarray(np.maximum(float(population.n), n_t), dtype=np.float64)
    assert isinstance(population, PopulationTable)
    return np.asarray(np.maximum(table_counts(evidence, population), n_t), dtype=np.float64)
