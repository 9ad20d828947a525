"""The evidence graph written out: a sparse table of log scores, target profiles by record profiles."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

import numpy as np

from confide.linking.arrays import Cats, Nums, Records, Tables, Tests
from confide.linking.evidence import Evidence
from confide.linking.kernels import CUT
from confide.linking.memory import needs_memory
from confide.linking.parallel import Progress, cores, in_chunks, phase_of, silent
from confide.linking.table_kernels import candidates, lowest, reach, reach_back
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """The candidates of every target profile: log of a u / m, in the letters of Reiter (2005)."""

    start: IntArray
    """The first candidate of each target profile; the last entry ends the list."""
    record: IntArray
    """The candidate record profiles, increasing within a target profile."""
    score: FloatArray
    """Their log scores."""

    @property
    def targets(self) -> IntArray:
        """The target profile of each candidate."""
        return np.repeat(np.arange(self.start.size - 1), np.diff(self.start))


def score_table(evidence: Evidence, best: FloatArray, *, cut: float = CUT, progress: Progress = silent) -> ScoreTable:
    """Write out all pairs that are within a cut of the best of their target or of their record.

    Args:
        evidence: what is known about every pair.
        best: the best score of each target profile.
        cut: how far below the best a score may lie, on the log scale; inf keeps all possible pairs.
        progress: called with how much of how much is done.
    """
    graph = evidence.graph
    size, profiles = graph.count.size, graph.target_first.size
    records = graph.records(evidence.base)
    common = (
        graph.block_of_target, graph.block_start, graph.primary, records, graph.cats, graph.nums,
        evidence.tables, graph.tests,
    )  # fmt: skip
    best_record, lock = np.full(size, -np.inf), threading.Lock()

    def near(first: int, last: int) -> None:
        mine = np.full(size, -np.inf)
        reach(first, last, *common, mine)
        with lock:
            np.maximum(best_record, mine, out=best_record)

    step = max(64, profiles // (8 * cores()))
    in_chunks(near, profiles, step, phase_of(progress, 0, 3))
    _reach_all(evidence, common[3:], best_record)
    left, right = np.empty(size), np.empty(size)
    lowest(best_record, graph.block_start, left, right)
    count, start = np.zeros(profiles, dtype=np.int64), np.zeros(profiles + 1, dtype=np.int64)
    record, score = np.zeros(0, dtype=np.int64), np.zeros(0)

    def write(first: int, last: int) -> None:
        candidates(first, last, *common, best, best_record, left, right, cut, start, count, record, score)

    in_chunks(write, profiles, step, phase_of(progress, 1, 3))
    start[1:] = np.cumsum(count)
    needs_memory(16 * int(start[-1]), "the table of candidates", instead="use matching=WithReplacement()")
    record, score = np.empty(int(start[-1]), dtype=np.int64), np.empty(int(start[-1]))
    if record.size:
        in_chunks(write, profiles, step, phase_of(progress, 2, 3))
    return ScoreTable(start, record, score)


def _reach_all(evidence: Evidence, arrays: tuple[Records, Cats, Nums, Tables, Tests], best: FloatArray) -> None:
    """Find the best target of records that no target came near."""
    graph = evidence.graph
    missed = np.flatnonzero(np.isneginf(best) & (evidence.base > -math.inf))
    if missed.size == 0:
        return
    order = np.argsort(graph.block_of_target, kind="stable")
    first = np.searchsorted(graph.block_of_target[order], np.arange(graph.block_start.size)).astype(np.int64)
    reach_back(missed, graph.block_of_record, order, first, *arrays, best)
