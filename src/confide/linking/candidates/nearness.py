"""An order of points in which near ones are mostly close to each other, so that loops over neighbours stay in the cache."""

from __future__ import annotations

import numpy as np

from confide.typing import FloatArray, IntArray

BITS = 10
"""Of each of at most three coordinates."""


def near_order(points: FloatArray, low: FloatArray, high: FloatArray) -> IntArray:
    """Give the points along Morton's curve: the bits of their coordinates interleaved.

    Args:
        points: one row each; infinite coordinates stand at the ends.
        low: the lower corner of what matters.
        high: the upper corner.

    >>> near_order(np.array([[9.0, 9.0], [0.0, 0.0], [9.0, 8.0]]), np.zeros(2), np.full(2, 10.0)).tolist()
    [1, 2, 0]
    """
    d = min(points.shape[1], 3)
    span = np.where(high > low, high - low, 1.0)
    scaled = np.clip((points[:, :d] - low[:d]) / span[:d], 0.0, 1.0) * (2**BITS - 1)
    cells = np.nan_to_num(scaled).astype(np.int64)
    code = np.zeros(points.shape[0], dtype=np.int64)
    for bit in range(BITS):
        for k in range(d):
            code |= ((cells[:, k] >> bit) & 1) << (d * bit + k)
    return np.argsort(code, kind="stable").astype(np.int64)
