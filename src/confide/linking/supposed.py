"""Does what an intruder supposes fit what the released file shows?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.column import Column
from confide.errors import LikelihoodError
from confide.linking.links import Links
from confide.typing import BoolArray

SHOWN = 4
"""So many categories of a released variable are named."""


def refuse_contradicted(links: Links) -> None:
    """Raise where what is supposed rules out every record for every target whose record is in the file.

    An intruder who looks at the file sees that it was not made so. A risk of zero would be no finding about the file.
    """
    supposes, evidence = links.evidence.intruder.supposes, links.evidence
    there = _in_file(links)
    if supposes is None or not there.any() or bool(np.any(links.best[there] > 0)):
        return
    data = evidence.released.data
    names = [n for m in supposes.methods for n in m.variables if n in evidence.intruder.variables and n in data.columns]
    names = list(dict.fromkeys(names)) or [n for n in evidence.intruder.variables if n in data.columns]
    raise LikelihoodError(
        f"{evidence.intruder.title!r} supposes this masking: {'; '.join(supposes.describe())}. Then no released record can "
        f"belong to any of the {int(there.sum()):,} targets in the file, so it was not masked like that. The file shows "
        f"{_listed([f'{n!r} as {shown(data.columns[n])}' for n in names])}. Suppose the masking that leads to these, or "
        "leave supposes out"
    )


def _in_file(links: Links) -> BoolArray:
    """Say which targets are in the file: those with a record there; where records have no owner, all who are known to be."""
    if links.evidence.released.source is not None:
        return links.evidence.own_records >= 0
    return np.full(links.n, links.evidence.intruder.target_in_file)


def shown(column: Column) -> str:
    """Say what form the values of a released variable have; categories are named, numbers are not.

    >>> shown(Column.of_labels(["[0, 10)", "[10, 20)"])), shown(Column.of_numbers([3.0]))
    ("'[0, 10)' and '[10, 20)'", 'numbers')
    """
    used = [repr(str(column.labels[c])) for c in np.unique(column.codes[column.codes >= 0])]
    more = [f"{len(used) - SHOWN:,} more categories"] if len(used) > SHOWN else []
    numbers = ["numbers"] if bool(column.is_number.any()) else []
    return _listed([*used[:SHOWN], *more, *numbers]) or "missing"


def _listed(parts: Sequence[str]) -> str:
    """Join as in a sentence."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
