"""Write several small integers as one, to find equal rows quickly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.typing import IntArray


def pack(ids: list[IntArray], sizes: list[int]) -> IntArray:
    """Write several ids as one number that orders like them, first id first."""
    packed = ids[0].astype(np.int64)
    size = sizes[0]
    for more, width in zip(ids[1:], sizes[1:], strict=True):
        if size * width >= 2**62:
            packed = np.unique(packed, return_inverse=True)[1].astype(np.int64)
            size = int(packed.max(initial=0)) + 1
        packed *= width
        packed += more
        size *= width
    return packed


def groups(ids: Sequence[IntArray], n: int) -> tuple[IntArray, IntArray]:
    """Give one member of each group of equal ids, and each unit's group; groups are ordered by the ids.

    >>> first, group = groups([np.array([1, 0, 1]), np.array([2, 2, 2])], 3)
    >>> first.tolist(), group.tolist()
    ([1, 0], [1, 0, 1])
    """
    columns = [np.zeros(n, dtype=np.int64), *ids]
    packed = pack(columns, [int(x.max(initial=0)) + 1 for x in columns])
    _, first, group = np.unique(packed, return_index=True, return_inverse=True)
    return first.astype(np.int64), group.ravel().astype(np.int64)
