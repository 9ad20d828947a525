"""Solve eq. (4.1) for profiles of records and targets, with strangers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from confide.intruder.matching import WithoutReplacement
from confide.linking.matched import Matched
from confide.linking.memory import needs_memory
from confide.linking.parallel import Progress, silent
from confide.linking.posterior.expand import collapse, expand, expected_matched, first_guess
from confide.linking.posterior.joint.result import JointLinks
from confide.linking.posterior.joint.shrinkage import NOTABLE
from confide.linking.posterior.joint.solve import ROUNDING, link_probabilities
from confide.linking.posterior.profiles import NAME as BY_PROFILES
from confide.linking.posterior.profiles import check_groups, find_groups, solve_profiles
from confide.linking.posterior.small import MOST_WORK, small_marginals, small_work
from confide.linking.posterior.strangers import Blocks, log_odds, log_total, log_weight
from confide.typing import BoolArray, FloatArray, IntArray

ROUNDS = 8
"""The weight of strangers is found in at most so many rounds."""
SETTLED = 1e-6
"""It is found when it moves by less than this, relatively."""
MOST_TERMS = 2000
"""Blocks with one profile on each side and more records than this are left to the solver where records are simulated."""
WORK = 4e8
"""The most operations for an exact answer to one group: less than a second, as a file has many; 22 records always fit."""
BYTES = 120
"""The solver's memory for one pair of a record and a respondent."""
NEGLIGIBLE = 1e-7
"""Below this error nobody looks for an exact answer to a small block."""
ALONE, EXPECTED, SMALL = "counting", "expected strangers", "subset with strangers"


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
    return link_probabilities(
        table,
        log=True,
        tolerance=matching.tolerance,
        seconds=matching.seconds,
        seed=matching.seed,
        work=WORK,
        progress=progress,
    )


class Solved(NamedTuple):
    """How some record profiles were answered."""

    methods: tuple[tuple[str, int], ...]
    """How many groups each method answered."""
    tolerance_met: bool | None
    """Whether the tolerance was met; None where none was asked for."""
    is_exact: bool
    """Whether all answers are exact."""


