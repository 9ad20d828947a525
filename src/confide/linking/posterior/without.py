"""Matching without replacement: all released records compete for all targets (Duncan and Lambert 1987, eq. 4.1).

The densities are the likelihoods of a declared release: the score a u / m of Reiter (2005) for every pair
of record and target; 1 / m is the record's own and cancels. A list that covers the file leaves no
strangers; otherwise see `strangers`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from confide.errors import IntruderError, LikelihoodError
from confide.intruder.matching import WithoutReplacement
from confide.intruder.population import FromWeights
from confide.intruder.population_model import PopulationModel
from confide.linking.evidence import Evidence
from confide.linking.kernels import CUT, TIE
from confide.linking.links import Links
from confide.linking.matched import Matched
from confide.linking.parallel import Progress, phase_of, silent
from confide.linking.posterior.competition import Competition, compete
from confide.linking.posterior.expand import read_off
from confide.linking.posterior.independent import own_profiles, scored
from confide.linking.posterior.lowered import Lowered, lowered
from confide.linking.posterior.people import People, people
from confide.linking.posterior.strangers import Blocks, blocks_of
from confide.linking.table import ScoreTable, score_table
from confide.typing import FloatArray, IntArray

IMPOSSIBLE = (
    "without replacement the released records cannot all be matched: {}. Every record of a respondent must belong to one "
    "of the targets, under what the intruder knows and understands; set target_in_file=False if the targets may not "
    "cover the file, or use matching=WithReplacement()"
)


def without_replacement(evidence: Evidence, matching: WithoutReplacement, *, progress: Progress = silent) -> Links:
    """Give the link probabilities when all records compete for all targets."""
    _check(evidence)
    graph = evidence.graph
    scores, _ = scored(evidence, progress=phase_of(progress, 0, 4))
    by_target = scores[graph.target_profile]
    found_people = _shared(evidence, people(evidence, by_target[:, 3], by_target[:, 4]))
    blocks = _blocks(evidence, found_people.number)
    for cut in (CUT, np.inf):
        table = score_table(evidence, scores[:, 0], cut=cut, progress=phase_of(progress, 1, 4))
        problem = _competition(evidence, table, blocks)
        try:
            found = compete(problem, matching, progress=_second_half(progress))
            break
        except LikelihoodError as error:
            if cut == np.inf:
                raise LikelihoodError(IMPOSSIBLE.format("some records have too few possible targets")) from error
    return _links(evidence, table, problem, found, by_target[:, 3], found_people)


def _second_half(progress: Progress) -> Progress:
    """Report the solver as the second half of the work, never going back."""
    last = [0.0]

    def report(done: int, total: int) -> None:
        last[0] = max(last[0], min(done / max(total, 1), 1.0))
        progress(int(1000 * (1 + last[0])), 2000)

    return report


def _check(evidence: Evidence) -> None:
    """Raise where the targets cannot be matched without replacement."""
    released, intruder = evidence.released, evidence.intruder
    rows = evidence.target_rows[evidence.target_rows >= 0]
    if np.unique(rows).size < rows.size:
        raise IntruderError("matching without replacement needs different targets; some respondents are named twice")
    if intruder.target_in_file:
        real = released.data.n - round(_simulated(evidence) * released.data.n)
        if evidence.targets.n < real:
            raise IntruderError(
                f"{evidence.targets.n} targets for {real} records of respondents: with target_in_file=True and without "
                "replacement every one of these records belongs to a target; use Targets.all(), or target_in_file=False"
            )
    elif evidence.graph.has_tests:
        raise IntruderError(
            "without replacement, an intruder who is unsure whether the targets are in the file must know variables that "
            "are not perturbed exactly, or not at all; use target_in_file=True, or matching=WithReplacement()"
        )


def _simulated(evidence: Evidence) -> float:
    """Give the share of simulated records as the intruder knows it."""
    share = evidence.released.simulated_share if evidence.intruder.understands_masking else 0.0
    if share == 1.0:
        raise IntruderError("no released record belongs to anybody; there is nothing to match")
    return share


def _all_released(evidence: Evidence) -> bool:
    """Say whether every target is known to have a record: as many targets as records of respondents."""
    n = evidence.released.data.n
    return evidence.intruder.target_in_file and evidence.targets.n == n - round(_simulated(evidence) * n)


def _counts(evidence: Evidence) -> tuple[IntArray, IntArray, IntArray]:
    """Count the records and the targets of every block, and give each target its block; -1: none."""
    graph = evidence.graph
    size = graph.block_start.size - 1
    block = graph.block_of_target[graph.target_profile]
    n = np.bincount(graph.block_of_record, weights=graph.count, minlength=size).astype(np.int64)
    return n, np.bincount(block[block >= 0], minlength=size).astype(np.int64), block


def _shared(evidence: Evidence, like: People) -> People:
    """Put N_t of single targets right for a list of them."""
    intruder = evidence.intruder
    if intruder.target_in_file:
        return like
    n, targets, block = _counts(evidence)
    if isinstance(intruder.population, PopulationModel) and int(targets.max(initial=0)) > 1:
        raise IntruderError(
            "without replacement the chance that several targets alike are released depends on more than E(1/N_t), all that "
            "a model of the number of people gives here; use matching=WithReplacement(), or population=Constant(...) or "
            "PopulationTable(...)"
        )
    if not isinstance(intruder.population, FromWeights | None):
        return like
    found = _lowered(evidence, n, targets, int(np.sum(block < 0)))
    number = np.where(block >= 0, found.people[block], like.number)
    return People(number, (found.note,) if found.note else ())


def _lowered(evidence: Evidence, n: IntArray, targets: IntArray, unseen: int) -> Lowered:
    """Lower N_t by weights for a list of targets."""
    graph, w = evidence.graph, evidence.released.data.weights
    assert w is not None
    block = graph.block_of_record[graph.record_profile]
    weight, squares = (np.bincount(block, weights=x, minlength=n.size).astype(np.float64) for x in (w, w * w))
    return lowered(weight, squares, n, targets, unseen)


def _blocks(evidence: Evidence, big_n: FloatArray) -> Blocks:
    """Count records, targets and people of every block."""
    intruder = evidence.intruder
    n, targets, block = _counts(evidence)
    size, known = n.size, block >= 0
    share = _simulated(evidence)
    if intruder.target_in_file:
        blocks = blocks_of(n, targets, None, share, all_in_file=_all_released(evidence))
        short = int(np.sum(n > targets + np.where(blocks.private, n, blocks.copies)))
        if short:
            raise LikelihoodError(IMPOSSIBLE.format(f"{short} group(s) of equal records have fewer targets than records"))
        return blocks
    like = np.zeros(size)
    like[block[known]] = big_n[known]
    return blocks_of(n, targets, like, share, all_in_file=False)


def _competition(evidence: Evidence, table: ScoreTable, blocks: Blocks) -> Competition:
    """Arrange the candidates by record profile."""
    graph = evidence.graph
    shape = (table.start.size - 1, graph.count.size)
    places = np.arange(1, table.record.size + 1, dtype=np.int64)
    turned: Any = sparse.csr_array((places, table.record, table.start), shape=shape).tocsc()
    place = turned.data - 1
    return Competition(
        start=turned.indptr.astype(np.int64),
        target=turned.indices.astype(np.int64),
        score=table.score[place],
        place=place,
        record_count=graph.count.astype(np.int64),
        target_count=np.bincount(graph.target_profile, minlength=shape[0]).astype(np.int64),
        block_of_record=graph.block_of_record,
        block_of_target=graph.block_of_target,
        blocks=blocks,
    )


def _links(
    evidence: Evidence, table: ScoreTable, problem: Competition, found: Matched, n_t: FloatArray, like: People
) -> Links:
    """Read off what file-level measures need."""
    graph = evidence.graph
    p, error = np.zeros(table.record.size), np.zeros(table.record.size)
    p[problem.place], error[problem.place] = found.p, found.error
    out = np.empty((evidence.targets.n, 5))
    read_off(graph.target_profile, own_profiles(evidence), table.start, table.record, p, problem.record_count, TIE, out)
    weights = p * problem.record_count[table.record]
    sums = np.bincount(table.targets, weights=weights, minlength=table.start.size - 1)
    null = np.clip(1.0 - sums, 0.0, 1.0)
    null = np.where((null < 1e-12) | _all_released(evidence), 0.0, null)
    matched = Matched(table.start, table.record, p, error, found.methods, found.tolerance_met, found.is_exact)
    return Links(
        evidence=evidence,
        best=np.minimum(out[:, 0], 1.0),
        at_best=out[:, 1].astype(np.int64),
        own=np.where(evidence.truth_known, np.minimum(out[:, 2], 1.0), np.nan),
        own_is_best=out[:, 3] == 1.0,
        others_at_least=out[:, 4].astype(np.int64),
        null=null[graph.target_profile],
        sample_matches=n_t.astype(np.int64),
        population_matches=like.number,
        log_total=np.zeros(evidence.targets.n),
        matched=matched,
        people_notes=like.notes,
    )
