"""Components that no programme answers exactly: propagation first, then chains until the tolerance is met."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from confide.linking.parallel import Progress, phase_of, silent
from confide.linking.posterior.joint.cluster import Corrected, cluster_corrected
from confide.linking.posterior.joint.components import Component
from confide.linking.posterior.joint.sampling import SLICE, Chain, Walk, both, walk
from confide.linking.posterior.joint.shrinkage import NOTABLE, Shrinkage, Shrunk
from confide.linking.posterior.joint.sinkhorn import project
from confide.typing import FloatArray, IntArray

FIRST, FIRST_STEPS = 64, 80_000
"""Sweeps before the first look at the tolerance, and steps: few records say little about how far to trust them."""
MOST_SWEEPS = 50_000


@dataclass(frozen=True, slots=True)
class Effort:
    """How certain an approximate answer has to be, and how long it may take."""

    tolerance: float = 0.01
    """Stop when the root mean square error over pairs with p > .05 is estimated to be this; infinite: no chains."""
    seconds: float | None = None
    """Stop after so many seconds all the same. The answer then depends on the machine."""
    seed: int = 0
    """Of the chains."""


@dataclass(frozen=True, slots=True, eq=False)
class Approximate:
    """An approximate answer for some components."""

    p: FloatArray
    error: FloatArray
    rms: float
    agreement: float | None
    sweeps: int
    residual: float
    met: bool
    interrupted: bool


def approximate(
    part: Component, labels: tuple[IntArray, IntArray], effort: Effort, began: float, progress: Progress = silent
) -> Approximate:
    """Answer components (see `Components.joined`) by propagation and, where the tolerance asks for it, by chains.

    Args:
        part: the components.
        labels: the component of each respondent and the spare respondents of each.
        effort: how certain, how long.
        began: when the clock of `effort.seconds` started.
        progress: called with how much of how much is done.
    """
    table = part.sparse()
    wanted = bool(np.isfinite(effort.tolerance))
    corrected = cluster_corrected(table, labels=labels, progress=phase_of(progress, 0, 2 if wanted else 1))
    rows = np.repeat(np.arange(table.shape[0], dtype=np.int32), np.diff(part.indptr))
    found, sweeps, interrupted = None, 0, False
    if wanted:
        steps = walk(table, corrected.weight, corrected.leave, corrected.p)
        start = _Start(steps, Shrinkage.towards(corrected.p, corrected.doubt[rows]))
        found, sweeps, interrupted = _sampled(start, effort, began, phase_of(progress, 1, 2))
    if found is None:
        p, error, rms, agreement = corrected.p, corrected.error(rows), _guess(corrected, rows), None
    else:
        p, error, rms, agreement = found
        p = _fitted(part, p, labels)
    met = not wanted or (found is not None and rms <= effort.tolerance)
    return Approximate(p, error, rms, agreement, sweeps, _residual(part, p, labels), met, interrupted)


class _Start(NamedTuple):
    """What chains walk on, and what they are shrunk towards."""

    steps: Walk
    towards: Shrinkage


def _sampled(start: _Start, effort: Effort, began: float, progress: Progress) -> tuple[Shrunk | None, int, bool]:
    """Run chains until the tolerance is met, the time is over or someone interrupts; give the best answer so far."""
    steps, towards = start
    goal = max(FIRST, FIRST_STEPS // steps.records)
    sweeps, interrupted, rms = 0, False, math.inf
    chains: tuple[Chain, ...] = ()
    try:
        chains = tuple(both(partial(steps.start, effort.seed), (0, 1)))
        both(steps.settle, chains)
        while sweeps < goal:
            piece = min(goal - sweeps, max(1, SLICE // steps.records))
            both(partial(steps.run, sweeps=piece), chains)
            sweeps += piece
            if effort.seconds is not None and time.monotonic() - began > effort.seconds:
                break
            if sweeps == goal:
                rms = towards.judge(*steps.shares(chains)).rms
                if rms <= effort.tolerance or sweeps >= MOST_SWEEPS:
                    break
                goal = min(int(sweeps * min(2.0, max(1.06, 1.05 * (rms / effort.tolerance) ** 2))) + 1, MOST_SWEEPS)
            progress(sweeps, _needed(sweeps, goal, rms, effort))
    except KeyboardInterrupt:
        interrupted = True
    return (towards.combine(*steps.shares(chains)) if sweeps else None), sweeps, interrupted


def _needed(sweeps: int, goal: int, rms: float, effort: Effort) -> int:
    """Guess how many sweeps are needed: errors fall with their square root."""
    guess = sweeps * (rms / effort.tolerance) ** 2 if math.isfinite(rms) else 4.0 * goal
    return max(goal, int(min(guess, MOST_SWEEPS)), sweeps + 1)


def _fitted(part: Component, p: FloatArray, labels: tuple[IntArray, IntArray]) -> FloatArray:
    """Scale so that records and respondents add up again."""
    label, spare = labels
    p = p / np.repeat(np.add.reduceat(p, part.indptr[:-1]), np.diff(part.indptr))
    total = np.bincount(part.indices, p, label.size)
    left = np.where(spare[label] > 0, np.maximum(1.0 - total, 0.0), 0.0)
    return project(part.indptr, part.indices, p, left, 40, 1e-9)[0]


def _residual(part: Component, p: FloatArray, labels: tuple[IntArray, IntArray]) -> float:
    """Give how far the furthest total is from what it must be."""
    label, spare = labels
    total = np.bincount(part.indices, p, label.size)
    off = np.where(spare[label] > 0, np.maximum(total - 1.0, 0.0), np.abs(total - 1.0))
    rows = np.add.reduceat(p, part.indptr[:-1])
    return float(max(off.max(initial=0.0), np.abs(rows - 1.0).max(initial=0.0)))


def _guess(corrected: Corrected, rows: IntArray) -> float:
    """Estimate the root mean square error of propagation alone from its doubts."""
    notable = corrected.p > NOTABLE
    return float(np.sqrt((corrected.doubt[rows][notable] ** 2).mean())) if notable.any() else 0.0
