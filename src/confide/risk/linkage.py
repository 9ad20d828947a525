"""Risks of a file from a matrix of link probabilities, and from distances (Lambert 1993, sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class PerceivedRisks:
    """Lambert's measures of perceived identification (section 3)."""

    per_respondent: FloatArray
    """The largest probability that a released record is the respondent's."""
    threshold: float
    """What D_tau counts from."""

    @property
    def worst(self) -> float:
        """D: the largest risk of any respondent."""
        return float(self.per_respondent.max())

    @property
    def average(self) -> float:
        """D_average: the mean risk."""
        return float(self.per_respondent.mean())

    @property
    def total(self) -> float:
        """D_total: the sum of the risks."""
        return float(self.per_respondent.sum())

    @property
    def at_or_above(self) -> int:
        """D_tau: how many respondents reach the threshold (convention 5)."""
        return int(np.sum(self.per_respondent >= self.threshold))


def perceived_risks(p: FloatArray, threshold: float = 0.5) -> PerceivedRisks:
    """Reduce link probabilities, records by respondents, to perceived risks (Lambert 1993, section 3).

    >>> perceived_risks(np.array([[0.9, 0.1], [0.1, 0.9]])).total
    1.8
    """
    p = np.atleast_2d(np.asarray(p, dtype=np.float64))
    if p.size == 0 or bool(np.any(~(p >= 0))) or bool(np.any(p.sum(axis=1) > 1 + 1e-9)):
        raise IntruderError("link probabilities must not be negative and must sum to at most one for each record")
    return PerceivedRisks(p.max(axis=0), threshold)


def true_identification(p: FloatArray, parent: Sequence[int], act_at: float) -> float:
    """Give the share of released records linked correctly by an intruder who acts (Lambert 1993, section 5).

    For each respondent the intruder takes the most probable record and links it when its
    probability reaches `act_at` (convention 6).

    Args:
        p: link probabilities, records by respondents.
        parent: the respondent each record belongs to.
        act_at: the probability from which the intruder acts.
    """
    p = np.atleast_2d(np.asarray(p, dtype=np.float64))
    if len(parent) != p.shape[0]:
        raise IntruderError(f"{len(parent)} parents for {p.shape[0]} records")
    best = p.argmax(axis=0)
    right = [j for j, i in enumerate(parent) if best[i] == j and p[j, i] >= act_at]
    return float(len(right) / len(parent))


def absolute_distance(a: FloatArray, b: FloatArray) -> FloatArray:
    """Give the absolute difference."""
    return np.asarray(np.abs(a - b), dtype=np.float64)


def log_distance(a: FloatArray, b: FloatArray) -> FloatArray:
    """Give the absolute difference of logarithms, natural for a multiplicative mask."""
    if bool(np.any(a <= 0)) or bool(np.any(b <= 0)):
        raise IntruderError("the log distance needs positive numbers")
    return np.asarray(np.abs(np.log(a) - np.log(b)), dtype=np.float64)


def risk_of_matching(
    released: Sequence[float],
    source: Sequence[float],
    parent: Sequence[int],
    distance: Callable[[FloatArray, FloatArray], FloatArray] = absolute_distance,
    sampling_fraction: float = 1.0,
) -> float:
    """Give Spruill's risk: the share of records strictly closer to their parent than to any other source value.

    Args:
        released: released numbers.
        source: source numbers.
        parent: the source row each record comes from.
        distance: how far apart two numbers are.
        sampling_fraction: multiply by it, where asked.

    >>> risk_of_matching([32.0, 35.0], [15.0, 30.0, 40.7], [0, 1])
    0.5
    """
    z, y = np.asarray(released, dtype=np.float64), np.asarray(source, dtype=np.float64)
    if len(parent) != z.size or z.size == 0:
        raise IntruderError(f"{len(parent)} parents for {z.size} records")
    d = distance(z[:, None], y[None, :])
    rows = np.arange(z.size)
    own = d[rows, list(parent)].copy()
    d[rows, list(parent)] = np.inf
    return sampling_fraction * float(np.mean(own < d.min(axis=1)))
