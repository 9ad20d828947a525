"""Changes of cells that others claim to keep all sums: checked here, then used as proofs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from confide.tables.audit.view import View
from confide.typing import BoolArray, FloatArray, IntArray

ROUNDING = 1e-6
"""How far sums and bounds may be missed, as a share of the largest amount that moves."""
CHUNK = 20_000
"""How many are checked at a time."""


class Witness(Protocol):
    """Cells and the amounts by which they change."""

    @property
    def cells(self) -> IntArray:
        """The cells."""

    @property
    def amounts(self) -> FloatArray:
        """The amounts, not 0."""


def take_in(view: View, witnesses: Sequence[Witness]) -> None:
    """Let the blocks learn the witnesses that hold: suppressed cells only, all sums kept, all bounds too."""
    for first in range(0, len(witnesses), CHUNK):
        some = [w for w in witnesses[first : first + CHUNK] if w.cells.size]
        if some:
            _learn(view, stacked(some, view.system.n))


def stacked(witnesses: Sequence[Witness], n: int) -> csr_array:
    """Put witnesses into one sparse table, a row for each."""
    ends = np.cumsum([0] + [w.cells.size for w in witnesses])
    places, amounts = np.concatenate([w.cells for w in witnesses]), np.concatenate([w.amounts for w in witnesses])
    return csr_array((amounts, places, ends), shape=(len(witnesses), n))


def _holds(view: View, d: csr_array, at: IntArray) -> BoolArray:
    """Say which witnesses hold."""
    system = view.system
    unit = np.maximum.reduceat(np.abs(d.data), d.indptr[:-1])
    off = abs(d @ system.equations.T).max(axis=1).toarray().ravel() if system.equations.shape[0] else np.zeros(unit.size)
    slack = np.repeat(ROUNDING * unit, np.diff(d.indptr))
    x = system.values[d.indices] + d.data
    good = (x >= system.lower[d.indices] - slack) & (x <= system.upper[d.indices] + slack)
    good &= (view.cells[at] == d.indices) & (view.reduced.column[at] >= 0)
    return np.asarray((off <= ROUNDING * unit) & np.logical_and.reduceat(good, d.indptr[:-1]), dtype=np.bool_)


def _learn(view: View, d: csr_array) -> None:
    """Turn changes of cells into changes of columns, and let the blocks learn them."""
    if not view.cells.size:
        return
    at = np.minimum(np.searchsorted(view.cells, d.indices), view.cells.size - 1)
    row = np.repeat(np.arange(d.shape[0]), np.diff(d.indptr))
    fine = _holds(view, d, at)[row]
    at, row, amount = at[fine], row[fine], d.data[fine]
    column = view.reduced.column[at]
    amount = amount / view.reduced.ratio[at]
    block = view.block[column]
    # cells that move together are one column: the first stands for all
    order = np.lexsort((column, block, row))
    row, column, block, amount = row[order], column[order], block[order], amount[order]
    new = np.ones(row.size, dtype=np.bool_)
    new[1:] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
    row, column, block, amount = row[new], column[new], block[new], amount[new]
    begin = np.ones(row.size, dtype=np.bool_)
    begin[1:] = (row[1:] != row[:-1]) | (block[1:] != block[:-1])
    starts = np.flatnonzero(begin)
    place = view.place[column]
    ends = np.append(starts[1:], row.size)[: starts.size]
    for i, a, b in zip(block[starts].tolist(), starts.tolist(), ends.tolist(), strict=True):
        view.blocks[i].learn_at(place[a:b], amount[a:b])
