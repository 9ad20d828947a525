"""What readers lose of a table, in its own unit."""

from __future__ import annotations

import numpy as np

from confide.typing import FloatArray


def lost_values(true: FloatArray, published: FloatArray) -> FloatArray:
    """Give what is lost of each cell: how far the published value is from the true one, all of it where it is left out.

    >>> lost_values(np.array([4.0, 7.0, 7.0]), np.array([5.0, np.nan, 7.0])).tolist()
    [1.0, 7.0, 0.0]
    """
    return np.where(np.isnan(published), np.abs(true), np.abs(published - true))


def lost_shares(true: FloatArray, published: FloatArray) -> FloatArray:
    """Give the same as shares of the values, at most 1.

    >>> lost_shares(np.array([4.0, 7.0, 0.0]), np.array([5.0, np.nan, 5.0])).tolist()
    [0.25, 1.0, 1.0]
    """
    lost, size = lost_values(true, published), np.abs(true)
    share = np.minimum(1.0, lost / np.where(size > 0, size, 1.0))
    return np.where(np.isnan(published) | ((size == 0) & (lost > 0)), 1.0, share)
