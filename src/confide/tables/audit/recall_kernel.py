"""Compiled: what kept solutions show to somebody with tighter bounds."""

from __future__ import annotations

from numba import njit

from confide.typing import AnyArray, FloatArray


@njit(cache=True, nogil=True)
def recall(
    indptr: AnyArray, indices: AnyArray, data: FloatArray, least: FloatArray, most: FloatArray, low: FloatArray,
    high: FloatArray,
) -> None:  # fmt: skip
    """Shrink each solution until it lies between bounds, and widen the reach of columns by what is left of it.

    Args:
        indptr: where each solution begins.
        indices: the columns it moves.
        data: by how much.
        least: how far down columns may go.
        most: how far up.
        low: how far down columns are known to reach; changed.
        high: how far up; changed.
    """
    for r in range(indptr.size - 1):
        share = 1.0
        for e in range(indptr[r], indptr[r + 1]):
            d, j = data[e], indices[e]
            if d > most[j]:
                share = min(share, most[j] / d)
            elif d < least[j]:
                share = min(share, least[j] / d)
        if share > 0.0:
            for e in range(indptr[r], indptr[r + 1]):
                d, j = share * data[e], indices[e]
                low[j], high[j] = min(low[j], d), max(high[j], d)
