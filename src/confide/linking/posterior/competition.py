"""Solve eq. (4.1) for profiles of records and targets, with strangers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from confide.intruder.matching import WithoutReplacement
from confide.linking.matched import Matched
from confide.linking.memory import needs_memory
from confide.linking.parallel import Progress, silent
from confide.linking.posterior.expand import collapse, expand, first_guess
from confide.linking.posterior.joint.solve import ROUNDING, JointLinks, link_probabilities
from confide.linking.posterior.strangers import Blocks, log_odds, log_total
from confide.typing import BoolArray, FloatArray, IntArray

ROUNDS = 8
"""The weight of strangers is found in at most so many rounds."""
SETTLED = 1e-6
"""It is found when it moves by less than this, relatively."""
MOST_TERMS = 2000
"""Blocks with one profile on each side and more records than this are left to the solver where records are simulated."""
BYTES = 120
"""The solver's memory for one pair of a record and a respondent."""
ALONE, EXPECTED = "counting", "expected strangers"


@dataclass(frozen=True, slots=True, eq=False)
class Competition:
    """Candidates by record profile, and the numbers of every block."""

    start: IntArray
    """The first candidate of each record profile; the last entry ends the list."""
    target: IntArray
    """The candidate target profiles, increasing."""
    score: FloatArray
    """Their log scores."""
    place: IntArray
    """Their places in the table of targets by records."""
    record_count: IntArray
    """The number of records of each record profile."""
    target_count: IntArray
    """The number of targets of each target profile."""
    block_of_record: IntArray
    """The block of each record profile."""
    block_of_target: IntArray
    """The block of each target profile; -1: no record is consistent."""
    blocks: Blocks
    """Records, targets and strangers of each block."""


def solve(table: Any, matching: WithoutReplacement, progress: Progress) -> JointLinks:
    """Hand a table of log scores, records by respondents, to the solver."""
    del matching
    return link_probabilities(table, log=True, progress=progress)


def compete(problem: Competition, matching: WithoutReplacement, *, progress: Progress = silent) -> Matched:
    """Give the probability of every candidate pair of profiles."""
    p, error = np.zeros(problem.score.size), np.full(problem.score.size, ROUNDING)
    counts: dict[str, int] = {}
    closed = _counted(problem, p, counts)
    blocks = problem.blocks
    wanted = ~closed[problem.block_of_record] & (blocks.targets[problem.block_of_record] > 0)
    moves = blocks.moving[problem.block_of_record]
    met: list[bool | None] = []
    exact = True
    for rows in (np.flatnonzero(wanted & ~moves), np.flatnonzero(wanted & moves)):
        if rows.size == 0:
            continue
        if blocks.moving[problem.block_of_record[rows[0]]]:
            links = _with_strangers(problem, rows, matching, p, error, progress)
            counts[EXPECTED] = int(np.unique(problem.block_of_record[rows]).size)
            exact = False
        else:
            scale = _settled_scale(problem)
            links = _solve_rows(problem, rows, scale, matching, p, error, progress)
        for name, count in links.methods:
            counts[name] = counts.get(name, 0) + count
        met.append(getattr(links, "tolerance_met", None))
        exact = exact and links.is_exact
    known = [m for m in met if m is not None]
    return Matched(
        np.zeros(0, dtype=np.int64), problem.target, p, error, tuple(sorted(counts.items())), all(known) if known else None, exact
    )


def _counted(problem: Competition, p: FloatArray, counts: dict[str, int]) -> BoolArray:
    """Answer blocks with one profile of records and one of targets by counting."""
    blocks = problem.blocks
    size = blocks.n.size
    record_profiles = np.bincount(problem.block_of_record, minlength=size)
    known = problem.block_of_target >= 0
    target_profiles = np.bincount(problem.block_of_target[known], minlength=size)
    records = np.flatnonzero((record_profiles[problem.block_of_record] == 1) & (np.diff(problem.start) == 1))
    done = np.zeros(size, dtype=np.bool_)
    for r in records:
        b, e = int(problem.block_of_record[r]), int(problem.start[r])
        n, targets = int(blocks.n[b]), int(blocks.targets[b])
        if target_profiles[b] != 1:
            continue
        score = float(problem.score[e])
        if blocks.people[b] > 0 and abs(score) < 1e-12:
            p[e] = (1.0 - blocks.simulated) / blocks.people[b]
        elif blocks.people[b] > 0 and blocks.simulated and n > MOST_TERMS:
            continue
        elif blocks.people[b] == 0:
            p[e] = 1.0 / max(targets, n)
        else:
            log_w = log_total(blocks, b, score)
            p[e] = float(np.exp(log_w - logsumexp(log_w)) @ np.arange(log_w.size)) / (n * targets)
        done[b] = True
    if done.any():
        counts[ALONE] = int(done.sum())
    return done


def _settled_scale(problem: Competition) -> FloatArray:
    """Give the log weight of a stranger for each target profile, where it does not depend on the answer."""
    scale = np.zeros(problem.target_count.size)
    for b in np.unique(problem.block_of_target[problem.block_of_target >= 0]):
        if problem.blocks.private[b] and not problem.blocks.moving[b]:
            scale[problem.block_of_target == b] = log_odds(problem.blocks, int(b), np.ones(1))[0][0]
    return scale


