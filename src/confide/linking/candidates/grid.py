"""Records sorted into the cells of a grid, and the loop over the records in a respondent's box.

The grid has at most three of the coordinates. Cells are numbered so that those next to each other along the last one are
contiguous: a box is a few stretches of sorted records.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from confide.intruder.appearance.appearance import LAPLACE, NORMAL
from confide.typing import AnyArray, FloatArray, IntArray

MOST_AXES = 3
CELLS_A_BOX = 3.0
"""A typical box is so many cells wide."""


class Grid(NamedTuple):
    """Records in cells."""

    axes: IntArray
    """The coordinates used, three of them; where there are fewer, the first again with a single cell."""
    low: FloatArray
    """Where the first cell starts."""
    per_side: FloatArray
    """One over the side of a cell."""
    cells: IntArray
    """How many cells there are along each."""
    start: IntArray
    """The first record of each cell; the last entry ends the list."""
    order: IntArray
    """The records, sorted by cell."""


class Boxes(NamedTuple):
    """Where the record of each respondent is expected, and the shape of its density."""

    lower: FloatArray
    upper: FloatArray
    centre: FloatArray
    per_scale: FloatArray
    shape: IntArray
    limit: float
    """The largest sum of shapes that is kept."""


def make_grid(z: FloatArray, lower: FloatArray, upper: FloatArray) -> Grid:
    """Sort records into cells about a third of a typical box wide.

    Args:
        z: the coordinates of the records; those with an infinite one are in no cell.
        lower: the lower ends of the respondents' boxes.
        upper: the upper ends.
    """
    kept = np.flatnonzero(np.isfinite(z).all(axis=1))
    inside = z[kept]
    low, high = inside.min(axis=0), inside.max(axis=0)
    width = np.median(upper - lower, axis=0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        worth = np.where(np.isfinite(width) & (width > 0), (high - low) / width * CELLS_A_BOX, 0.0)
    worth[(width == 0) & (high > low)] = float(kept.size)
    axes = np.argsort(-worth, kind="stable")[:MOST_AXES]
    wanted = np.clip(worth[axes], 1.0, float(kept.size))
    most = 4.0 * kept.size + 64.0
    while wanted.prod() > most:
        # a little less than the most, so that rounding cannot keep the product above it for ever
        wanted = np.maximum(wanted * (0.99 * most / wanted.prod()) ** (1 / np.count_nonzero(wanted > 1.0)), 1.0)
    cells = np.maximum(wanted.astype(np.int64), 1)
    side = np.where(high[axes] > low[axes], (high[axes] - low[axes]) / cells, 1.0)
    starts, per_side, missing = low[axes], 1 / side, MOST_AXES - axes.size
    if missing:
        axes, cells = np.append(axes, [0] * missing), np.append(cells, [1] * missing)
        starts, per_side = np.append(starts, [0.0] * missing), np.append(per_side, [0.0] * missing)
    number = np.zeros(kept.size, dtype=np.int64)
    for k in range(MOST_AXES):
        number = number * cells[k] + cell_of(inside[:, axes[k]], starts[k], per_side[k], int(cells[k]))
    order = np.argsort(number, kind="stable")
    start = np.concatenate(([0], np.cumsum(np.bincount(number, minlength=int(cells.prod())))))
    return Grid(axes.astype(np.int64), starts, per_side, cells, start.astype(np.int64), kept[order])


def cell_of(values: FloatArray, low: float, per_side: float, cells: int) -> IntArray:
    """Give the cell of each value, the first or the last where it is outside."""
    return np.clip(np.nan_to_num((values - low) * per_side), 0, cells - 1).astype(np.int64)


@njit(cache=True, nogil=True, inline="always")
def _cell(value: float, low: float, per_side: float, cells: int) -> int:
    """Give the cell of a value, the first or the last where it is outside."""
    if per_side == 0.0 or not value > low:
        return 0
    x = (value - low) * per_side
    return cells - 1 if x >= cells else int(x)


@njit(cache=True, nogil=True, inline="always")
def _away(j: int, i: int, z: FloatArray, boxes: Boxes) -> float:
    """Give the sum of the shapes of record j under respondent i; infinite outside the box."""
    total = 0.0
    for k in range(z.shape[1]):
        x = z[j, k]
        if not (boxes.lower[i, k] <= x <= boxes.upper[i, k]):
            return math.inf
        if boxes.shape[k] == NORMAL:
            x = (x - boxes.centre[i, k]) * boxes.per_scale[i, k]
            total += 0.5 * x * x
        elif boxes.shape[k] == LAPLACE:
            total += abs(x - boxes.centre[i, k]) * boxes.per_scale[i, k]
    return total


@njit(cache=True, nogil=True)
def search(
    first: int, last: int, people: IntArray, z: FloatArray, boxes: Boxes, grid: Grid, start: IntArray, record: AnyArray,
    away: FloatArray, count: IntArray, fill: bool,  # noqa: FBT001
) -> None:  # fmt: skip
    """Count, or fill in, the records in the boxes of some respondents.

    Args:
        first: the first place in `people`.
        last: one past the last.
        people: the respondents, in an order that keeps neighbours together.
        z: the coordinates of the records, sorted by cell as `grid.order`.
        boxes: of all respondents.
        grid: the cells.
        start: where each respondent's pairs start.
        record: filled with records.
        away: filled with sums of shapes.
        count: filled with the number of records of each respondent.
        fill: whether to fill or to count.
    """
    ax, low, per, cells = grid.axes, grid.low, grid.per_side, grid.cells
    for t in range(first, last):
        i = people[t]
        a0 = _cell(boxes.lower[i, ax[0]], low[0], per[0], cells[0])
        b0 = _cell(boxes.upper[i, ax[0]], low[0], per[0], cells[0])
        a1 = _cell(boxes.lower[i, ax[1]], low[1], per[1], cells[1])
        b1 = _cell(boxes.upper[i, ax[1]], low[1], per[1], cells[1])
        a2 = _cell(boxes.lower[i, ax[2]], low[2], per[2], cells[2])
        b2 = _cell(boxes.upper[i, ax[2]], low[2], per[2], cells[2])
        found = 0
        for c0 in range(a0, b0 + 1):
            for c1 in range(a1, b1 + 1):
                row = (c0 * cells[1] + c1) * cells[2]
                for q in range(grid.start[row + a2], grid.start[row + b2 + 1]):
                    g = _away(q, i, z, boxes)
                    if g <= boxes.limit and g < math.inf:
                        if fill:
                            record[start[i] + found], away[start[i] + found] = grid.order[q], g
                        found += 1
        if not fill:
            count[i] = found
