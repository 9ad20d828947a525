"""How far the value on a linked record is expected to be from the target's (Duncan and Lambert 1987, section 5.2).

The target's value is taken to be one of the candidates', with their link probabilities; the rest of the probability
goes to the file as a whole. Squared and absolute disparities need no table of pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import HarmError
from confide.linking.pairs import Pairs
from confide.risk.distances import Distance, WeightedDistance
from confide.typing import FloatArray

MOST = 200_000_000
"""So many disparities of a given function are computed before the work is refused."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The disparity of categories: 0 for the same one, otherwise a loss.

    >>> Mismatch(2.0)(np.array([[1.0]]), np.array([[1.0], [3.0]])).tolist()
    [[0.0, 2.0]]
    """

    loss: float = 1.0
    """What another category costs."""

    def __post_init__(self) -> None:
        """Check the loss."""
        if not (np.isfinite(self.loss) and self.loss >= 0):
            raise HarmError(f"Mismatch: the loss must be finite and not negative, found {self.loss}")

    def __call__(self, u: FloatArray, v: FloatArray) -> FloatArray:
        """Compare every value with every other."""
        return np.where(u == v.T, 0.0, self.loss)


def expected_disparity(part: Pairs, rest: FloatArray, y: FloatArray, distance: Distance) -> FloatArray:
    """Give E D(y_j, x) of every candidate j of every group.

    Args:
        part: the candidates; each must have a value.
        rest: for each group, the probability that the target is none of them.
        y: the value on every released record; NaN: none.
        distance: D(u, v), a distance of one variable.

    >>> one = Pairs(0, np.array([0, 2]), np.array([0, 1]), np.array([0.75, 0.25]))
    >>> from confide.risk.distances import AbsoluteDistance
    >>> expected_disparity(one, np.zeros(1), np.array([1.0, 3.0]), AbsoluteDistance()).tolist()
    [0.5, 1.5]
    """
    file = y[~np.isnan(y)]
    if isinstance(distance, Mismatch):
        return distance.loss * _mismatch(part, rest, y)
    if not isinstance(distance, WeightedDistance):
        return _given(part, rest, y, file, distance)
    v = np.full(y.size, np.nan)
    v[~np.isnan(y)] = distance.scaled(file[:, None])[:, 0] if file.size else file
    if distance.power == 2:
        return _squared(part, rest, v)
    return _absolute(part, rest, v)


def _mismatch(part: Pairs, rest: FloatArray, y: FloatArray) -> FloatArray:
    """Give the probability that the target is in another category than each candidate."""
    levels, code = np.unique(np.nan_to_num(y, nan=-np.inf), return_inverse=True)
    known = ~np.isnan(y)
    share = np.bincount(code[known], minlength=levels.size) / max(int(known.sum()), 1)
    cells, place = np.unique(part.group * levels.size + code[part.record], return_inverse=True)
    mass = np.bincount(place, weights=part.p, minlength=cells.size)
    same = mass[place] + rest[part.group] * share[code[part.record]]
    return np.asarray(np.clip(1.0 - same, 0.0, 1.0), dtype=np.float64)


def _squared(part: Pairs, rest: FloatArray, v: FloatArray) -> FloatArray:
    """Give the variance of the target's value plus the squared distance from its mean."""
    known = v[~np.isnan(v)]
    centre, spread = (float(known.mean()), float(known.var())) if known.size else (0.0, 0.0)
    group, here = part.group, v[part.record] - centre
    mean = np.bincount(group, weights=part.p * here, minlength=part.groups)
    around = np.bincount(group, weights=part.p * (here - mean[group]) ** 2, minlength=part.groups)
    variance = around + rest * (spread + mean**2)
    return np.asarray(variance[group] + (here - mean[group]) ** 2, dtype=np.float64)


def _absolute(part: Pairs, rest: FloatArray, v: FloatArray) -> FloatArray:
    """Give the mean absolute deviation from each candidate by sums over sorted values."""
    group, here = part.group, v[part.record]
    order = np.lexsort((here, group))
    g, x, p = group[order], here[order], part.p[order]
    mass, first = np.cumsum(p), np.cumsum(p * x)
    start = part.start[:-1][g]
    before = start - 1
    total = np.bincount(g, weights=p, minlength=part.groups)[g]
    moment = np.bincount(g, weights=p * x, minlength=part.groups)[g]
    below = mass - np.where(before >= 0, mass[before], 0.0)
    below_x = first - np.where(before >= 0, first[before], 0.0)
    inside = x * below - below_x + (moment - below_x) - x * (total - below)
    known = np.sort(v[~np.isnan(v)])
    sums = np.concatenate([[0.0], np.cumsum(known)])
    place = np.searchsorted(known, x, side="right")
    outside = (x * place - sums[place] + sums[-1] - sums[place] - x * (known.size - place)) / max(known.size, 1)
    out = np.empty(x.size)
    out[order] = np.maximum(inside, 0.0) + rest[g] * np.maximum(outside, 0.0)
    return out


def _given(part: Pairs, rest: FloatArray, y: FloatArray, file: FloatArray, distance: Any) -> FloatArray:
    """Compare every candidate with every other by a function of the user."""
    count = np.diff(part.start)
    elsewhere = file.size if bool(np.any(rest > 1e-12)) else 0
    need = int(np.sum(count.astype(np.float64) ** 2)) + int(part.p.size) * elsewhere
    if need > MOST:
        raise HarmError(
            f"a given disparity would be computed {need:,} times; use SquaredDistance() or AbsoluteDistance(), which need "
            "no table of pairs, or ask for fewer targets"
        )
    out = np.empty(part.p.size)
    for g in np.flatnonzero(count):
        here = slice(int(part.start[g]), int(part.start[g + 1]))
        mine = y[part.record[here]][:, None]
        out[here] = checked_disparity(distance, mine, mine) @ part.p[here]
        if rest[g] > 1e-12:
            out[here] += rest[g] * checked_disparity(distance, mine, file[:, None]).mean(axis=1)
    return out


def checked_disparity(distance: Any, u: FloatArray, v: FloatArray) -> FloatArray:
    """Call a given disparity and check what it gives: D(x, y) >= 0, and a table of the right shape."""
    found = np.asarray(distance(u, v), dtype=np.float64)
    if found.shape != (u.shape[0], v.shape[0]):
        raise HarmError(
            f"the disparity must give a table of {u.shape[0]} by {v.shape[0]} numbers for columns of that many values; "
            f"found shape {found.shape}"
        )
    if not bool(np.all(np.isfinite(found) & (found >= 0))):
        raise HarmError("the disparity gave a number that is negative, infinite or missing; D(u, v) must be 0 or more")
    return found
