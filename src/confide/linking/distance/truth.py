"""Which source record a released record belongs to: what makes a link correct."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from confide.errors import IntruderError
from confide.linking.distance.encode import distances_for, encode
from confide.linking.distance.neighbours import Neighbours, Search, neighbours
from confide.linking.distance.part import VariableDistance
from confide.linking.memory import needs_memory
from confide.release.released import UNKNOWN, Released
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """Pairs that belong together."""

    record: IntArray
    """The released records."""
    source: IntArray
    """The source record of each."""
    p: FloatArray
    """How probable the pair is; a released record's sum to one at most."""


class Truth(Protocol):
    """Says which source record a released record belongs to."""

    def pairs(self, released: Released) -> Pairing:
        """Give the pairs that belong together."""
        ...


@dataclass(frozen=True, slots=True)
class KnownParent:
    """A record belongs to the source record it was made from; one that was simulated, to nobody."""

    def pairs(self, released: Released) -> Pairing:
        """Give every record with its parent."""
        if bool(np.any(released.parent == UNKNOWN)):
            raise IntruderError(
                "the parents of the released records are not known; give parent=[...] or same_order=True to "
                "Released.from_files, or take "
                "truth=NearestInAll()"
            )
        record = np.flatnonzero(released.parent >= 0).astype(np.int64)
        return Pairing(record, released.parent[record], np.ones(record.size))


@dataclass(frozen=True, slots=True)
class NearestInAll:
    """A record belongs to the nearest source record in all variables (Domingo-Ferrer and Torra 2004, 2.1).

    This truth is itself a linkage: where a record moved far, the 'corresponding' record is another one's. Records
    that are equally near are the corresponding one with equal chances.
    """

    variables: Sequence[str | VariableDistance] | None = None
    """All variables, by name or by distance; None: those both files have, but identifiers, weights, households, strata."""

    def pairs(self, released: Released) -> Pairing:
        """Give every record with its nearest source records."""
        found = neighbours(Search(encode(released, distances_for(released, self.variables))))
        record, source = written_out(found, "the records nearest in all variables")
        return Pairing(record, source, 1 / found.many[found.search.released.which[record]])


def written_out(found: Neighbours, what: str) -> tuple[IntArray, IntArray]:
    """Give all pairs of released records and their nearest source records, record by record.

    Args:
        found: the nearest records.
        what: what takes the memory.
    """
    released, file = found.search.released, found.search.source
    many = found.many[released.which]
    total = int(many.sum())
    needs_memory(48 * total, f"{what}, {total:,} pairs,", instead="link by more variables, or read the shares instead")
    start, nearest = found.lists(np.arange(found.kinds.size, dtype=np.int64))
    # the records of each different released record, in the order of the file
    times = file.times[nearest]
    ends = np.cumsum(times)
    within = np.arange(int(ends[-1]) if ends.size else 0) - np.repeat(ends - times, times)
    members = file.order[np.repeat(file.begin[nearest], times) + within]
    owner = np.repeat(np.repeat(np.arange(found.kinds.size), np.diff(start)), times)
    members = members[np.lexsort((members, owner))]
    begin = np.concatenate([[0], np.cumsum(found.many)])[released.which]
    ends = np.cumsum(many)
    place = np.arange(total) - np.repeat(ends - many, many) + np.repeat(begin, many)
    return np.repeat(np.arange(many.size), many), np.asarray(members[place], dtype=np.int64)
