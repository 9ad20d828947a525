"""Link one to one: the assignment with the largest sum of log odds (Jaro 1989)."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from confide.linking.distance.assignment import assign_listed
from confide.typing import BoolArray, FloatArray, IntArray


def assigned_pairs(source: IntArray, released: IntArray, log_odds: FloatArray) -> BoolArray:
    """Say which pairs belong to the best one-to-one assignment.

    Pairs that are more likely matches than not are assigned first: the sum of their log odds is made largest, and a record
    may stay alone. Records left over are assigned among the other pairs, which may become possible links; the number of
    matches expected among them is made largest.

    Args:
        source: the source record of each pair.
        released: the released record of each pair.
        log_odds: the log odds that it is a match.

    >>> pairs = np.array([0, 0, 1]), np.array([0, 1, 0])
    >>> assigned_pairs(*pairs, np.array([3.0, 2.0, 2.0])).tolist()
    [False, True, True]
    """
    taken = np.zeros(source.size, dtype=np.bool_)
    likely = np.flatnonzero(log_odds > 0)
    taken[likely[assign_listed(released[likely], source[likely], -log_odds[likely])]] = True
    size = (int(source.max(initial=-1)) + 1, int(released.max(initial=-1)) + 1)
    used = [np.zeros(n, dtype=np.bool_) for n in size]
    used[0][source[taken]], used[1][released[taken]] = True, True
    left = np.flatnonzero(~(used[0][source] | used[1][released]))
    if left.size:
        taken[left[assign_listed(released[left], source[left], -expit(log_odds[left]))]] = True
    return taken
