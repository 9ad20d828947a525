"""Search for the minimal sets of keys that single records out, when a missing value agrees with everything.

Records that agree are then no groups that could be split further: they are counted anew for every set of keys. A key that is
missing for a record is in none of its minimal sets, since it tells it apart from nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from confide.risk.frequency.cells import Cells, Coded, cells_of, patterns
from confide.risk.frequency.wildcards import wildcard_counts
from confide.risk.uniques.kernels import gather, keep_minimal
from confide.risk.uniques.search import Ordered, check_work, in_order, most_sets, no_sets, ordered, refuse_more
from confide.typing import AnyArray, IntArray

OVERHEAD = 10_000
"""What a set costs besides, in records."""


def minimal_wildcard_sets(columns: Sequence[Coded], largest: int) -> tuple[IntArray, AnyArray, int, int]:
    """Find every record's minimal sets; give where they start, the sets, and how many records are unique and in pairs."""
    n, many = columns[0].ids.size, len(columns)
    file = ordered(columns)
    ways, _ = patterns(file.columns, np.arange(file.size.size))
    check_work(many, largest, file.size.size, file.size.size * ways.size + OVERHEAD)
    agree = _agree(file, range(many))
    candidate = agree == 1
    head, most = np.full(file.size.size, -1, dtype=np.int32), most_sets()
    link, found, whose = no_sets(many)
    known = 0
    for size in range(1, largest + 1 if candidate.any() else 1):
        for keys in combinations(range(many), size):
            alone = np.flatnonzero(candidate & (_agree(file, keys) == 1))
            here = sum(1 << k for k in keys)
            link, found, whose, known = keep_minimal(alone, alone.size, here, head, link, found, whose, known)
            refuse_more(known, most)
    start, sets = gather(file.row[whose[:known]], found[:known], whose[:0], found[:0], n)
    unique, pairs = np.sum(file.size[agree == 1]), np.sum(file.size[agree == 2])
    return start, in_order(sets, file.keys), int(unique), int(pairs)


def _agree(file: Ordered, keys: Sequence[int]) -> IntArray:
    """Count, for each different record, the records that agree with it on some keys."""
    columns = [file.columns[k] for k in keys]
    part = cells_of(columns)
    part = Cells(part.of, part.sums(file.size.astype(np.float64)).astype(np.int64))
    if not any(c.has_missing for c in columns):
        return part.size[part.of]
    counted, _ = wildcard_counts(columns, part, np.zeros(part.size.size), 1.0)
    return np.rint(counted).astype(np.int64)[part.of]
