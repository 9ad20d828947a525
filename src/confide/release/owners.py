"""Do the identifiers of a released file that someone else made agree with what is said about whose its records are?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.codebook import Role
from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.typing import IntArray

UNKNOWN = -2
"""The parent of a record whose parent is not known."""


def id_texts(column: Column) -> list[str | None]:
    """Give ids as text, so that 7 and '7' are the same person; None where there is none.

    >>> id_texts(Column.of_numbers([7.0, float("nan")]))
    ['7', None]
    """
    return [None if one is None else str(one) for one in column.values()]


def rows_said(
    source: Microdata, released: Microdata, parent: Sequence[int] | None, *, same_order: bool
) -> tuple[IntArray, list[str]]:
    """Give the source row of each released record, as far as somebody or an identifier says it, and what is wrong with it.

    Args:
        source: the source file.
        released: the released file.
        parent: the source rows, where they are given.
        same_order: whether the records are declared to be in the order of the source file.
    """
    if parent is not None:
        rows, faults = np.asarray(parent, dtype=np.int64), []
        if same_order:
            faults.append("give parent=[...] or same_order=True, not both")
        elif rows.size != released.n:
            faults.append(f"parent has {rows.size} entries for {released.n} released records")
        elif bool(np.any((rows < -1) | (rows >= source.n))):
            faults.append(f"parent must hold source rows from 0 to {source.n - 1}, or -1")
        return (rows, faults) if faults else (rows, _twice(rows, "parent"))
    if not same_order:
        rows = rows_by_id(source, released)
        return rows, _twice(rows, "the identifier that both files hold")
    if released.n == source.n:
        return np.arange(released.n, dtype=np.int64), []
    fault = (
        f"same_order=True, but the released file has {released.n} records, the source file {source.n}; "
        "give parent=[...], the source row of each released record"
    )
    return np.arange(released.n, dtype=np.int64), [fault]


def _twice(rows: IntArray, what: str) -> list[str]:
    """Say that several records are said to be one respondent's."""
    real = rows[rows >= 0]
    if np.unique(real).size == real.size:
        return []
    return [f"{what} names a source row twice; a respondent has at most one released record"]


def rows_by_id(source: Microdata, released: Microdata) -> IntArray:
    """Give the source row of each released record by an identifier that both files hold and that names each respondent.

    A record whose identifier is not in the source file, or a file without one, is not known to be anybody's, nor nobody's.
    """
    for name in _naming(source, released):
        place = {one: row for row, one in enumerate(id_texts(source.columns[name]))}
        rows = [place.get(one, UNKNOWN) for one in id_texts(released.columns[name])]
        if any(row >= 0 for row in rows):
            return np.asarray(rows, dtype=np.int64)
    return np.full(released.n, UNKNOWN, dtype=np.int64)


def _naming(source: Microdata, released: Microdata) -> list[str]:
    """Give the identifiers of both files that name each respondent once."""
    held = [n for n in source.with_role(Role.IDENTIFIER) if n in released.columns]
    texts = {n: id_texts(source.columns[n]) for n in held}
    return [n for n in held if None not in (people := set(texts[n])) and len(people) == len(texts[n])]


def owner_faults(source: Microdata, released: Microdata, parent: IntArray, *, said: bool) -> list[str]:
    """Say where identifiers that both files hold tell that records belong to others than their parents.

    One that several respondents share, or that some lack, as names often are, names nobody for sure and is not looked at.

    Args:
        source: the source file.
        released: the released file.
        parent: the source row each released record is said to come from.
        said: whether someone said so with `parent`; otherwise it is the order of the files, or the ids themselves. Ids of
            which none is in the source may then be new ones.
    """
    faults = []
    for name in _naming(source, released):
        ours, theirs = id_texts(source.columns[name]), id_texts(released.columns[name])
        people = set(ours)
        told = sum(one is not None for one in theirs)
        known = [(one, int(row)) for one, row in zip(theirs, parent, strict=True) if one in people]
        leave = f"leave it out, released.without([{name!r}]), where it names nobody"
        if told and not known and not said:
            faults.append(
                f"both files hold the identifier {name!r}, and none of its {told:,} values in the released file is in the "
                f"source file; write ids alike in both, give parent=[...] where they were numbered anew, or {leave}"
            )
        wrong = sum(row == -1 or (row >= 0 and ours[row] != one) for one, row in known)
        if wrong:
            faults.append(
                f"by the identifier {name!r}, {wrong:,} of {len(known):,} released records belong to another source row "
                f"than said; leave same_order out, so that the identifier says it, give parent=[...], or {leave}"
            )
    return faults
