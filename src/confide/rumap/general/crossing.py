"""Where two curves of a map cross."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.rumap.point import Point


def crossings(first: Sequence[Point], second: Sequence[Point]) -> tuple[tuple[float, float], ...]:
    """Give the risk and the utility at which two curves cross, with straight lines between their points.

    Curves are compared over the utilities that both reach. Where they run together for a while, the ends of that stretch
    are given.

    >>> a = [Point({}, 0.0, 0.0), Point({}, 1.0, 1.0)]
    >>> b = [Point({}, 0.4, 0.0), Point({}, 0.6, 1.0)]
    >>> crossings(a, b)
    ((0.5, 0.5),)
    """
    if len(first) < 2 or len(second) < 2:
        return ()
    curves = [np.array(sorted((p.utility, p.risk) for p in points)) for points in (first, second)]
    low, high = max(c[0, 0] for c in curves), min(c[-1, 0] for c in curves)
    grid = np.unique(np.concatenate([c[:, 0] for c in curves]))
    u = grid[(grid >= low) & (grid <= high)]
    if u.size == 0:
        return ()
    gap = np.interp(u, curves[0][:, 0], curves[0][:, 1]) - np.interp(u, curves[1][:, 0], curves[1][:, 1])
    found: list[float] = []
    for i in range(u.size):
        if gap[i] == 0.0 and not (0 < i < u.size - 1 and gap[i - 1] == 0.0 and gap[i + 1] == 0.0):
            found.append(float(u[i]))
        elif i + 1 < u.size and gap[i] * gap[i + 1] < 0:
            found.append(float(u[i] + (u[i + 1] - u[i]) * gap[i] / (gap[i] - gap[i + 1])))
    return tuple((float(np.interp(x, curves[0][:, 0], curves[0][:, 1])), x) for x in found)
