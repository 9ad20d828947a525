"""Released columns that name each record: numbers of persons, of rows, of files."""

from __future__ import annotations

import numpy as np

from confide.release.released import Released

FEWEST = 20
"""Of fewer records nothing can be said."""


def unique_columns(released: Released) -> tuple[str, ...]:
    """Name released columns of text or whole numbers, masked by no step, that hold no value twice.

    Where they number persons, or rows of the source, they undo the random order of the records.

    Args:
        released: the released file.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"person": list(range(20)), "sex": ["m", "f"] * 10})
    >>> unique_columns(cf.Release().apply(data))
    ('person',)
    """
    masked = {name for step in released.steps for name in step.channels}
    return tuple(n for n in released.data.names if n not in masked and _all_distinct(released, n))


def _all_distinct(released: Released, name: str) -> bool:
    """Say whether a column of text or whole numbers holds no value twice, blanks aside."""
    column = released.data.columns[name]
    numbers, codes = column.numbers[column.is_number], column.codes[column.codes >= 0]
    if numbers.size + codes.size < FEWEST or bool(np.any(numbers != np.floor(numbers))):
        return False
    return bool(np.unique(numbers).size == numbers.size and np.unique(codes).size == codes.size)
