"""Do the identifiers of a released file that someone else made agree with what is said about whose its records are?"""

from __future__ import annotations

from confide.data.codebook import Role
from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.typing import IntArray


def id_texts(column: Column) -> list[str | None]:
    """Give ids as text, so that 7 and '7' are the same person; None where there is none.

    >>> id_texts(Column.of_numbers([7.0, float("nan")]))
    ['7', None]
    """
    return [None if one is None else str(one) for one in column.values()]


def owner_faults(source: Microdata, released: Microdata, parent: IntArray, *, said: bool) -> list[str]:
    """Say where identifiers that both files hold tell that records belong to others than their parents.

    One that several respondents share, or that some lack, as names often are, names nobody for sure and is not looked at.

    Args:
        source: the source file.
        released: the released file.
        parent: the source row each released record is said to come from.
        said: whether someone said so; otherwise it is the order of the files. Ids of which none is in the source may then be
            new ones.
    """
    faults = []
    for name in (n for n in source.with_role(Role.IDENTIFIER) if n in released.columns):
        ours, theirs = id_texts(source.columns[name]), id_texts(released.columns[name])
        people = set(ours)
        if None in people or len(people) < len(ours):
            continue
        told = sum(one is not None for one in theirs)
        known = [(one, int(row)) for one, row in zip(theirs, parent, strict=True) if one in people]
        leave = f"leave it out, released.without([{name!r}]), where it names nobody"
        if told and not known and not said:
            faults.append(
                f"both files hold the identifier {name!r}, and none of its {told:,} values in the released file is in the "
                f"source file; write ids alike in both, give parent=[...] where they were numbered anew, or {leave}"
            )
        wrong = sum(row < 0 or ours[row] != one for one, row in known)
        if wrong:
            faults.append(
                f"by the identifier {name!r}, {wrong:,} of {len(known):,} released records belong to another source row "
                f"than said; give parent=[...], the source row of each released record, or {leave}"
            )
    return faults
