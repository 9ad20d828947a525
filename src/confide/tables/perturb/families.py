"""Round from the top down: totals first, then the parts of totals that are rounded, family by family."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array, csr_array

from confide.errors import Unprotectable
from confide.tables.audit.reduce import components
from confide.tables.perturb.grid import Grid
from confide.tables.perturb.programme import Effort, nearest_multiples
from confide.tables.protect.clock import Clock
from confide.tables.system import System
from confide.typing import FloatArray, IntArray

SMALL = 400
"""Components are put together into programmes of about so many cells."""
EFFORT = Effort(gap=0.01, nodes=50)
"""What is spent on one programme; never time, so that the same input gives the same rounding."""


def depths(equations: csr_array) -> IntArray:
    """Count how many totals a cell lies below, along the longest way; cells in a circle of totals keep a finite depth.

    >>> depths(csr_array(np.array([[-1.0, 1, 1, 0], [0, 0, -1, 1]]))).tolist()
    [0, 1, 1, 2]
    """
    m, n = equations.shape
    found = np.zeros(n, dtype=np.int64)
    row = np.repeat(np.arange(m), np.diff(equations.indptr))
    part = equations.data > 0
    for _ in range(min(n, 1000)):
        deepest = np.full(m, -1, dtype=np.int64)
        np.maximum.at(deepest, row[~part], found[equations.indices[~part]])
        new = found.copy()
        np.maximum.at(new, equations.indices[part], deepest[row[part]] + 1)
        if np.array_equal(new, found):
            break
        found = new
    return found


def top_down(system: System, grid: Grid, most: int, clock: Clock) -> FloatArray | None:
    """Round layer by layer; parts of rounded totals that do not hang together are rounded apart. None: a family has none.

    A family whose cells cannot all keep to their neighbouring multiples may take more steps, up to the most.
    """
    a = system.equations
    depth = depths(a)
    row = np.repeat(np.arange(a.shape[0]), np.diff(a.indptr))
    layer = np.zeros(a.shape[0], dtype=np.int64)
    np.maximum.at(layer, row, depth[a.indices])
    k = np.zeros(system.n)
    for d in range(int(depth.max(initial=-1)) + 1):
        cells = np.flatnonzero(depth == d)
        rows = a[np.flatnonzero(layer == d)]
        target = -(rows @ k)
        own = csr_array(csc_array(rows)[:, cells])
        for at in _groups(own):
            clock.check()
            part = csr_array(csc_array(own)[:, at])
            held = np.flatnonzero(np.diff(part.indptr))
            found = _family(grid, part[held], target[held], cells[at], most)
            if found is None:
                return None
            k[cells[at]] = found
    return k


def _groups(a: csr_array) -> list[IntArray]:
    """Put components together until they are not too small."""
    component = components(a)
    order = np.argsort(component, kind="stable")
    ends = np.cumsum(np.bincount(component)) if component.size else np.zeros(0, dtype=np.int64)
    found, start = [], 0
    for i, end in enumerate(ends.tolist()):
        if i + 1 == ends.size or ends[i + 1] - start > SMALL:
            found.append(np.sort(order[start:end]))
            start = end
    return found


def _family(grid: Grid, a: csr_array, target: FloatArray, cells: IntArray, most: int) -> FloatArray | None:
    """Round some cells whose totals are rounded, with as few steps as are enough."""
    if not a.shape[0]:
        return np.where(grid.above[cells] - grid.units[cells] <= grid.units[cells] - grid.below[cells],
                        grid.above[cells], grid.below[cells])  # fmt: skip
    steps = 1
    while steps <= most:
        found = nearest_multiples(grid, a, target, cells, steps, EFFORT)
        if found.multiples is None and not found.proven:
            found = nearest_multiples(grid, a, target, cells, steps, Effort(gap=1.0, nodes=20 * (EFFORT.nodes or 1)))
        if found.multiples is not None:
            return found.multiples
        steps += max(1, steps // 2)
    return None


def bottom_up(system: System, grid: Grid) -> FloatArray | None:
    """Round the cells that are no totals to their nearest multiples and add them up; None where bounds forbid the sums."""
    a = system.equations
    depth = depths(a)
    k = np.floor(grid.units + 0.5)
    row = np.repeat(np.arange(a.shape[0]), np.diff(a.indptr))
    total = np.flatnonzero(a.data < 0)
    at = total[np.argsort(-depth[a.indices[total]], kind="stable")]
    for e, cell in zip(row[at].tolist(), a.indices[at].tolist(), strict=True):
        own = slice(a.indptr[e], a.indptr[e + 1])
        part = a.data[own] > 0
        k[cell] = float(k[a.indices[own][part]].sum())
    good = not bool(np.any(np.abs(a @ k) > 0.5)) and bool(np.all((k >= grid.least) & (k <= grid.most)))
    return k if good else None


def no_rounding(system: System, grid: Grid, fixed: IntArray, most: int) -> Unprotectable:
    """Say why there is no rounding: the fewest equations that have none, and their fixed cells."""
    a = system.equations
    keep = np.arange(a.shape[0])
    size = max(1, keep.size // 2)
    tries = 0
    while size >= 1 and tries < 200:
        start = 0
        while start < keep.size and tries < 200:
            rest = np.delete(keep, slice(start, start + size))
            tries += 1
            if _none(grid, a[rest], most):
                keep = rest
            else:
                start += size
        size //= 2
    held = np.unique(a[keep].indices) if keep.size else fixed
    tied = np.intersect1d(fixed, held)
    shown = "; ".join(system.equation(int(e)) for e in keep[:3])
    what = f" with {tied.size:,} fixed cell(s): {system.listed(tied)}" if tied.size else ""
    return Unprotectable(
        f"no rounding within {most} step(s) adds up in {shown}{what}; fix fewer cells, or allow more steps",
        int(tied[0] if tied.size else held[0]), tied.tolist(), keep.tolist(),
    )  # fmt: skip


def _none(grid: Grid, a: csr_array, most: int) -> bool:
    """Say whether it is proven that some equations have no rounding."""
    cells = np.unique(a.indices).astype(np.int64)
    part = csr_array(csc_array(a)[:, cells])
    found = nearest_multiples(grid, part, np.zeros(part.shape[0]), cells, most, Effort(gap=1.0, nodes=200))
    return found.proven and found.multiples is None
