"""Find cells by their codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.packing import groups
from confide.tables.table import Table
from confide.typing import IntArray

ABSENT, UNKNOWN = -1, -2


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The cells that rows of codes name."""

    cells: IntArray
    """The cell of each row; -1 where no record contributes to it, -2 where a code is not known."""
    unknown: tuple[tuple[str, str], ...]
    """Dimensions and codes that the table does not have, each once."""


def places_of(table: Table, columns: Sequence[Sequence[str]]) -> Places:
    """Find the cell of each row of codes, one column for each dimension; an empty code is the total.

    >>> import confide as cf
    >>> table = cf.tabulate(cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3, 4]}), ["sex"], "x")
    >>> found = places_of(table, [["m", "", "?"]])
    >>> found.cells.tolist(), found.unknown
    ([2, 0, -2], (('sex', '?'),))
    """
    rows = len(columns[0]) if columns else 0
    codes = np.zeros((rows, len(table.dimensions)), dtype=np.int64)
    unknown: dict[tuple[str, str], None] = {}
    for k, (d, texts) in enumerate(zip(table.dimensions, columns, strict=True)):
        at = {c: i for i, c in enumerate(d.codes)} | {"": 0}
        codes[:, k] = [at.get(t.strip(), UNKNOWN) for t in texts]
        unknown |= {(d.name, t.strip()): None for t in texts if t.strip() not in at}
    found = np.full(rows, ABSENT, dtype=np.int64)
    known = np.flatnonzero((codes >= 0).all(axis=1))
    both = np.concatenate([table.codes, codes[known]])
    _, group = groups(list(both.T), both.shape[0])
    cell = np.full(int(group.max(initial=-1)) + 1, ABSENT, dtype=np.int64)
    cell[group[: table.n]] = np.arange(table.n)
    found[known] = cell[group[table.n :]]
    found[(codes < 0).any(axis=1)] = UNKNOWN
    return Places(found, tuple(unknown))