def _with_strangers(
    problem: Competition, rows: IntArray, matching: WithoutReplacement, p: FloatArray, error: FloatArray, progress: Progress
) -> JointLinks:
    """Find the weight of strangers and the probabilities together, by turns."""
    candidates = _pairs(problem, rows)
    mine = np.isin(problem.block_of_target, np.unique(problem.block_of_record[rows]))
    scale, slope = _moving_scale(problem, mine, np.zeros(problem.target_count.size))
    part = _only(problem, rows)
    for _ in range(3):
        log_w = part.score - scale[part.target]
        guess = first_guess(part.target, part.start, log_w, problem.record_count, problem.target_count, 10)
        scale, slope = _moving_scale(problem, mine, np.where(mine, guess, 0.0))
    for _ in range(ROUNDS):
        links = _solve_rows(problem, rows, scale, matching, p, error, progress)
        sums = np.bincount(
            problem.target[candidates],
            weights=p[candidates] * np.repeat(problem.record_count, np.diff(problem.start))[candidates],
            minlength=problem.target_count.size,
        )
        q = np.where(mine, np.clip(sums, 0.0, 1.0), 0.0)
        new, slope = _moving_scale(problem, mine, q)
        moved = np.abs(new - scale)
        scale = new
        if float(moved.max()) < SETTLED:
            break
    block = np.maximum(problem.block_of_target, 0)
    spread = np.bincount(block, weights=problem.target_count * q * (1 - q), minlength=problem.blocks.n.size)
    off = moved + spread[block] * slope**2
    at = p[candidates]
    error[candidates] += at * (1 - at) * off[problem.target[candidates]]
    return links


def _moving_scale(problem: Competition, mine: BoolArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the log weight of a stranger for each target profile, at the expected number of matched records.

    For a target with a record that number is one plus what the other targets are expected to have.
    """
    scale, slope = np.zeros(q.size), np.zeros(q.size)
    order = np.flatnonzero(mine)
    order = order[np.argsort(problem.block_of_target[order], kind="stable")]
    at = problem.block_of_target[order]
    for group in np.split(order, np.flatnonzero(np.diff(at)) + 1):
        expected = 1.0 + float(problem.target_count[group] @ q[group]) - q[group]
        scale[group], slope[group] = log_odds(problem.blocks, int(problem.block_of_target[group[0]]), expected)
    return scale, slope


def _pairs(problem: Competition, rows: IntArray) -> IntArray:
    """Give the places of the candidates of some record profiles."""
    chosen = np.zeros(problem.start.size - 1, dtype=np.bool_)
    chosen[rows] = True
    return np.flatnonzero(np.repeat(chosen, np.diff(problem.start)))


def _only(problem: Competition, rows: IntArray) -> Competition:
    """Keep the candidates of some record profiles; the others have none."""
    kept = _pairs(problem, rows)
    lengths = np.zeros(problem.start.size - 1, dtype=np.int64)
    lengths[rows] = np.diff(problem.start)[rows]
    start = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    return replace(problem, start=start, target=problem.target[kept], score=problem.score[kept], place=problem.place[kept])


def _solve_rows(
    problem: Competition, rows: IntArray, scale: FloatArray, matching: WithoutReplacement, p: FloatArray, error: FloatArray,
    progress: Progress,
) -> JointLinks:  # fmt: skip
    """Write out single records and targets, solve, and share the answer among equal pairs."""
    blocks = problem.blocks
    copies = np.where(blocks.private, -1, blocks.copies)[problem.block_of_record]
    respondents = int(problem.target_count.sum())
    # strangers' columns: block by block where shared, record by record where private
    width = np.where(blocks.private, blocks.n, blocks.copies)
    block_first = respondents + np.concatenate(([0], np.cumsum(width)[:-1]))
    within = _before(problem.block_of_record, problem.record_count, blocks.n.size)
    first = block_first[problem.block_of_record] + np.where(copies < 0, within, 0)
    per_record = np.add.reduceat(
        np.append(problem.target_count[problem.target], 0), np.minimum(problem.start[:-1], problem.target.size)
    )
    per_record = np.where(np.diff(problem.start) > 0, per_record, 0) + np.where(copies < 0, 1, copies)
    pairs = int(np.sum((per_record * problem.record_count)[rows]))
    needs_memory(
        BYTES * pairs, "matching without replacement", instead="use matching=WithReplacement(), or recode variables less"
    )
    lines = int(problem.record_count[rows].sum())
    indptr, indices, data = np.empty(lines + 1, dtype=np.int64), np.empty(pairs, dtype=np.int64), np.empty(pairs)
    target_first = np.concatenate(([0], np.cumsum(problem.target_count)[:-1])).astype(np.int64)
    score = problem.score - scale[problem.target]
    expand(
        rows, problem.start, problem.target, score, problem.record_count, problem.target_count, target_first, copies,
        first.astype(np.int64), indptr, indices, data,
    )  # fmt: skip
    table = sparse.csr_array((data, indices, indptr), shape=(lines, respondents + int(width.sum())))
    links = solve(table, matching, progress)
    collapse(
        rows, problem.start, problem.target, problem.record_count, problem.target_count, copies, links.p.data,
        links.error.data, p, error,
    )  # fmt: skip
    return links


def _before(block: IntArray, count: IntArray, blocks: int) -> IntArray:
    """Count the records of the same block that stand before each record profile; profiles are sorted by block."""
    before = np.concatenate(([0], np.cumsum(count)[:-1]))
    start = np.searchsorted(block, np.arange(blocks))
    return np.asarray(before - before[start][block], dtype=np.int64)
