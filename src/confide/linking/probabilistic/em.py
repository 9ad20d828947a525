"""Estimate how often matches and other pairs agree, from the counts of patterns alone (EM)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from confide.errors import ModelError
from confide.linking.probabilistic.chance import AllPairs
from confide.linking.probabilistic.comparison import Compared
from confide.linking.probabilistic.model import Group, groups_like
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


def estimate(
    patterns: Patterns, groups: Sequence[Group], parts: Sequence[Compared], most_share: float, chance: AllPairs | None = None
) -> Estimate:
    """Estimate the share of matches and how often levels occur in either class.

    The likelihood is that of a mixture of two classes of pairs (Fellegi and Sunter 1969; Jaro 1989). It is made largest by
    EM under the bound on the share of matches, from one start where matches agree.

    Args:
        patterns: the counts.
        groups: variables whose levels go together.
        parts: the comparisons.
        most_share: the largest share of matches possible, when every record has one match at most.
        chance: how pairs of all records agree; None: the other pairs' agreement is estimated from the patterns, too.
    """
    _check(patterns, groups, parts)
    count = patterns.count.astype(np.float64)
    view = None if chance is None else _View(chance, groups, parts)
    m, u = start(groups, count)
    u = u if view is None else view.others
    share = 0.5 * most_share
    score, change, steps = _score(groups, m, u, view), np.inf, 0
    while change >= TOLERANCE:
        if steps == MOST_STEPS:
            raise ModelError(
                f"EM did not converge in {MOST_STEPS:,} steps; the last changed a probability by {change:.2g}. Compare by "
                "fewer levels, or leave out variables that hardly ever agree"
            )
        steps += 1
        matched = count * expit(score + np.log(share) - np.log1p(-share))
        new = min(float(matched.sum()) / patterns.pairs, most_share)
        missed = [0.0] * len(groups) if view is None else view.missed(m, float(matched.sum()))
        new_m = [_step(g, matched, cells, more) for g, cells, more in zip(groups, m, missed, strict=True)]
        if view is None:
            new_u = [_step(g, count - matched, cells) for g, cells in zip(groups, u, strict=True)]
        else:
            new_u = view.without(new_m, float(matched.sum()))
        change = max(
            abs(new - share) / max(new, 1e-300),
            *(float(np.abs(a - b).max()) for a, b in zip(new_m + new_u, m + u, strict=True)),
        )
        share, m, u = new, new_m, new_u
        if share * patterns.pairs < 0.5:
            raise ModelError(
                f"no matches among {patterns.pairs:,} candidate pairs: the estimated share of matches goes to 0. Compare "
                "more variables, or block by others"
            )
        score = _score(groups, m, u, view)
    _check_found(groups, m, u, parts)
    both = np.logaddexp(score + np.log(share), np.log1p(-share)) + _log_chance(groups, u)
    return Estimate(share, tuple(m), tuple(u), score, steps, float(count @ both), share >= most_share * (1 - 1e-9))


class _View:
    """What is known of all pairs, and what blocks hide of it."""

    def __init__(self, chance: AllPairs, groups: Sequence[Group], parts: Sequence[Compared]) -> None:
        self.total, self.truncation, self.groups, self.parts = chance.total, chance.truncation, groups, parts
        sample = groups_like(groups, parts, chance.level)
        self.others = start(sample, chance.many.astype(np.float64))[1]
        for k, g in enumerate(groups):
            same = parts[g.fields[0]].same
            if len(g.fields) == 1 and same is not None:
                # frequencies tell how many pairs agree fully better than a sample does
                top, cells = parts[g.fields[0]].levels - 1, self.others[k]
                held = cells[: top + 1].sum()
                rest = max(cells[:top].sum(), 1e-300)
                cells[:top] *= held * (1 - same) / rest
                cells[top] = held * same
        level, count = chance.level, chance.many
        self.present = [
            1 - float(count[level[:, j] == parts[j].levels].sum()) / max(float(count.sum()), 1.0) for j in range(len(parts))
        ]

    def agree(self, cells: Sequence[FloatArray]) -> FloatArray:
        """Give the probability of agreement in each blocking variable."""
        assert self.truncation is not None
        found = []
        for j in self.truncation.fields:
            k, g = next((k, g) for k, g in enumerate(self.groups) if j in g.fields)
            found.append(self.present[j] * g.marginal(cells[k], j)[self.parts[j].levels - 1])
        return np.array(found)

    def inside(self, cells: Sequence[FloatArray]) -> float:
        """Give the probability that a pair of a class is in a block."""
        return 1.0 if self.truncation is None else max(self.truncation.chances(self.agree(cells))[0], 1e-300)

    def missed(self, m: Sequence[FloatArray], matched: float) -> list[FloatArray | float]:
        """Give how many matches outside the blocks to expect in each cell, given those inside."""
        more: list[FloatArray | float] = [0.0] * len(self.groups)
        if self.truncation is None:
            return more
        agree = self.agree(m)
        inside, outside = self.truncation.chances(agree)
        for j, a, both in zip(self.truncation.fields, agree, outside, strict=True):
            k, g = next((k, g) for k, g in enumerate(self.groups) if j in g.fields)
            if len(g.fields) > 1:
                continue
            top, cells = self.parts[j].levels - 1, m[k].copy()
            # of those outside that hold a value: so many agree, the others are as they are
            apart = max((1 - inside - both) - (1 - self.present[j]) * (1 - inside), 0.0)
            cells[top] = 0.0
            cells *= apart / max(cells.sum(), 1e-300)
            cells[top] = both
            del a
            more[k] = matched / max(inside, 1e-9) * cells
        return more

    def without(self, m: Sequence[FloatArray], matched: float) -> list[FloatArray]:
        """Give how other pairs agree: all pairs without the matches."""
        share = min(matched / self.inside(m) / self.total, 0.5)
        found = []
        for all_pairs, cells in zip(self.others, m, strict=True):
            left = np.maximum(all_pairs - share * cells, SPREAD / (cells.size * self.total))
            found.append(left / left.sum())
        return found


def _step(group: Group, matched: FloatArray, cells: FloatArray, more: FloatArray | float = 0.0) -> FloatArray:
    """Give the new probabilities of the cells of one class."""
    total = np.bincount(group.at, matched, minlength=group.holds.shape[0]).astype(np.float64)
    return group.fitted(group.expected(total, cells) + more + SPREAD / cells.size)


def _score(groups: Sequence[Group], m: Sequence[FloatArray], u: Sequence[FloatArray], view: _View | None) -> FloatArray:
    """Give the log weight of each pattern, among pairs in blocks."""
    found = _log_chance(groups, m) - _log_chance(groups, u)
    return found if view is None else found + np.log(view.inside(u)) - np.log(view.inside(m))


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
    raise ModelError(
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
        raise ModelError(
            "EM found two classes of pairs, but the rarer one agrees less than the other: these are no matches. Compare "
            "more variables, or by levels that matches reach"
        )
