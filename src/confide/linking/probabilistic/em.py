"""Estimate how often matches and other pairs agree, from the counts of patterns alone (EM)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from confide.errors import LikelihoodError
from confide.linking.probabilistic.comparison import Compared
from confide.linking.probabilistic.model import Group
from confide.linking.probabilistic.patterns import Patterns
from confide.typing import FloatArray

TOLERANCE = 1e-6
"""Estimation ends when no probability changes by more in a step; the share of matches, relative to itself."""
MOST_STEPS = 5_000
"""Estimation that goes on longer is said not to have converged."""
SPREAD = 1.0
"""So many pairs, spread evenly over the cells of each group, are added to both classes: no weight is infinite."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """What EM found."""

    share: float
    """The share of candidate pairs that are matches."""
    m: tuple[FloatArray, ...]
    """For each group, the probability of each cell among matches."""
    u: tuple[FloatArray, ...]
    """For each group, the probability of each cell among other pairs."""
    weight: FloatArray
    """For each pattern, the log of how much more frequent it is among matches."""
    steps: int
    """How many steps it took."""
    log_likelihood: float
    """The log likelihood of the patterns."""
    at_bound: bool
    """Whether the share of matches is as large as one match for each record allows."""


def start(groups: Sequence[Group], count: FloatArray) -> tuple[list[FloatArray], list[FloatArray]]:
    """Give first guesses: other pairs as all pairs are, matches mostly at high levels."""
    m, u = [], []
    for g in groups:
        cells = np.full(int(np.prod(g.sizes)), 1 / np.prod(g.sizes))
        total = np.bincount(g.at, count, minlength=g.holds.shape[0]).astype(np.float64)
        for _ in range(1 if g.plain else 20):
            cells = (g.expected(total, cells) + SPREAD / cells.size) / (total.sum() + SPREAD)
        u.append(cells)
        high = np.ones(1)
        for size in g.sizes:
            slope = 3.0 ** np.arange(size)
            high = (high[:, None] * (slope / slope.sum())).ravel()
        m.append(high)
    return m, u


def estimate(patterns: Patterns, groups: Sequence[Group], parts: Sequence[Compared], most_share: float) -> Estimate:
    """Estimate the share of matches and how often levels occur in either class.

    The likelihood is that of a mixture of two classes of pairs (Fellegi and Sunter 1969; Jaro 1989). It is made largest by
    EM under the bound on the share of matches, from one start where matches agree.

    Args:
        patterns: the counts.
        groups: variables whose levels go together.
        parts: the comparisons.
        most_share: the largest share of matches possible, when every record has one match at most.
    """
    _check(patterns, groups, parts)
    count = patterns.count.astype(np.float64)
    m, u = start(groups, count)
    share = 0.5 * most_share
    score, change, steps = _score(groups, m, u), np.inf, 0
    while change >= TOLERANCE:
        if steps == MOST_STEPS:
            raise LikelihoodError(
                f"EM did not converge in {MOST_STEPS:,} steps; the last changed a probability by {change:.2g}. Compare by "
                "fewer levels, or leave out variables that hardly ever agree"
            )
        steps += 1
        matched = count * expit(score + np.log(share) - np.log1p(-share))
        new = min(float(matched.sum()) / patterns.pairs, most_share)
        change = abs(new - share) / max(new, 1e-300)
        new_m = [_step(g, matched, cells) for g, cells in zip(groups, m, strict=True)]
        new_u = [_step(g, count - matched, cells) for g, cells in zip(groups, u, strict=True)]
        change = max(change, *(float(np.abs(a - b).max()) for a, b in zip(new_m + new_u, m + u, strict=True)))
        share, m, u = new, new_m, new_u
        if share * patterns.pairs < 0.5:
            raise LikelihoodError(
                f"no matches among {patterns.pairs:,} candidate pairs: the estimated share of matches goes to 0. Compare "
                "more variables, or block by others"
            )
        score = _score(groups, m, u)
    _check_found(groups, m, u, parts)
    both = np.logaddexp(score + np.log(share), np.log1p(-share)) + _log_chance(groups, u)
    return Estimate(share, tuple(m), tuple(u), score, steps, float(count @ both), share >= most_share * (1 - 1e-9))


def _step(group: Group, matched: FloatArray, cells: FloatArray) -> FloatArray:
    """Give the new probabilities of the cells of one class."""
    total = np.bincount(group.at, matched, minlength=group.holds.shape[0]).astype(np.float64)
    return group.fitted(group.expected(total, cells) + SPREAD / cells.size)


def _score(groups: Sequence[Group], m: Sequence[FloatArray], u: Sequence[FloatArray]) -> FloatArray:
    """Give the log weight of each pattern."""
    return _log_chance(groups, m) - _log_chance(groups, u)


def _log_chance(groups: Sequence[Group], cells: Sequence[FloatArray]) -> FloatArray:
    """Give the log probability of each pattern in one class."""
    found = np.zeros(groups[0].at.size)
    for g, c in zip(groups, cells, strict=True):
        found += np.log(g.chance(c))[g.at]
    return found


def _check(patterns: Patterns, groups: Sequence[Group], parts: Sequence[Compared]) -> None:
    """Raise where the patterns cannot tell two classes apart."""
    varies = [np.unique(g.at).size > 1 for g in groups]
    if sum(varies) >= 3:
        return
    flat = [parts[j].name for g, v in zip(groups, varies, strict=True) for j in g.fields if not v]
    what = f"; {', '.join(flat)}: all candidate pairs agree alike" if flat else ""
    raise LikelihoodError(
        f"two classes of pairs can be told apart by three independent comparisons at least; {sum(varies)} of {len(groups)} "
        f"vary among {patterns.pairs:,} candidate pairs{what}. Compare more variables, or block by fewer"
    )


def _check_found(
    groups: Sequence[Group], m: Sequence[FloatArray], u: Sequence[FloatArray], parts: Sequence[Compared]
) -> None:
    """Raise where the class that was found agrees less than the other."""
    gain = 0.0
    for g, a, b in zip(groups, m, u, strict=True):
        for j in g.fields:
            top = parts[j].levels - 1
            gain += float(g.marginal(a, j)[top] - g.marginal(b, j)[top])
    if gain <= 0:
        raise LikelihoodError(
            "EM found two classes of pairs, but the rarer one agrees less than the other: these are no matches. Compare "
            "more variables, or by levels that matches reach"
        )
