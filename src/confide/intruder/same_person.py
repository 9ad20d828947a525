"""Who is who in two files: people from elsewhere are found in the source file by an id."""

from __future__ import annotations

from collections import Counter

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError, raise_all, unknown
from confide.release.released import NOBODY
from confide.typing import IntArray


def rows_of(name: str, people: Microdata, source: Microdata | None) -> IntArray:
    """Give the row of each person in the source file, or NOBODY.

    Args:
        name: the variable that names a person in both files.
        people: the people, coded as the source file.
        source: the source file.
    """
    if source is None:
        raise IntruderError(f"id={name!r} finds targets in the source file, but there is none; leave id out")
    theirs, ours = _ids(people, name, "the targets' file"), _ids(source, name, "the source file")
    raise_all([*_faults(theirs, name, "the targets' file"), *_faults(ours, name, "the source file")], IntruderError)
    place = {one: row for row, one in enumerate(ours)}
    return np.array([place.get(one, NOBODY) for one in theirs], dtype=np.int64)


def _ids(file: Microdata, name: str, which: str) -> list[str | None]:
    """Give the ids of a file as text, so that 7 and '7' are the same person."""
    if name not in file.columns:
        raise IntruderError(f"id, {which}: {unknown('variable', name, file.names)}")
    return [None if one is None else str(one) for one in file.columns[name].values()]


def _faults(ids: list[str | None], name: str, which: str) -> list[str]:
    """Say what keeps ids from naming people."""
    missing, shared = ids.count(None), sum(k for one, k in Counter(ids).items() if k > 1 and one is not None)
    faults = [f"id {name!r} is missing for {missing:,} of {len(ids):,} records of {which}"] if missing else []
    if shared:
        faults.append(f"id {name!r} is not unique in {which}: {shared:,} of {len(ids):,} records share theirs with another")
    return [f"{fault}; give each person one id of their own, or leave id out" for fault in faults]
