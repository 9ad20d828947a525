"""Minimal sample uniques: the smallest sets of keys that single a record out.

Elliot, Manning and Ford (2002), A computational algorithm for handling the special uniques problem; Manning, Haglin and
Keane (2008), A recursive search algorithm for statistical disclosure assessment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import IntruderError
from confide.risk.frequency.cells import coded
from confide.risk.frequency.keys import File, Keys, key_names, records_of_file
from confide.risk.frequency.missing import AS_LEVEL, Missing, MissingAsWildcard
from confide.risk.uniques.kernels import counts_by_size
from confide.risk.uniques.search import minimal_sets
from confide.risk.uniques.wildcards import minimal_wildcard_sets
from confide.typing import AnyArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class MinimalUniques:
    """The minimal sample uniques of every record: sets of keys on which it is unique, and on no smaller part of them."""

    name: ClassVar[str] = "minimal_uniques"
    title: ClassVar[str] = "Minimal sample uniques"
    larger_is_riskier: ClassVar[bool] = True

    start: IntArray
    """Where the sets of each record start among all sets; one more at the end."""
    sets: AnyArray
    """All sets, record after record: bit k stands for the k-th key."""
    keys: tuple[str, ...]
    """The variables of which the sets are made."""
    max_size: int
    """The most keys that a set may hold."""
    uniques: int
    """How many records are unique on all keys."""
    pairs: int
    """How many records agree with one other record on all keys."""
    missing: Missing
    """What a missing value says."""

    @property
    def n(self) -> int:
        """The number of records."""
        return int(self.start.size - 1)

    @property
    def per_record(self) -> IntArray:
        """How many minimal sets single each record out."""
        return np.diff(self.start)

    @property
    def value(self) -> float:
        """The average number of sets of a record."""
        return float(self.sets.size / self.n)

    @property
    def by_size(self) -> IntArray:
        """Count the sets of every record by their number of keys: a column for each size, from 1 on."""
        return counts_by_size(self.start, self.sets, len(self.keys))[:, 1:].astype(np.int64)

    def of(self, record: int) -> list[tuple[str, ...]]:
        """Name the minimal sets of one record, smallest first."""
        if not 0 <= record < self.n:
            raise IntruderError(f"there is no record {record}; records are numbered from 0 to {self.n - 1:,}")
        mine = [int(x) for x in self.sets[self.start[record] : self.start[record + 1]]]
        places = sorted(([k for k in range(len(self.keys)) if x >> k & 1] for x in mine), key=lambda p: (len(p), p))
        return [tuple(self.keys[k] for k in found) for found in places]

    def __repr__(self) -> str:
        """Say how many sets of each size there are."""
        sizes = ", ".join(f"{many:,} of {size}" for size, many in enumerate(self.by_size.sum(axis=0), 1) if many)
        return (
            f"MinimalUniques({self.n:,} records, {self.uniques:,} unique on {', '.join(self.keys)}; "
            f"{self.sets.size:,} minimal sets" + (f": {sizes}" if sizes else "") + f"; {self.missing.describe()})"
        )


def minimal_uniques(
    data: File, keys: Keys = None, *, max_size: int | None = None, missing: Missing = AS_LEVEL
) -> MinimalUniques:
    """Find, for every record, the sets of keys on which it is unique and on no smaller part of which it is.

    Args:
        data: a source file, or a released one.
        keys: the variables an intruder knows; those declared as keys when None.
        max_size: the most keys of a set; all of them when None.
        missing: `MissingAsLevel()`, or `MissingAsWildcard()`, with which a missing value agrees with every value.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m", "m"], "job": ["cook", "vet", "cook", "cook"]})
    >>> found = cf.minimal_uniques(data, ["sex", "job"])
    >>> found.of(0), found.of(1), found.of(2)
    ([('sex', 'job')], [('job',)], [])
    """
    file = records_of_file(data)
    names = key_names(file, keys)
    largest = len(names) if max_size is None else max_size
    if not 1 <= largest <= len(names):
        raise IntruderError(f"max_size is a number of keys from 1 to {len(names)}, found {max_size}")
    columns = [coded(file.columns[name]) for name in names]
    if isinstance(missing, MissingAsWildcard) and missing.share != 1:
        raise IntruderError(
            f"minimal uniques need whole counts, and MissingAsWildcard has share={missing.share:g}; take share=1"
        )
    wild = isinstance(missing, MissingAsWildcard) and any(c.has_missing for c in columns)
    start, sets, unique, in_pairs = (minimal_wildcard_sets if wild else minimal_sets)(columns, largest)
    return MinimalUniques(start, sets, names, largest, unique, in_pairs, missing)
