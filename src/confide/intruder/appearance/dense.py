"""The log density of every record under every respondent."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from confide.errors import IntruderError
from confide.intruder.appearance.appearance import Appearance
from confide.intruder.appearance.check import as_records
from confide.typing import FloatArray

PAIRS_AT_ONCE = 2**20


def log_densities(appearance: Appearance, records: npt.ArrayLike, *, most: int = 2**28) -> FloatArray:
    """Give the log densities of all pairs, records by respondents; -inf where a pair is impossible.

    Args:
        appearance: the beliefs.
        records: the released records, records by variables.
        most: the largest number of pairs that is tabulated (2**28 take 2 GB).

    >>> from confide.intruder.appearance.normal import NormalAppearance
    >>> log_densities(NormalAppearance([0.0, 1.0], sd=1.0), [0.0]).round(4).tolist()
    [[-0.9189, -1.4189]]
    """
    table = as_records(records, appearance.variables)
    n, respondents = int(table.shape[0]), appearance.respondents
    if n * respondents > most:
        raise IntruderError(
            f"{n} records by {respondents} respondents are {n * respondents} pairs, more than {most}; "
            f"take fewer of them, or set most={n * respondents} to use {n * respondents * 8 / 2**30:.1f} GB"
        )
    found = np.empty((n, respondents))
    rows = max(1, PAIRS_AT_ONCE // respondents)
    everyone = np.arange(respondents, dtype=np.int64)
    for start in range(0, n, rows):
        some = table[start : start + rows]
        record = np.repeat(np.arange(some.shape[0], dtype=np.int64), respondents)
        found[start : start + rows] = appearance.log_density(some, record, np.tile(everyone, some.shape[0])).reshape(
            -1, respondents
        )
    return found
