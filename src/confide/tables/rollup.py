"""Add up records to cells, and cells to totals, level by level.

Cells are only those that occur. Of the contributions to a cell the largest are kept, and those of contributors who stand in
several cells: only these can be among the largest of a total.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.data.packing import pack
from confide.risk.frequency.kernels import number_hashed
from confide.tables.dimension import Dimension
from confide.tables.kernels import largest_of_cells, may_be_large
from confide.typing import AnyArray, BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Contributions to cells, the largest first; those of a contributor to one cell are one."""

    cell: IntArray
    holder: IntArray
    amount: FloatArray
    """Without its sign."""
    signed: FloatArray
    weight: FloatArray
    """How many respondents make it."""
    marks: IntArray
    """The classes of contributors as bits; everyone is in the first."""

    def take(self, rows: AnyArray) -> Shares:
        """Keep some of them, in the order given."""
        return Shares(*(getattr(self, f)[rows] for f in ("cell", "holder", "amount", "signed", "weight", "marks")))


@dataclass(frozen=True, slots=True, eq=False)
class Added:
    """Cells with what was added up so far."""

    codes: IntArray
    """One row per cell: codes of the dimensions done, places among the leaves of the others."""
    sums: FloatArray
    """One row each: values, weights, of contributions left out their absolute sum, number, and number other than 0; then
    whatever else is added up."""
    shares: Shares
    several: bool
    """Whether a contributor may stand in several cells."""


@dataclass(frozen=True, slots=True, eq=False)
class RolledUp:
    """Cells of all levels, ordered by their codes."""

    codes: IntArray
    values: FloatArray
    weights: FloatArray
    absolute: FloatArray
    respondents: IntArray
    active: IntArray
    largest: FloatArray
    """Classes x cells x places."""
    contributors: IntArray
    further: FloatArray
    """One row for each further sum."""


def roll_up(start: Added, dimensions: Sequence[Dimension], classes: int, top: int) -> RolledUp:
    """Add inner cells up to all their totals."""
    found: list[tuple[AnyArray, ...]] = []
    _descend(_pruned(start, classes, top), 0, dimensions, classes, top, found)
    codes, sums, largest, who = (np.concatenate([f[i] for f in found], axis=a) for i, a in ((0, 0), (1, 1), (2, 1), (3, 0)))
    order = np.argsort(cell_keys(codes, dimensions), kind="stable")
    sums = sums[:, order]
    counts = np.rint(sums[3:5]).astype(np.int64)
    return RolledUp(codes[order], sums[0], sums[1], sums[2], counts[0], counts[1], largest[:, order], who[order], sums[5:])


def cell_keys(codes: IntArray, dimensions: Sequence[Dimension]) -> IntArray:
    """Write the codes of each cell as one number that orders like them."""
    zero = np.zeros(codes.shape[0], dtype=np.int64)
    return pack([zero, *codes.T], [1, *(d.size for d in dimensions)])


def _descend(
    state: Added, d: int, dimensions: Sequence[Dimension], classes: int, top: int, found: list[tuple[AnyArray, ...]]
) -> None:
    """Add up over each level of dimension d, then go on to the next dimension."""
    if d == len(dimensions):
        found.append(_finished(state, classes, top))
        return
    for row in dimensions[d].rows:
        below = _coarser(state, d, row, dimensions)
        if below.codes.shape[0]:
            _descend(_pruned(below, classes, top), d + 1, dimensions, classes, top, found)


def _coarser(state: Added, d: int, row: IntArray, dimensions: Sequence[Dimension]) -> Added:
    """Replace the leaves of dimension d by codes of one level, and join cells that become the same."""
    codes = state.codes.copy()
    codes[:, d] = row[codes[:, d]] if row.size else 0
    valid = codes[:, d] >= 0
    if row.size and valid.all() and np.unique(row).size == row.size:
        return replace(state, codes=codes)
    kept = np.flatnonzero(valid)
    packed = pack([np.zeros(kept.size, dtype=np.int64), *codes[kept].T], [1, *(x.size for x in dimensions)])
    of, size = number_hashed(packed)
    first = np.empty(size.size, dtype=np.int64)
    first[of[::-1]] = kept[::-1]
    sums = np.stack([np.bincount(of, weights=s[kept], minlength=size.size).astype(np.float64) for s in state.sums])
    to = np.full(valid.size, -1, dtype=np.int64)
    to[kept] = of
    shares = state.shares if valid.all() else state.shares.take(to[state.shares.cell] >= 0)
    shares = replace(shares, cell=to[shares.cell])
    return Added(codes[first], sums, joined(shares) if state.several else shares, state.several)


def joined(shares: Shares) -> Shares:
    """Add up what a contributor contributes to a cell, and put the largest first."""
    if not shares.cell.size:
        return shares
    of, size = number_hashed(pack([shares.cell, shares.holder], [int(shares.cell.max()) + 1, int(shares.holder.max()) + 1]))
    if size.size < shares.cell.size:
        first = np.empty(size.size, dtype=np.int64)
        first[of[::-1]] = np.arange(of.size)[::-1]
        signed = np.bincount(of, weights=shares.signed, minlength=size.size).astype(np.float64)
        marks = shares.marks[first]
        if shares.marks.size and shares.marks.max() > 1:
            marks = np.zeros(size.size, dtype=np.int64)
            np.bitwise_or.at(marks, of, shares.marks)
        shares = replace(shares.take(first), signed=signed, amount=np.abs(signed), marks=marks)
        shares = shares.take(np.argsort(-shares.amount, kind="stable"))
    return shares


def _pruned(state: Added, classes: int, top: int) -> Added:
    """Leave out contributions that can never be among the largest, after adding them to what is left out."""
    shares, cells = state.shares, state.codes.shape[0]
    alone: BoolArray = np.ones(shares.cell.size, dtype=np.bool_)
    if state.several and shares.holder.size:
        alone = np.equal(np.bincount(shares.holder)[shares.holder], 1)
    keep = may_be_large(shares.cell, shares.weight, shares.marks, alone, cells, classes, top)
    if keep.all():
        return state
    return replace(state, sums=_with(state.sums, shares, ~keep, cells), shares=shares.take(keep))


def _with(sums: FloatArray, shares: Shares, chosen: BoolArray, cells: int) -> FloatArray:
    """Add contributions to the sums of those left out."""
    cell, amount = shares.cell[chosen], shares.amount[chosen]
    added = sums.copy()
    added[2] += np.bincount(cell, weights=amount * shares.weight[chosen], minlength=cells)
    added[3] += np.bincount(cell, minlength=cells)
    added[4] += np.bincount(cell, weights=(amount > 0).astype(np.float64), minlength=cells)
    return added


def _finished(state: Added, classes: int, top: int) -> tuple[AnyArray, ...]:
    """Give codes, sums over all contributions, the largest ones and who makes them."""
    shares, cells = state.shares, state.codes.shape[0]
    sums = _with(state.sums, shares, np.ones(shares.cell.size, dtype=np.bool_), cells)
    largest, who = largest_of_cells(
        shares.cell, shares.amount, shares.weight, shares.marks, shares.holder, cells, classes, top
    )
    return state.codes, sums, largest, who