def compete(problem: Competition, matching: WithoutReplacement, *, progress: Progress = silent) -> Matched:
    """Give the probability of every candidate pair of profiles."""
    p, error = np.zeros(problem.score.size), np.full(problem.score.size, ROUNDING)
    counts: dict[str, int] = {}
    closed = _counted(problem, p, counts) | _small(problem, p, counts)
    blocks = problem.blocks
    wanted = ~closed[problem.block_of_record] & (blocks.targets[problem.block_of_record] > 0)
    moves = blocks.moving[problem.block_of_record]
    met: list[bool | None] = []
    exact = True
    for rows in (np.flatnonzero(wanted & ~moves), np.flatnonzero(wanted & moves)):
        if rows.size == 0:
            continue
        if blocks.moving[problem.block_of_record[rows[0]]]:
            solved = _with_strangers(problem, rows, matching, p, error, progress)
            counts[EXPECTED] = int(np.unique(problem.block_of_record[rows]).size)
            exact = False
        else:
            scale = _settled_scale(problem)
            solved = _solve_rows(problem, rows, scale, matching, p, error, progress)
        for name, count in solved.methods:
            counts[name] = counts.get(name, 0) + count
        met.append(solved.tolerance_met)
        exact = exact and solved.is_exact
    known = [m for m in met if m is not None]
    if matching.tolerance is not None and not known:
        known = [_within(p, error, np.arange(p.size), matching.tolerance)]
    return Matched(
        np.zeros(0, dtype=np.int64),
        problem.target,
        p,
        error,
        tuple(sorted(counts.items())),
        all(known) if known else None,
        exact,
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
        if blocks.people[b] >= max(n, 1) and abs(score) < 1e-12:
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


def _small(problem: Competition, p: FloatArray, counts: dict[str, int]) -> BoolArray:
    """Answer small blocks exactly where the weight of strangers depends on the number of matched records."""
    blocks = problem.blocks
    done = np.zeros(blocks.n.size, dtype=np.bool_)
    first = np.searchsorted(problem.block_of_record, np.arange(blocks.n.size + 1))
    for b in np.flatnonzero(blocks.moving):
        n, targets = int(blocks.n[b]), int(blocks.targets[b])
        _, slope = log_odds(blocks, int(b), np.ones(1))
        if small_work(n, targets) > MOST_WORK or slope**2 * (1 + min(n, targets) / 4) < NEGLIGIBLE:
            continue
        rows = np.arange(first[b], first[b + 1])
        at = slice(int(problem.start[rows[0]]), int(problem.start[rows[-1] + 1]))
        kinds, column = np.unique(problem.target[at], return_inverse=True)
        log_r = np.full((rows.size, kinds.size), -np.inf)
        line = np.repeat(np.arange(rows.size), np.diff(problem.start)[rows])
        log_r[line, column] = problem.score[at]
        each, whom = np.repeat(np.arange(rows.size), problem.record_count[rows]), problem.target_count[kinds]
        wide = log_r[each][:, np.repeat(np.arange(kinds.size), whom)]
        log_w = [log_weight(k, n, targets, float(blocks.people[b]), blocks.simulated) for k in range(min(wide.shape) + 1)]
        found = small_marginals(wide, np.asarray(log_w))
        starts = np.cumsum(problem.record_count[rows]) - problem.record_count[rows]
        p[at] = found[np.ix_(starts, np.cumsum(whom) - whom)][line, column]
        done[b] = True
    if done.any():
        counts[SMALL] = int(done.sum())
    return done


def _settled_scale(problem: Competition) -> FloatArray:
    """Give the log weight of a stranger for each pair, where it does not depend on the answer."""
    blocks = problem.blocks
    scale = np.zeros(blocks.n.size)
    for b in np.flatnonzero(blocks.private & ~blocks.moving):
        scale[b] = log_odds(blocks, int(b), np.ones(1))[0][0]
    return scale[np.repeat(problem.block_of_record, np.diff(problem.start))]


def _with_strangers(
    problem: Competition, rows: IntArray, matching: WithoutReplacement, p: FloatArray, error: FloatArray, progress: Progress
) -> Solved:
    """Find the weight of strangers and the probabilities together, by turns."""
    part, pairs = _only(problem, rows)
    scale, _, _ = _moving_scale(part, np.zeros(pairs.size))
    for _ in range(3):
        guess = first_guess(part.start, part.target, part.score - scale, problem.record_count, problem.target_count, 10)
        scale, _, _ = _moving_scale(part, guess)
    all_scale, roughly = np.zeros(problem.score.size), replace(matching, tolerance=math.inf, seconds=None)
    for _ in range(ROUNDS):
        all_scale[pairs] = scale
        _solve_rows(problem, rows, all_scale, roughly, p, error, silent)
        new, slope, spread = _moving_scale(part, p[pairs])
        moved = np.abs(new - scale)
        scale = new
        if float(moved.max(initial=0.0)) < SETTLED:
            break
    all_scale[pairs] = scale
    solved = _solve_rows(problem, rows, all_scale, matching, p, error, progress)
    error[pairs] += p[pairs] * (moved + 2.0 * slope**2 * (1.0 + spread))
    return solved


def _moving_scale(part: Competition, p: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the log weight of a stranger for each pair, its slope, and the variance of the number of matched records.

    The weight is taken at the number of matched records that is expected when the pair belongs
    together: one, and what the other targets have without the record, and the other records
    without the target.
    """
    matched, spread = expected_matched(
        part.start, part.target, p, part.record_count, part.target_count, part.block_of_record, part.blocks.n.size
    )
    scale, slope = np.zeros(p.size), np.zeros(p.size)
    block = np.repeat(part.block_of_record, np.diff(part.start))
    # record profiles are sorted by block, and so are their pairs
    for group in np.split(np.arange(p.size), np.flatnonzero(np.diff(block)) + 1) if p.size else ():
        scale[group], slope[group] = log_odds(part.blocks, int(block[group[0]]), matched[group])
    return scale, slope, spread[block]


def _within(p: FloatArray, error: FloatArray, pairs: IntArray, tolerance: float) -> bool:
    """Say whether the root mean square of the stated errors, over pairs that matter, is within the tolerance."""
    notable = error[pairs][p[pairs] > NOTABLE]
    return notable.size == 0 or bool(np.sqrt((notable**2).mean()) <= tolerance)


def _pairs(problem: Competition, rows: IntArray) -> IntArray:
    """Give the places of the candidates of some record profiles."""
    chosen = np.zeros(problem.start.size - 1, dtype=np.bool_)
    chosen[rows] = True
    return np.flatnonzero(np.repeat(chosen, np.diff(problem.start)))


def _only(problem: Competition, rows: IntArray) -> tuple[Competition, IntArray]:
    """Keep the candidates of some record profiles, and say which they are; the others have none."""
    kept = _pairs(problem, rows)
    lengths = np.zeros(problem.start.size - 1, dtype=np.int64)
    lengths[rows] = np.diff(problem.start)[rows]
    start = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    part = replace(problem, start=start, target=problem.target[kept], score=problem.score[kept], place=problem.place[kept])
    return part, kept


def _solve_rows(
    problem: Competition, rows: IntArray, scale: FloatArray, matching: WithoutReplacement, p: FloatArray, error: FloatArray,
    progress: Progress,
) -> Solved:  # fmt: skip
    """Answer some record profiles: large groups by profiles, the others by the solver."""
    blocks = problem.blocks
    copies = np.where(blocks.private, -1, blocks.copies)[problem.block_of_record]
    counts = problem.record_count, problem.target_count
    groups = find_groups(problem.start, problem.target, *counts, problem.block_of_record, copies)
    is_large = groups.large[groups.label[rows]]
    large, rest = rows[is_large], rows[~is_large]
    methods: tuple[tuple[str, int], ...] = ()
    met: bool | None = None
    exact = True
    if large.size:
        check_groups(large, problem.start, problem.target, *counts, copies, groups)
        solve_profiles(large, problem.start, problem.target, problem.score - scale, *counts, copies, groups, p, error)
        methods += ((BY_PROFILES, int(np.unique(groups.label[large]).size)),)
        exact = False
        if matching.tolerance is not None:
            met = _within(p, error, _pairs(problem, large), matching.tolerance)
    if rest.size:
        links = _solve_single(problem, rest, copies, problem.score - scale, matching, p, error, progress)
        methods += links.methods
        exact = exact and links.is_exact
        found = None if links.is_exact and matching.tolerance is None else links.tolerance_met
        met = found if met is None or found is None else met and found
    return Solved(methods, met, exact)


def _solve_single(
    problem: Competition, rows: IntArray, copies: IntArray, score: FloatArray, matching: WithoutReplacement, p: FloatArray,
    error: FloatArray, progress: Progress,
) -> JointLinks:  # fmt: skip
    """Write out single records and targets, solve, and share the answer among equal pairs."""
    blocks = problem.blocks
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
