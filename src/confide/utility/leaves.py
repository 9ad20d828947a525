"""Compare at the leaves: which source values each released value stands for.

A reader of '40-49' knows that the age is one of ten, a reader of 40 in a file that is rounded to tens as well. Its count is
spread over the values of the source that lead to it. So a coarser recoding loses more than a finer one. A variable that is
not released has nothing that could be spread; it is lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.release.coding import coded, deterministic
from confide.typing import FloatArray, IntArray
from confide.utility.files import Files
from confide.utility.spread import Spread, room_of


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """The distinct values of a variable in the source, and which of them each released value stands for."""

    leaf: IntArray
    """The leaf of each source record."""
    group: IntArray
    """What each leaf is released as, counted from 0."""
    codes: IntArray
    """What each released record shows, in the same count; -1 for values that no leaf leads to."""
    share: FloatArray
    """The share of each leaf in what it is released as."""

    @property
    def groups(self) -> int:
        """How many different values the leaves are released as."""
        return int(self.group.max(initial=-1)) + 1

    @property
    def are_single(self) -> bool:
        """Say whether every released value stands for one leaf."""
        return self.groups == self.group.size

    @property
    def first(self) -> IntArray:
        """A source record of each leaf."""
        return np.unique(self.leaf, return_index=True)[1].astype(np.int64)


def leaves_of(files: Files, name: str, spread: Spread) -> Leaves | None:
    """Find what the released values of a variable stand for; None: each for itself, it is not known, or there are none.

    >>> import confide as cf
    >>> from confide.utility.files import files_of
    >>> from confide.utility.spread import SpreadByCounts
    >>> data = cf.Microdata.from_dict({"age": [21, 27, 35, 38, 38]}).declare(kinds={"age": "integer"})
    >>> masked = cf.Release(cf.Recode("age", width=10)).apply(data, seed=1)
    >>> found = leaves_of(files_of(masked, "a measure", weights=True), "age", SpreadByCounts())
    >>> found.group.tolist(), found.codes.tolist(), found.share.round(2).tolist()
    ([0, 0, 1, 1], [0, 0, 1, 1, 1], [0.5, 0.5, 0.33, 0.67])
    """
    source, data, steps = files.release.source, files.release.data, deterministic(files.release.steps, name)
    assert source is not None
    if name not in data.columns or not steps:
        return None
    leaf, distinct = source.columns[name].profile()
    group, codes = _together(coded(distinct, steps), data.columns[name])
    counts = np.bincount(leaf, weights=files.source_weights, minlength=distinct.size).astype(np.float64)
    return Leaves(leaf, group, codes, spread.shares(group, counts, room_of(group, distinct.numbers)))


def _together(made: Column, released: Column) -> tuple[IntArray, IntArray]:
    """Number what leaves are released as, and give each released record its number; -1 where no leaf leads to it."""
    both = made.append(released).profile()[0]
    used, group = np.unique(both[: made.size], return_inverse=True)
    place = np.full(int(both.max(initial=0)) + 1, -1, dtype=np.int64)
    place[used] = np.arange(used.size)
    return group.astype(np.int64), place[both[made.size :]]


def compared(files: Files, name: str, leaves: Leaves | None, spread: Spread) -> list[str]:
    """Say how the released values of a variable are compared with the source."""
    if leaves is not None and not leaves.are_single:
        return [f"a released value of {name!r} is spread {spread.describe()} over the source values that it stands for"]
    known, column = set(files.source.columns[name].labels), files.released.columns[name]
    strange = sum(column.labels[c] not in known for c in np.unique(column.codes[column.codes >= 0]))
    if not strange or leaves is not None:
        return list(files.notes_on([name]))
    said = (
        f"{name!r} is released with {strange:,} categories that the source does not have, and how they were made is not "
        "known; they have no value in common with it"
    )
    return [*files.notes_on([name]), said]
