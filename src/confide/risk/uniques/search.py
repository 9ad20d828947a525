"""Search for the minimal sets of keys that single records out, when a missing value is a level.

Records are gathered into cells. Sets of keys form a tree in which each node splits the groups of its parent by one more key,
and whoever stands alone leaves. Only a record that is unique on all keys of a branch can be singled out there; the others
count as company. The branch of the last key holds half of all sets: it is searched beside the others, and sets that hold a
set of another branch are taken out at the end. So the result does not depend on who came first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from confide.data.packing import pack
from confide.errors import IntruderError
from confide.linking.memory import available_memory
from confide.risk.frequency.cells import Coded, cells_of
from confide.risk.uniques.kernels import gather, search
from confide.typing import AnyArray, BoolArray, IntArray

MOST_WORK = 10**11
"""At most this many sets of keys times different records: some twenty minutes."""
OVERHEAD = 10
"""What a set costs besides, in records."""
MOST_KEYS = 62
"""A set of keys is written as the bits of one number."""
PARALLEL = 20_000
"""From this many different records on, two searches run side by side."""


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """The different records, keys by their number of levels and records in the order of their keys."""

    keys: tuple[int, ...]
    """The place of each key among those asked for, fewest levels first."""
    columns: tuple[Coded, ...]
    """The keys of the different records, fewest levels first."""
    size: IntArray
    """How many records are equal to each."""
    row: IntArray
    """A record that is equal to it."""


def ordered(columns: Sequence[Coded]) -> Ordered:
    """Gather records into cells and put these in order, the key with most levels first."""
    keys = sorted(range(len(columns)), key=lambda k: columns[k].width)
    wide = [columns[k] for k in reversed(keys)]
    cells = cells_of(wide)
    row = cells.first()
    at = np.argsort(pack([c.ids[row] for c in wide], [c.width for c in wide]), kind="stable")
    row = row[at]
    few = tuple(Coded(columns[k].ids[row], columns[k].width, columns[k].has_missing) for k in keys)
    return Ordered(tuple(keys), few, cells.size[at], row)


def sets_to_try(keys: int, largest: int) -> int:
    """Count the sets of at most `largest` keys.

    >>> sets_to_try(6, 6), sets_to_try(40, 3)
    (63, 10700)
    """
    return sum(math.comb(keys, k) for k in range(1, largest + 1))


def check_work(keys: int, largest: int, records: int, each: int) -> None:
    """Refuse a search that would take too long, and say what would do.

    Args:
        keys: the number of keys.
        largest: the most keys of a set.
        records: the number of different records.
        each: the steps that one set takes.
    """
    if keys > MOST_KEYS:
        raise IntruderError(f"minimal uniques of {keys} keys were asked for; at most {MOST_KEYS} can be searched")
    tried = sets_to_try(keys, largest)
    if tried * each <= MOST_WORK:
        return
    fits = [k for k in range(1, largest) if sets_to_try(keys, k) * each <= MOST_WORK]
    instead = f"max_size={fits[-1]} tries {sets_to_try(keys, fits[-1]):,}" if fits else "name fewer keys"
    raise IntruderError(
        f"{keys} keys have {tried:,} sets of at most {largest}; trying all of them on {records:,} different records is "
        f"{tried * each:.1e} steps, more than {MOST_WORK:.0e}; {instead}"
    )


def minimal_sets(columns: Sequence[Coded], largest: int) -> tuple[IntArray, AnyArray, int, int]:
    """Find every record's minimal sets; give where they start, the sets, and how many records are unique and in pairs."""
    n, last = columns[0].ids.size, len(columns) - 1
    file = ordered(columns)
    check_work(len(columns), largest, file.size.size, file.size.size + OVERHEAD)
    branches: list[Iterable[int]] = [range(last), [last]]
    if file.size.size < PARALLEL:
        (first, small), (second, large) = (_searched(file, tops, largest) for tops in branches)
    else:
        with ThreadPoolExecutor(max_workers=2) as pool:
            (first, small), (second, large) = pool.map(lambda tops: _searched(file, tops, largest), branches)
    start, sets = gather(file.row[first], small, file.row[second], large, n)
    unique, pairs = np.sum(file.size == 1), 2 * np.sum(file.size == 2)
    return start, in_order(sets, file.keys), int(unique), int(pairs)


def _searched(file: Ordered, tops: Iterable[int], largest: int) -> tuple[AnyArray, AnyArray]:
    """Search the branches of some last keys; give cells and sets."""
    many, m = len(file.columns), file.size.size
    codes = np.stack([c.ids.astype(np.int32) for c in file.columns])
    width = max(c.width for c in file.columns)
    head, most = np.full((many, m), -1, dtype=np.int32), most_sets()
    link, found, whose = no_sets(many)
    known = 0
    for top in tops:
        cells, alone = _candidates(file, top)
        if alone.any():
            marked = (cells.astype(np.int32) << 1) | alone
            link, found, whose, known = search(codes, width, marked, top, largest, most, head, link, found, whose, known)
            refuse_more(known, most)
    return whose[:known], found[:known]


def _candidates(file: Ordered, top: int) -> tuple[IntArray, BoolArray]:
    """Give a cell of each combination of the keys up to `top`, in order, and whether only one record has it."""
    if top == len(file.columns) - 1:
        return np.arange(file.size.size), file.size == 1
    part = cells_of(file.columns[: top + 1])
    first = part.first()
    at = np.argsort(first)
    return first[at], part.sums(file.size.astype(np.float64))[at] == 1


def no_sets(keys: int) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Give room for sets to come: what a set hangs on, the set, and whose it is."""
    return np.empty(64, np.int32), np.empty(64, np.int32 if keys < 31 else np.int64), np.empty(64, np.int32)


def most_sets() -> int:
    """Say how many sets there is room for."""
    free = available_memory()
    return 2**30 if free is None else min(2**30, int(0.8 * free) // 64)


def refuse_more(known: int, most: int) -> None:
    """Raise when a search found more sets than there is room for."""
    if known > most:
        raise IntruderError(
            f"there are more than {most:,} minimal sets of keys that single a record out, and no room for them; "
            "give a smaller max_size or fewer keys"
        )


def in_order(sets: AnyArray, keys: Sequence[int]) -> AnyArray:
    """Write sets with the keys in the order in which they were named.

    >>> in_order(np.array([1, 6]), [2, 0, 1]).tolist()
    [4, 3]
    """
    named = np.zeros_like(sets)
    for at, key in enumerate(keys):
        named |= ((sets >> at) & 1) << key
    return named
