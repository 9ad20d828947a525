"""Find the candidates of every record from beliefs about the respondents' appearance.

A respondent is a candidate for the records inside a region that its own record leaves with probability `mass` at most: a
ball for normal, a diamond for double exponential densities, the support of uniform ones, a box for others. So the
number of candidates follows the evidence. What is left out is estimated for every record from the density of
respondents around it. Records without candidates, and respondents without records where all were released, are compared
with everybody.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from scipy import sparse
from scipy.special import chdtri, gammainccinv, gammaln

from confide.errors import LikelihoodError
from confide.intruder.appearance.appearance import LAPLACE, NORMAL, UNIFORM, Appearance, Located
from confide.linking.candidates.grid import Boxes, cell_of, make_grid, search
from confide.linking.candidates.nearness import near_order
from confide.linking.candidates.turned import by_record
from confide.linking.memory import needs_memory
from confide.linking.parallel import Progress, in_chunks, phase_of, silent
from confide.typing import AnyArray, FloatArray, IntArray

MASS = 1e-5
"""A respondent's own record is outside the region with this probability at most (for a normal in 3-D: 5.1 sd)."""
BYTES = 40
"""Of memory for each pair."""
CUT = 45.0
"""Of those compared with everybody, pairs below exp(-CUT) of the best are left out."""
PAIRS = 1 << 22
"""So many pairs are evaluated at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The possible pairs of records and respondents."""

    table: Any
    """Log densities, records by respondents, CSR."""
    dropped: FloatArray
    """For each record, an estimate of the share of its densities that was left out."""
    records: IntArray
    """The records in an order that keeps neighbours together."""
    respondents: IntArray
    """The respondents likewise."""


def find_candidates(
    appearance: Appearance, records: FloatArray, mass: float = MASS, progress: Progress = silent
) -> Candidates:
    """Find who could have produced each record.

    Args:
        appearance: beliefs about how each respondent's record would appear.
        records: the released records, one row each.
        mass: a respondent's own record is missed with this probability at most.
        progress: called with how much of how much is done.

    >>> from confide.intruder.appearance.normal import NormalAppearance
    >>> find_candidates(NormalAppearance([0.0, 1.0, 50.0], sd=1.0), np.array([[0.5], [49.0]])).table.nnz
    3
    """
    if not 0 < mass < 1:
        raise LikelihoodError(f"mass must be between 0 and 1, such as {MASS:g}; found {mass}")
    located = appearance.located(records)
    if located is None:
        z, (lower, upper) = appearance.coordinates(records), appearance.boxes(mass)
        flat = np.full(z.shape[1], UNIFORM, dtype=np.int64)
        boxes, volume = Boxes(lower, upper, lower, lower, flat, math.inf), _log_volume_of_boxes(lower, upper)
    else:
        z, (boxes, volume) = located.z, _regions(located, appearance, mass)
    start, record, away = _pairs(z, boxes, progress)
    if located is None:
        away = -_evaluated(appearance, records, start, record)
    else:
        away -= np.repeat(located.constant, np.diff(start))
    indptr, people, values = by_record(start, record, away, z.shape[0])
    values = -values
    if located is not None:
        values += np.repeat(located.jacobian, np.diff(indptr))
    jacobian = np.zeros(z.shape[0]) if located is None else located.jacobian
    if located is None:  # volumes of boxes and densities may be in different units
        dropped = np.full(z.shape[0], mass * float(np.isfinite(volume).mean()))
    else:
        dropped = _dropped(indptr, people, values, jacobian, volume, mass)
    table = sparse.csr_array((values, people, indptr), shape=(z.shape[0], appearance.respondents))
    if located is None:
        table, more = _without_faint(table, mass)
        dropped = dropped + more
    empty = np.flatnonzero((np.diff(indptr) == 0) & np.isfinite(z).all(axis=1))
    alone = np.flatnonzero(np.diff(start) == 0) if z.shape[0] == appearance.respondents else empty[:0]
    whole = completed(table, empty, alone, appearance, records)
    return Candidates(whole, unsure(whole, empty, alone, dropped), *_orders(z, boxes))


def _middle(boxes: Boxes) -> FloatArray:
    """Give the middle of each box; 0 where it has none."""
    with np.errstate(invalid="ignore", over="ignore"):
        middle = 0.5 * boxes.lower + 0.5 * boxes.upper
    return np.where(np.isfinite(middle), middle, 0.0)


def _orders(z: FloatArray, boxes: Boxes) -> tuple[IntArray, IntArray]:
    """Give orders of records and respondents that keep neighbours together."""
    fine = z[np.isfinite(z).all(axis=1)]
    if not fine.size:
        return np.arange(z.shape[0]), np.arange(boxes.lower.shape[0])
    corners = fine.min(axis=0), fine.max(axis=0)
    return near_order(z, *corners), near_order(_middle(boxes), *corners)


