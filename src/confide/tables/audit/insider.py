"""What an attacker deduces who knows some cells better than everybody.

Solutions that were found for others and that agree with what this attacker knows show how far cells reach for this one
too; a solution that goes too far is shrunk towards the true values until it agrees.
"""

from __future__ import annotations

import numpy as np

from confide.tables.attackers import Attacker
from confide.tables.audit.reach import Block, Doubts, Need, Reach, settle
from confide.tables.audit.recall_kernel import recall
from confide.tables.audit.result import Intervals
from confide.tables.audit.view import View, asked_of, part_of
from confide.typing import FloatArray, IntArray


def seen_by(
    view: View, attacker: Attacker, known: tuple[IntArray, FloatArray, FloatArray], *, exact: bool
) -> Intervals:
    """Find the intervals of sensitive cells that are narrower for this attacker than for the external one.

    Args:
        view: the pattern.
        attacker: who looks.
        known: `known_columns` of the attacker.
        exact: whether the exact ends are wanted.
    """
    columns, low, high = known
    values = view.system.values[view.cells]
    asked = asked_of(view) & (view.reduced.column >= 0)
    parts: list[Intervals] = []
    need = view.need(exact=exact, every=False)
    for j in columns.tolist() if not exact else ():
        need.low[j], need.high[j], need.wide[j] = view.need_from(attacker, j)
    for i in np.unique(view.block[columns]) if columns.size else []:
        b = view.blocks[i]
        mine = view.block[columns] == i
        reach = reach_of(b, view.place[columns[mine]], low[mine], high[mine], part_of(need, b.columns))
        at = np.flatnonzero(asked & (view.block[view.reduced.column] == i))
        outer, outer_high = np.zeros(view.reduced.low.size), np.zeros(view.reduced.low.size)
        outer[b.columns], outer_high[b.columns] = reach.low, reach.high
        d_low, d_high = view.ends(outer, outer_high, at)
        parts.append(Intervals(at, values[at] + d_low, values[at] + d_high))
    if not parts:
        return Intervals.none()
    at = np.concatenate([p.at for p in parts])
    order = np.argsort(at)
    return Intervals(
        at[order], np.concatenate([p.low for p in parts])[order], np.concatenate([p.high for p in parts])[order]
    )


def known_columns(view: View, attacker: Attacker) -> tuple[IntArray, FloatArray, FloatArray]:
    """Turn what the attacker knows of cells into bounds of columns, where they are tighter than everybody's."""
    cells = np.array(attacker.cells, dtype=np.int64)
    at = np.searchsorted(view.cells, cells)
    hit = at < view.cells.size
    hit[hit] = view.cells[at[hit]] == cells[hit]
    bounds: dict[int, tuple[float, float]] = {}
    for c, k in zip(cells[hit].tolist(), at[hit].tolist(), strict=True):
        j, f = int(view.reduced.column[k]), float(view.reduced.ratio[k])
        if j < 0:
            continue
        x = float(view.system.values[c])
        ends = sorted((min(attacker.lower.get(c, -np.inf) - x, 0.0) / f, max(attacker.upper.get(c, np.inf) - x, 0.0) / f))
        old = bounds.get(j, (float(view.reduced.low[j]), float(view.reduced.high[j])))
        new = max(ends[0], old[0]), min(ends[1], old[1])
        if new != old:
            bounds[j] = new
    columns = np.array(sorted(bounds), dtype=np.int64)
    return columns, np.array([bounds[j][0] for j in columns]), np.array([bounds[j][1] for j in columns])


def reach_of(
    b: Block, at: IntArray, low: FloatArray, high: FloatArray, need: Need, *, doubts: Doubts | None = None
) -> Reach:
    """Settle a block for somebody with tighter bounds, and put it back; with doubts stop at the first column that fails."""
    e = b.reach
    reach = Reach(np.zeros(e.low.size), np.zeros(e.low.size), e.out_low.copy(), e.out_high.copy(), e.slack)
    reach.out_low[at] = np.maximum(reach.out_low[at], low)
    reach.out_high[at] = np.minimum(reach.out_high[at], high)
    inside_component = np.isin(b.component, b.component[at])
    reach.low, reach.high = np.where(inside_component, 0.0, e.low), np.where(inside_component, 0.0, e.high)
    _recall(b, reach, at, low, high)
    if not b.matrix.shape[0]:
        reach.low[at], reach.high[at] = reach.out_low[at], reach.out_high[at]
        return reach
    wanted = Need(*(np.where(inside_component, side, 0.0) for side in (need.low, need.high, need.wide)))
    if any(bool(side.any()) for side in reach.pending(wanted)):
        before = b.low, b.high
        model = b.model
        model.bound(at, low, high)
        b.low, b.high = model.low, model.high
        settle(b, reach, wanted, lambda: None, doubts=doubts)
        b.low, b.high = before
        model.bound(at, b.low[at], b.high[at])
    return reach


def _recall(b: Block, reach: Reach, at: IntArray, low: FloatArray, high: FloatArray) -> None:
    """Use the solutions that are kept, shrunk so far that they agree with what the attacker knows."""
    if not b.pool:
        return
    d, n = b.table(), b.columns.size
    least, most = np.full(n, -np.inf), np.full(n, np.inf)
    least[at], most[at] = low, high
    recall(d.indptr, d.indices, d.data, least, most, reach.low, reach.high)
