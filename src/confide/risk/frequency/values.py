"""A sensitive variable within the cells of the keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.codebook import Kind
from confide.risk.frequency.cells import coded, file_cells
from confide.risk.frequency.kernels import within_cells
from confide.risk.frequency.keys import File, Keys, key_names, records_of_file, sensitive_name
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The values of a variable, as positions among those that occur, in order within each cell."""

    cell: IntArray
    """The cell of each record."""
    ordered: IntArray
    """The positions of all values, cell by cell."""
    start: IntArray
    """Where each cell starts in it."""
    share: FloatArray
    """The share of each value in the whole file."""
    kind: Kind
    """How values are to be read."""
    missing: int
    """How many are missing; these have the last position."""

    def told(self) -> tuple[Values, BoolArray]:
        """Leave out what is missing: the values that are told, in the cells that tell any, and which cells do."""
        last = self.share.size - 1
        kept = self.ordered != last if self.missing else np.ones(self.ordered.size, dtype=np.bool_)
        start = np.concatenate([[0], np.cumsum(kept)])[self.start]
        tells = np.diff(start) > 0
        share = self.share[: last if self.missing else None]
        some = np.concatenate([start[:-1][tells], start[-1:]]).astype(np.int64)
        return Values(self.cell, self.ordered[kept], some, share / share.sum() if share.size else share, self.kind, 0), tells

    def per_record(self, of_cells: FloatArray) -> FloatArray:
        """Give every record the figure of its cell."""
        return of_cells[self.cell]


def values_within(data: File, keys: Keys, sensitive: str) -> Values:
    """Put the values of a sensitive variable in order within the cells of the keys."""
    file = records_of_file(data)
    names = key_names(file, keys)
    column = coded(file.column(sensitive_name(file, sensitive, names)))
    counts = np.bincount(column.ids, minlength=column.width)
    occurs = counts > 0
    ids = column.ids if occurs.all() else (np.cumsum(occurs) - 1)[column.ids]
    cells = file_cells(file, names)
    ordered, start = within_cells(cells.of, cells.size, ids, int(occurs.sum()))
    share = counts[occurs] / file.n
    missing = int(counts[-1]) if column.has_missing else 0
    return Values(cells.of, ordered, start, share, file.variables[sensitive].kind, missing)