def _regions(located: Located, appearance: Appearance, mass: float) -> tuple[Boxes, FloatArray]:
    """Give the regions of located densities and the logs of their volumes."""
    d, shapes = located.shape.size, set(located.shape.tolist())
    log_scale = np.log(located.scale).sum(axis=1)
    if shapes == {NORMAL}:
        radius = math.sqrt(chdtri(d, mass))
        half, limit = radius, 0.5 * radius**2
        volume = 0.5 * d * math.log(math.pi) - gammaln(0.5 * d + 1) + d * math.log(radius) + log_scale
    elif shapes == {LAPLACE}:
        half = limit = float(gammainccinv(d, mass))
        volume = d * math.log(2 * limit) - gammaln(d + 1) + log_scale
    else:
        lower, upper = appearance.boxes(mass)
        boxes = Boxes(lower, upper, located.centre, 1 / located.scale, located.shape, math.inf)
        exact = shapes == {UNIFORM}
        return boxes, np.full(log_scale.size, np.inf) if exact else _log_volume_of_boxes(lower, upper)
    reach = half * located.scale
    boxes = Boxes(located.centre - reach, located.centre + reach, located.centre, 1 / located.scale, located.shape, limit)
    return boxes, np.asarray(volume, dtype=np.float64)


def _log_volume_of_boxes(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Give the log of the volume of each box; infinite where nothing was left out."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(upper - lower).sum(axis=1), dtype=np.float64)


def _pairs(z: FloatArray, boxes: Boxes, progress: Progress) -> tuple[IntArray, AnyArray, FloatArray]:
    """Give the pairs of each respondent: where they start, the records, the sums of shapes."""
    n, wide = z.shape[0], boxes.lower.shape[0]
    if not np.isfinite(z).all(axis=1).any():
        return np.zeros(wide + 1, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0)
    grid = make_grid(z, boxes.lower, boxes.upper)
    near, middle = np.zeros(wide, dtype=np.int64), _middle(boxes)
    for k in range(grid.axes.size):
        cell = cell_of(middle[:, grid.axes[k]], grid.low[k], grid.per_side[k], int(grid.cells[k]))
        near = near * grid.cells[k] + cell
    people, sorted_z = np.argsort(near, kind="stable"), np.ascontiguousarray(z[grid.order])
    count, chunk = np.zeros(wide, dtype=np.int64), max(1024, wide // 64)
    nothing = (np.zeros(wide + 1, dtype=np.int64), np.zeros(0, dtype=np.int32), np.zeros(0), count)

    def counted(first: int, last: int) -> None:
        search(first, last, people, sorted_z, boxes, grid, *nothing, False)

    in_chunks(counted, wide, chunk, phase_of(progress, 0, 2))
    start = np.concatenate(([0], np.cumsum(count))).astype(np.int64)
    needs_memory(BYTES * int(start[-1]), f"{int(start[-1]):,} possible pairs of {n:,} records and {wide:,} respondents")
    record, away = np.empty(start[-1], dtype=np.int32), np.empty(start[-1])

    def filled(first: int, last: int) -> None:
        search(first, last, people, sorted_z, boxes, grid, start, record, away, count, True)

    in_chunks(filled, wide, chunk, phase_of(progress, 1, 2))
    return start, record, away


def _evaluated(appearance: Appearance, records: FloatArray, start: IntArray, record: AnyArray) -> FloatArray:
    """Ask the beliefs for the log densities of the pairs, some at a time."""
    person = np.repeat(np.arange(start.size - 1), np.diff(start))
    out = np.empty(record.size)
    for at in range(0, record.size, PAIRS):
        part = slice(at, at + PAIRS)
        out[part] = appearance.log_density(records, record[part].astype(np.int64), person[part])
    return out


def _without_faint(table: Any, mass: float) -> tuple[Any, FloatArray]:
    """Leave out pairs that are next to nothing to both sides; give the table and the share each record lost.

    All such pairs of a record together have at most `mass` of its largest density, and those of a respondent likewise.
    """
    n, wide = table.shape
    rows, value = np.repeat(np.arange(n), np.diff(table.indptr)), table.data
    best, top = np.full(n, -np.inf), np.full(wide, -np.inf)
    np.maximum.at(best, rows, value)
    np.maximum.at(top, table.indices, value)
    faint = (value < best[rows] + math.log(mass / wide)) & (value < top[table.indices] + math.log(mass / n))
    share = np.exp(value - np.where(np.isneginf(best), 0.0, best)[rows])
    whole = np.bincount(rows, share, n)
    lost = np.divide(np.bincount(rows[faint], share[faint], n), whole, out=np.zeros(n), where=whole > 0)
    kept = ~faint & (value > -np.inf)
    parts = (value[kept], (rows[kept], table.indices[kept]))
    return sparse.csr_array(parts, shape=table.shape), np.asarray(lost, dtype=np.float64)


@njit(cache=True, nogil=True)
def _dropped(
    indptr: IntArray, people: AnyArray, values: FloatArray, jacobian: FloatArray, volume: FloatArray, mass: float
) -> FloatArray:
    """Estimate the share of each record's densities that was left out, from the density of respondents around it.

    With r respondents in a unit of volume, those outside the region add r times mass; each candidate says 1 / volume.
    Volumes are given as logs; all is relative to the largest density, since neither need be a number by itself.
    """
    out = np.zeros(indptr.size - 1)
    for j in range(out.size):
        around, kept, top = 0.0, 0.0, -math.inf
        for e in range(indptr[j], indptr[j + 1]):
            top = max(top, values[e] - jacobian[j])
        if top == -math.inf:
            continue
        for e in range(indptr[j], indptr[j + 1]):
            around += math.exp(min(-volume[people[e]] - top, 600.0))
            kept += math.exp(values[e] - jacobian[j] - top)
        lost = around * mass
        out[j] = lost / (lost + kept) if lost > 0.0 else 0.0
    return out


def completed(
    table: Any, lonely: IntArray, missing: IntArray, appearance: Appearance, records: FloatArray, cut: float = CUT
) -> Any:
    """Give the table with the pairs of records and respondents short of candidates.

    In a small file everyone is then compared with everyone: those who compete for the same few candidates have to
    be compared together, or one of them gets what another should have.
    """
    if (lonely.size or missing.size) and table.shape[0] * table.shape[1] <= PAIRS:
        everyone = np.arange(table.shape[0])
        return compared_with_all(table, everyone, missing[:0], appearance, records, math.inf)
    return compared_with_all(table, lonely, missing, appearance, records, cut)


def unsure(table: Any, lonely: IntArray, missing: IntArray, dropped: FloatArray) -> FloatArray:
    """Say that nothing is sure about records that compete with those short of candidates, unless all were compared.

    Whom an outlier displaces may need respondents who are out of reach.
    """
    n, wide = table.shape
    if n * wide <= PAIRS or not (lonely.size or missing.size):
        return dropped
    wanted = np.zeros(wide, dtype=np.bool_)
    wanted[missing] = True
    for j in lonely:
        here = slice(int(table.indptr[j]), int(table.indptr[j + 1]))
        likely = table.data[here] >= table.data[here].max(initial=-np.inf) - CUT
        wanted[table.indices[here][likely]] = True
    rows = np.repeat(np.arange(n), np.diff(table.indptr))
    out = dropped.copy()
    out[np.unique(rows[wanted[table.indices]])] = 1.0
    return out


def compared_with_all(
    table: Any, lonely: IntArray, missing: IntArray, appearance: Appearance, records: FloatArray, cut: float = CUT
) -> Any:
    """Compare some records and some respondents with everybody, and give the table with their pairs.

    Args:
        table: the pairs found so far, CSR.
        lonely: records to be compared with all respondents.
        missing: respondents to be compared with all records.
        appearance: the beliefs.
        records: the released records.
        cut: pairs below exp(-cut) of the best are left out.
    """
    n, wide = table.shape
    if not lonely.size and not missing.size:
        return table
    size = lonely.size * wide + missing.size * n
    needs_memory(2 * BYTES * size, f"comparing {lonely.size:,} records and {missing.size:,} respondents with everybody")
    is_lonely, is_missing = np.zeros(n, dtype=np.bool_), np.zeros(wide, dtype=np.bool_)
    is_lonely[lonely], is_missing[missing] = True, True
    others = np.flatnonzero(~is_lonely)
    row = np.concatenate([np.repeat(lonely, wide), np.tile(others, missing.size)])
    column = np.concatenate([np.tile(np.arange(wide), lonely.size), np.repeat(missing, others.size)])
    value = appearance.log_density(records, row, column)
    best, top = np.full(n, -np.inf), np.full(wide, -np.inf)
    np.maximum.at(best, row, value)
    np.maximum.at(top, column, value)
    fine = (is_lonely[row] & (value >= best[row] - cut)) | (is_missing[column] & (value >= top[column] - cut))
    fine &= value > -np.inf
    old = sparse.coo_array(table)
    kept = ~(is_lonely[old.row] | is_missing[old.col])
    parts = [np.concatenate([a[kept], b[fine]]) for a, b in ((old.data, value), (old.row, row), (old.col, column))]
    return sparse.csr_array((parts[0], (parts[1], parts[2])), shape=table.shape)
