"""Count records that agree when a missing value agrees with everything.

Records are gathered into cells, cells into patterns by what is missing. Two cells agree when they are equal on what both
patterns show. So every pair of patterns is joined once, by hashing: the work is the number of cells times the number of
patterns, exact, and memory grows with the cells alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.risk.frequency.cells import Cells, Coded, patterns
from confide.risk.frequency.kernels import wildcard_sums
from confide.typing import AnyArray, FloatArray


def wildcard_counts(
    columns: Sequence[Coded], cells: Cells, weights: FloatArray, share: float
) -> tuple[FloatArray, FloatArray]:
    """Give each cell the count and the weight of the records that agree with it.

    Args:
        columns: the keys.
        cells: the records that are equal on them, missing being a level.
        weights: the weight of each cell.
        share: what another cell with missing values counts.
    """
    rows = cells.first()
    member, pattern = patterns(columns, rows)
    order = np.argsort(pattern, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(pattern))])
    keys, shown = _fields(columns, rows[order], rows[member])
    credit = np.where(np.logical_or.reduce([c.is_missing[rows[member]] for c in columns]), share, 1.0)
    size = cells.size.astype(np.float64)
    found = wildcard_sums(keys, start.astype(np.int64), shown, credit, size[order], weights[order])
    f, total = np.empty(size.size), np.empty(size.size)
    f[order], total[order] = found
    return f, total


def _fields(columns: Sequence[Coded], rows: AnyArray, members: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Write keys into fields of bits, and the bits that each pattern shows."""
    words: list[AnyArray] = []
    masks: list[AnyArray] = []
    used = 64
    for column in columns:
        bits = max(column.width - 1, 1).bit_length()
        if used + bits > 64:
            words.append(np.zeros(rows.size, dtype=np.uint64))
            masks.append(np.zeros(members.size, dtype=np.uint64))
            used = 0
        words[-1] |= column.ids[rows].astype(np.uint64) << np.uint64(used)
        field = np.uint64(((1 << bits) - 1) << used)
        masks[-1] |= np.where(column.is_missing[members], np.uint64(0), field)
        used += bits
    return np.column_stack(words), np.column_stack(masks)
