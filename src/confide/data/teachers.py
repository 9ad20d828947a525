"""Made-up incomes with a published summary (Duncan, Keller-McNulty and Stokes, Table 1)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from confide.typing import FloatArray

PLACES = ((2, 2_000.0, 1.0), (18, 7_200.0, 1.0), (159, 35_000.0, 1.4), (175, 70_000.0, 6.8))
"""Ranks among 177, the printed percentile at each, and the power by which values rise to it."""
LARGEST = (72_000.0, 95_200.0)
"""The second largest is ours, the largest is printed."""


def teacher_incomes() -> FloatArray:
    """Give 177 incomes in hundreds of dollars, from small to large, that have every figure of Table 1.

    Between the printed percentiles the values rise by a power that gives the printed mean and standard deviation. The sample
    size is not printed; 177 follows from the utility of the unmasked file, 10.0e-07.

    >>> x = teacher_incomes()
    >>> round(float(x.mean()), -2), round(float(x.std(ddof=1)), -2), float(x[158]), float(x[174]), float(x[-1])
    (20100.0, 13300.0, 35000.0, 70000.0, 95200.0)
    """
    parts = [np.array([PLACES[0][1]])]
    for (first, low, _), (last, high, power) in pairwise(PLACES):
        t = np.arange(1 if first > 2 else 0, last - first + 1) / (last - first)
        parts.append(low + (high - low) * t**power)
    values = np.concatenate([*parts, np.array(LARGEST)])
    return np.asarray(np.round(values, -2), dtype=np.float64)
