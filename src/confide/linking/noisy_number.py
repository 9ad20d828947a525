"""Evidence from noisy numbers: the noise around the target's value (section 3.2.2)."""

from __future__ import annotations

import numpy as np

from confide.data.column import Column
from confide.data.packing import pack
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.beliefs.supplied import parameters
from confide.intruder.distribution import Lognormal, Normal, Uniform
from confide.intruder.knowledge import Between, Bracket, Distributed, Exactly, Knowledge, OneOf, Roughly
from confide.linking.compose import PERTURBED, PERTURBED_BELOW, ZERO, class_bounds, class_column, released_classes
from confide.linking.deterministic import bounds
from confide.linking.nodes import averaged
from confide.linking.pieces import (
    BlockPiece,
    BoundPiece,
    Nodes,
    NumPiece,
    Piece,
    distinct_pairs,
)
from confide.linking.view import View
from confide.release.channel import Kernel
from confide.release.noisy import log_normaliser, on_scale
from confide.typing import BoolArray, FloatArray, IntArray


def noisy_records(view: View, kernel: Kernel) -> tuple[Column, IntArray, tuple[FloatArray, ...], IntArray]:
    """Give classes, ids, (a, b, jacobian, low, high) by id and state by id of a noisy variable."""
    classes, lo, hi = released_classes(view.composite, view.released)
    perturbed = _is(classes, PERTURBED) | _is(classes, PERTURBED_BELOW)
    lo, hi = np.where(perturbed, lo, 0.0), np.where(perturbed, hi, 0.0)
    pairs, _ = distinct_pairs(lo, hi)
    _, rows, ids = np.unique(
        pack([pairs, classes.codes + 2], [pairs.size + 1, len(classes.labels) + 2]), return_index=True, return_inverse=True
    )
    moved, below = perturbed[rows], _is(classes, PERTURBED_BELOW)[rows]
    scaled = [np.where(moved, x, 0.0) for x in on_scale(kernel, lo[rows], hi[rows])]
    low, high = _class_intervals(view, kernel, classes.take(rows), view.released.take(rows))
    state = np.where(moved, np.where(below, 2, 1), 0).astype(np.int64)
    order = np.lexsort((scaled[1], scaled[0]))
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size)
    return classes, rank[ids.ravel()], tuple(x[order] for x in (*scaled, low, high)), state[order]


def _class_intervals(view: View, kernel: Kernel, classes: Column, released: Column) -> tuple[FloatArray, FloatArray]:
    """Give the interval of true numbers behind the class of each released value."""
    low, high = np.full(classes.size, -np.inf), np.full(classes.size, np.inf)
    for step in view.composite.before:
        a, b = step.preimage(released)
        coded = (released.codes >= 0) & ~np.isnan(a)
        low[coded], high[coded] = a[coded], b[coded]
    zero = _is(classes, ZERO)
    low[zero], high[zero] = 0.0, 0.0
    for label, below in ((PERTURBED, False), (PERTURBED_BELOW, True)):
        a_class, b_class = class_bounds(view.composite, kernel, below=below)
        here = _is(classes, label)
        low[here], high[here] = a_class, b_class
    return low, high


def _is(classes: Column, label: str) -> BoolArray:
    """Say which records have a class."""
    return classes.codes == classes.labels.index(label) if label in classes.labels else np.zeros(classes.size, np.bool_)


