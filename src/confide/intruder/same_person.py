"""Who is who in two files: people from elsewhere are found in the source file by an id."""

from __future__ import annotations

from collections import Counter

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError, raise_all, unknown
from confide.release.owners import id_texts
from confide.release.released import NOBODY, UNKNOWN
from confide.typing import IntArray


def rows_of(name: str, people: Microdata, source: Microdata | None) -> IntArray:
    """Give the row of each person in the source file, or NOBODY; UNKNOWN where an id is there only if written otherwise.

    Args:
        name: the variable that names a person in both files.
        people: the people, coded as the source file.
        source: the source file.

    Raises:
        IntruderError: where ids do not name people, or none is in both files: nobody in common is a mistake in the ids
            rather than a finding.
    """
    if source is None:
        raise IntruderError(f"id={name!r} finds targets in the source file, but there is none; leave id out")
    theirs, ours = _ids(people, name, "the targets' file"), _ids(source, name, "the source file")
    raise_all([*_faults(theirs, name, "the targets' file"), *_faults(ours, name, "the source file")], IntruderError)
    place = {one: row for row, one in enumerate(ours)}
    rows = np.array([place.get(one, NOBODY) for one in theirs], dtype=np.int64)
    if not bool(np.any(rows >= 0)):
        raise IntruderError(_none(name, theirs, ours))
    return _open_where_alike(rows, theirs, ours)


def _open_where_alike(rows: IntArray, theirs: list[str | None], ours: list[str | None]) -> IntArray:
    """Leave open who people are whose ids are in the source file only without zeros, blanks and capitals."""
    if bool(np.all(rows >= 0)):
        return rows
    plain = {_plain(one) for one in ours}
    alike = np.array([_plain(one) in plain for one in theirs], dtype=np.bool_)
    return np.where((rows < 0) & alike, UNKNOWN, rows)


def _none(name: str, theirs: list[str | None], ours: list[str | None]) -> str:
    """Say that no id is in both files, and what is probably the matter."""
    plain = {_plain(one) for one in ours}
    alike = sum(_plain(one) in plain for one in theirs)
    hint = f"; {alike:,} would be without leading zeros, spaces around them and capitals" if alike else ""
    return (
        f"id={name!r} was to find {len(theirs):,} targets from elsewhere in the source file, and none of their ids is among "
        f"its {len(ours):,}{hint}. Write the ids alike in both files, or name another variable as id; where nobody knows "
        "who is who, leave id out: true matches are then undefined"
    )


def _plain(one: str | None) -> str:
    """Write an id as people mean it."""
    return "".join(str(one).split()).casefold().lstrip("0")


def _ids(file: Microdata, name: str, which: str) -> list[str | None]:
    """Give the ids of a file as text, so that 7 and '7' are the same person."""
    if name not in file.columns:
        raise IntruderError(f"id, {which}: {unknown('variable', name, file.names)}")
    return id_texts(file.columns[name])


def _faults(ids: list[str | None], name: str, which: str) -> list[str]:
    """Say what keeps ids from naming people."""
    missing, shared = ids.count(None), sum(k for one, k in Counter(ids).items() if k > 1 and one is not None)
    faults = [f"id {name!r} is missing for {missing:,} of {len(ids):,} records of {which}"] if missing else []
    if shared:
        faults.append(f"id {name!r} is not unique in {which}: {shared:,} of {len(ids):,} records share theirs with another")
    return [f"{fault}; give each person one id of their own, or leave id out" for fault in faults]
