"""Changes of cells that others claim to keep all sums: checked here, then used as proofs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from confide.tables.audit.view import View
from confide.typing import FloatArray, IntArray

ROUNDING = 1e-6
"""How far sums and bounds may be missed, as a share of the largest amount that moves."""


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
    system = view.system
    live = view.reduced.column >= 0
    for chunk in range(0, len(witnesses), 500):
        some = [w for w in witnesses[chunk : chunk + 500] if w.cells.size]
        if not some:
            continue
        d = stacked(some, system.n)
        unit = np.array([np.abs(w.amounts).max() for w in some])
        off = abs(d @ system.equations.T).max(axis=1).toarray().ravel() if system.equations.shape[0] else np.zeros(len(some))
        good = off <= ROUNDING * unit
        for w, size, ok in zip(some, unit.tolist(), good.tolist(), strict=True):
            at = np.searchsorted(view.cells, w.cells)
            at[at == view.cells.size] = 0
            x = system.values[w.cells] + w.amounts
            slack = ROUNDING * size
            inside = (x >= system.lower[w.cells] - slack) & (x <= system.upper[w.cells] + slack)
            if ok and bool(inside.all()) and np.array_equal(view.cells[at], w.cells) and bool(live[at].all()):
                _learn(view, at, w.amounts)


def stacked(witnesses: Sequence[Witness], n: int) -> csr_array:
    """Put witnesses into one sparse table, a row for each."""
    ends = np.cumsum([0] + [w.cells.size for w in witnesses])
    places, amounts = np.concatenate([w.cells for w in witnesses]), np.concatenate([w.amounts for w in witnesses])
    return csr_array((amounts, places, ends), shape=(len(witnesses), n))


def _learn(view: View, at: IntArray, amounts: FloatArray) -> None:
    """Turn a change of cells into one of columns."""
    columns, first = np.unique(view.reduced.column[at], return_index=True)
    moved = amounts[first] / view.reduced.ratio[at[first]]
    for i in np.unique(view.block[columns]):
        b, mine = view.blocks[i], view.block[columns] == i
        d = np.zeros(b.columns.size)
        d[view.place[columns[mine]]] = moved[mine]
        b.learn(np.clip(d, b.low, b.high), b.reach)
