"""Reiter's posterior: every target is matched on its own, with replacement (2005, eq. 1).

Pr(J = j | t, Z) is proportional to Pr(J = j | t, Z^Ad) a_j u_j / m_j for a released record j, and
to Pr(J = r + 1 | t, Z^Ad) for the null link. A common factor cancels, so with n_t consistent
records, N_t people and a share s of simulated records the prior odds of record against null link
are (1 - s) : N_t - (1 - s) n_t (3.1).
"""

from __future__ import annotations

import numpy as np

from confide.linking.evidence import Evidence
from confide.linking.kernels import TIE, score_targets
from confide.linking.links import Links
from confide.linking.parallel import Progress, in_chunks, silent
from confide.linking.posterior.people import people
from confide.typing import FloatArray, IntArray


def independent(evidence: Evidence, *, progress: Progress = silent) -> Links:
    """Give the link probabilities of every target, each taken by itself."""
    scores, own = scored(evidence, progress=progress)
    return _links(evidence, scores[evidence.graph.target_profile], own)


def scored(evidence: Evidence, *, progress: Progress = silent) -> tuple[FloatArray, FloatArray]:
    """Score every target against the file.

    Gives, for each target profile, the best score, the log of the sum, the records at the best, the
    records and weight consistent, and the mean weight of records that show all as the evidence weighs
    them; for each target, the score of its own record and how many others are at least as probable.
    """
    graph = evidence.graph
    profiles = graph.target_first.size
    order = np.argsort(graph.target_profile, kind="stable")
    starts = np.searchsorted(graph.target_profile[order], np.arange(profiles + 1)).astype(np.int64)
    own = own_profiles(evidence)[order]
    out, member = np.empty((profiles, 6)), np.empty((order.size, 2))
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
        near = out[:, 3].copy()
        out[:, 3] = np.where(known, counts[graph.block_of_target], 0.0)
        out[:, 4] = np.where(known, sums[graph.block_of_target], 0.0)
        if evidence.alike is not None:
            # among those who agree in all else, some are like the target in what may be blank
            out[:, 3] = np.where(np.isnan(evidence.alike.number), near, evidence.alike.number)
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
    best, log_sum, at_best, n_t, weight, mean_weight = scores.T
    real = 1.0 - (evidence.released.simulated_share if evidence.intruder.understands_masking else 0.0)
    found = people(evidence, n_t, weight, mean_weight)
    big_n = found.number
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
        own=np.where(evidence.truth_known, np.minimum(p_own, 1.0), np.nan),
        own_is_best=~impossible & (own[:, 0] >= best - TIE),
        others_at_least=own[:, 1].astype(np.int64),
        null=null,
        sample_matches=np.rint(n_t).astype(np.int64),
        population_matches=big_n,
        log_total=np.where(impossible, 0.0, total),
        people_notes=found.notes,
    )
