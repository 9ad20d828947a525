"""Link released records to source records by distance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.errors import IntruderError
from confide.linking.distance.assignment import assign_all, assign_nearest, squared_distances
from confide.linking.distance.encode import distances_for, encode
from confide.linking.distance.neighbours import Neighbours, Search, neighbours, tie_limit
from confide.linking.distance.part import VariableDistance
from confide.linking.distance.result import DistanceLinkage
from confide.linking.distance.truth import KnownParent, Pairing, Truth
from confide.release.released import Released
from confide.typing import FloatArray, IntArray


def distance_linkage(
    released: Released,
    variables: Sequence[str | VariableDistance] | str | None = None,
    *,
    replacement: bool = True,
    candidates: int | None = None,
    truth: Truth = KnownParent(),  # noqa: B008  frozen
    count_closer: bool = False,
) -> DistanceLinkage:
    """Link every released record to the nearest source record and count the correct links.

    The distance of two records is the weighted sum of squared distances of their variables (Domingo-Ferrer and Torra 2004,
    section 2.1). Nearest records are found exactly, and no table of all pairs is made. Records equally near share the link.

    Args:
        released: the released file with its source.
        variables: what the intruder links by: names, which stand for the distance of the variable's kind, or distances such
            as `NumericDistance`; None: all variables that both files have.
        replacement: whether several records may be linked to the same source record. Otherwise the one-to-one assignment
            with the smallest sum of squared distances is taken; among assignments equally good, the solver's.
        candidates: without replacement, assign among so many nearest source records only. An approximation for large files.
        truth: which source record is the right one: `KnownParent()`, or `NearestInAll()` as the paper has it.
        count_closer: count the source records closer than the own one, too; slow where records moved far.

    >>> import confide as cf
    >>> source = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "age": [20, 30, 40]}).declare(kinds={"age": "integer"})
    >>> masked = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "age": [22, 34, 35]}).declare(kinds={"age": "integer"})
    >>> distance_linkage(cf.Released.from_files(source, masked, same_order=True), ["sex", "age"])
    DistanceLinkage(2.5 of 3 records linked correctly by sex, age, share 0.8333)
    """
    if candidates is not None and replacement:
        raise IntruderError("candidates are for one-to-one linkage; give replacement=False as well")
    distances = distances_for(released, variables)
    search = Search(encode(released, distances))
    found = neighbours(search)
    pairs = truth.pairs(released)
    assigned = None
    if not replacement:
        assigned = assign_all(search) if candidates is None else assign_nearest(search, candidates)[0]
    which = search.released.which
    correct = _credit(found, pairs) if assigned is None else _assigned_credit(search, assigned, pairs)
    own = np.full(which.size, -1, dtype=np.int64)
    sure = pairs.p >= 1.0
    own[pairs.record[sure]] = pairs.source[sure]
    has = np.flatnonzero(own >= 0)
    apart = np.full(which.size, np.nan)
    apart[has] = search.apart(has, own[has])
    names = tuple(n for d in distances for n in d.variables)
    closer = _closer(search, apart) if count_closer else None
    return DistanceLinkage(
        names, correct, found.distance[which], found.second[which], found.many[which], apart,
        search.source.which.size, found, closer, assigned, candidates,
    )  # fmt: skip


def record_distances(released: Released, variables: Sequence[str | VariableDistance] | str | None = None) -> FloatArray:
    """Give the squared distance of every released record from every source record, for small files.

    Args:
        released: the released file with its source.
        variables: as for `distance_linkage`.

    >>> import confide as cf
    >>> source = cf.Microdata.from_dict({"sex": ["m", "f"], "age": [20, 30]})
    >>> released = cf.Released.from_files(source, source, same_order=True)
    >>> record_distances(released, ["sex", cf.NumericDistance("age", scale=cf.ByRange())]).tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    """
    return squared_distances(Search(encode(released, distances_for(released, variables))))


def _credit(found: Neighbours, pairs: Pairing) -> FloatArray:
    """Give the probability of a correct link where equally near records share it."""
    which = found.search.released.which
    held = found.holds(pairs.record, pairs.source)
    many = np.maximum(found.many[which[pairs.record]], 1)
    return np.asarray(np.bincount(pairs.record, weights=held * pairs.p / many, minlength=which.size), dtype=np.float64)


def _assigned_credit(search: Search, assigned: IntArray, pairs: Pairing) -> FloatArray:
    """Give the probability of a correct link one to one; source records that are alike cannot be told apart."""
    kind = search.source.which
    to = assigned[pairs.record]
    same = (to >= 0) & (kind[to] == kind[pairs.source])
    alike = search.source.times[kind[pairs.source]]
    return np.asarray(np.bincount(pairs.record, weights=same * pairs.p / alike, minlength=assigned.size), dtype=np.float64)


def _closer(search: Search, apart: FloatArray) -> IntArray:
    """Count the source records strictly closer than the own one."""
    which = search.released.which
    closer = np.full(which.size, -1, dtype=np.int64)
    left = np.flatnonzero(np.isfinite(apart))
    while left.size:
        # released records that are alike have different parents; take one of each kind at a time
        kinds, first = np.unique(which[left], return_index=True)
        now = left[first]
        limit = np.full(search.released.times.size, -1.0)
        d = apart[now]
        limit[kinds] = np.maximum(2 * d - np.sqrt(tie_limit(d, search.size[kinds])), 0.0) ** 2
        # the ball is closed: what is as near as the own record, within rounding, is outside; at 0 nothing is closer
        limit[kinds[limit[kinds] == 0]] = -1.0
        _, total = search.counted(kinds, limit)
        closer[now] = total[kinds].astype(np.int64)
        left = np.delete(left, first)
    return closer