def noisy_number(view: View, kernel: Kernel, item: Knowledge) -> list[Piece]:
    """Weigh released numbers by the noise around the target's (section 3.2.2)."""
    classes, ids, (a, b, jacobian, low, high), state = noisy_records(view, kernel)
    pushed = view.composite.push(view.target)
    target_class = class_column(kernel, pushed)
    source_value, source_class, source = None, None, None
    if view.source is not None:
        source_value = view.composite.push(view.source)
        source_class = class_column(kernel, source_value)
        moved_source = _is(source_class, PERTURBED) | _is(source_class, PERTURBED_BELOW)
        source = (source_value.numbers, moved_source)
    moved = _is(target_class, PERTURBED) | _is(target_class, PERTURBED_BELOW)
    if isinstance(item, Between | Bracket):
        blank = Nodes.single(np.zeros(1), np.ones(1), np.zeros(1))
        none = np.zeros(pushed.size, dtype=np.int64)
        number = NumPiece(view.name, ids, a, b, jacobian, state, low, high, none, blank, kernel, view.composite, source)
        from_, to = bounds(item, view.target)
        from_, to = np.where(moved, from_, -np.inf), np.where(moved, to, np.inf)
        target, rows = distinct_pairs(from_, to)
        bound = BoundPiece(number, from_[rows], to[rows], target)
        return [BlockPiece(view.name, classes, target_class, source_class, of_class=True), bound]
    target, nodes = kernel_nodes(view, kernel, item, pushed, moved)
    number = NumPiece(view.name, ids, a, b, jacobian, state, low, high, target, nodes, kernel, view.composite, source)
    if isinstance(item, Distributed):
        if bool(np.any(state == 0)):
            raise LikelihoodError(
                f"a distribution of {view.name!r} does not say how probable its kept zeros, coded or missing values are; "
                "use Between, Within or Roughly, or leave the variable out"
            )
        return [number]
    return [BlockPiece(view.name, classes, target_class, source_class, of_class=True), number]


def kernel_nodes(view: View, kernel: Kernel, item: Knowledge, pushed: Column, moved: BoolArray) -> tuple[IntArray, Nodes]:
    """Give the nodes of what is known about each target's noisy number."""
    y = np.where(moved, pushed.numbers, 0.0)
    if isinstance(item, Exactly):
        distinct, target = np.unique(np.where(moved, y, np.nan), return_inverse=True)
        still = np.isnan(distinct)
        at = np.where(still, 1.0, distinct)
        sd = np.where(still, 1.0, kernel.sd(at))
        weight = np.where(still, 0.5 * np.log(2 * np.pi), -log_normaliser(kernel, at))
        return target.ravel(), Nodes.single(np.where(still, 0.0, kernel.centre(at)), sd, weight)
    if isinstance(item, Distributed):
        return np.zeros(y.size, dtype=np.int64), averaged(
            kernel, [_density(item.distribution)], class_bounds(view.composite, kernel)
        )
    if isinstance(item, OneOf):
        raise IntruderError(f"OneOf {view.name!r}: the variable holds numbers; use Between or Within")
    if isinstance(item, Roughly):
        if item.relative and bool(np.any(y[moved] <= 0)):
            raise IntruderError(f"Roughly {item.variable!r}, relative: all values of the targets must be positive")
        lo, hi = y, np.full(y.size, item.sd)
    else:
        lo, hi = bounds(item, view.target)
        lo, hi = np.where(moved, lo, 0.0), np.where(moved, hi, 0.0)
    if kernel.log_scale:
        # noise on the log scale sees absolute values
        below = y < 0
        if isinstance(item, Roughly):
            lo = np.abs(lo)
        else:
            lo, hi = np.where(below, -np.minimum(hi, 0.0), np.maximum(lo, 0.0)), np.where(below, -lo, hi)
    lo = np.where(moved, lo, np.nan)
    target, rows = distinct_pairs(lo, hi)
    densities: list[tuple[int, float, float] | None] = [
        None if np.isnan(lo[r]) else _item_density(item, float(lo[r]), float(hi[r]), kernel) for r in rows
    ]
    return target, averaged(kernel, densities, class_bounds(view.composite, kernel))


def _density(distribution: Normal | Lognormal | Uniform) -> tuple[int, float, float]:
    """Give the family and parameters of a distribution."""
    return parameters(distribution)


def _item_density(item: Knowledge, first: float, second: float, kernel: Kernel) -> tuple[int, float, float]:
    """Give the distribution that partial knowledge of a number amounts to."""
    if isinstance(item, Roughly):
        return _density(Lognormal(float(np.log(first)), second) if item.relative else Normal(first, second))
    low, high = max(first, kernel.lower), min(second, kernel.upper)
    if low == high:
        return (0, low, 1.0)
    return _density(Uniform(low, high))
