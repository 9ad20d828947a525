"""How close two sets of estimates are."""

from __future__ import annotations

import numpy as np

from confide.typing import FloatArray

WIDE = 1.959963984540054
"""An interval of 95 per cent reaches this many standard errors to both sides."""


def interval_overlap(source: float, source_se: float, released: float, released_se: float, wide: float = WIDE) -> float:
    """Give the overlap of two 95 % intervals, from 0 to 1 (Karr, Kohnen, Oganian, Reiter and Sanil 2006).

    It is the mean of the shares of both intervals that lie in the other. Where the intervals do not meet the
    paper's figure is negative; here it is 0.

    >>> interval_overlap(0.0, 1.0, 0.0, 1.0), interval_overlap(0.0, 1.0, 0.0, 2.0), interval_overlap(0.0, 1.0, 9.0, 1.0)
    (1.0, 0.75, 0.0)
    """
    low, high = source - wide * source_se, source + wide * source_se
    other_low, other_high = released - wide * released_se, released + wide * released_se
    common = min(high, other_high) - max(low, other_low)
    if common < 0:
        return 0.0
    shares = [common / (end - start) if end > start else 1.0 for start, end in ((low, high), (other_low, other_high))]
    return float(min(sum(shares) / 2, 1.0))


def squared_distance(difference: FloatArray, covariance: FloatArray) -> float:
    """Give the squared Mahalanobis distance d' V^-1 d.

    >>> squared_distance(np.array([2.0, 3.0]), np.diag([4.0, 9.0]))
    2.0
    """
    se = np.sqrt(np.diag(covariance))
    d = difference / se
    return max(float(d @ np.linalg.solve(covariance / np.outer(se, se), d)), 0.0)
