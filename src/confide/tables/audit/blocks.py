"""Cut a reduced system into blocks that are solved apart."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array, csr_array

from confide.tables.audit.reach import Block, Reach
from confide.tables.audit.reduce import Reduced
from confide.tables.audit.tighten import tighten
from confide.typing import FloatArray, IntArray

COLUMNS = 1500
"""Components are put together into blocks of at least this many columns."""


def blocks_of(reduced: Reduced) -> list[Block]:
    """Cut into blocks: large components alone, small ones together, single columns in one block without a programme."""
    n = reduced.low.size
    if not n:
        return []
    count = np.bincount(reduced.component)
    order = np.argsort(reduced.component, kind="stable")
    starts = np.concatenate([[0], np.cumsum(count)])
    by_size = np.argsort(-count, kind="stable")
    groups: list[list[int]] = [[]]
    size = 0
    for c in by_size.tolist():
        if size >= COLUMNS or (count[c] == 1 and groups[-1] and count[groups[-1][-1]] > 1):
            groups.append([])
            size = 0
        groups[-1].append(c)
        size += int(count[c]) if count[c] > 1 else 0
    out_low, out_high = tighten(reduced.matrix, reduced.low, reduced.high)
    columns = [np.sort(np.concatenate([order[starts[c] : starts[c + 1]] for c in group])) for group in groups]
    matrix = csc_array(reduced.matrix)
    return [_block(reduced, matrix, at, (out_low, out_high)) for at in columns]


def _block(reduced: Reduced, matrix: csc_array, at: IntArray, out: tuple[FloatArray, FloatArray]) -> Block:
    """Take the columns of a block with their equations."""
    part = csr_array(matrix[:, at])
    part = part[np.flatnonzero(np.diff(part.indptr))]
    reach = Reach.start(out[0][at], out[1][at])
    if not part.shape[0]:  # nothing ties these columns: their bounds are their ends
        reach.low, reach.high = reach.out_low.copy(), reach.out_high.copy()
    return Block(at, reduced.component[at], part, reach, reduced.low[at], reduced.high[at])
