"""Evidence from noisy numbers: the noise around the target's value (section 3.2.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.data.packing import pack
from confide.errors import IntruderError
from confide.intruder.beliefs.supplied import parameters
from confide.intruder.distribution import Lognormal, Normal, Uniform
from confide.intruder.knowledge import Between, Bracket, Exactly, Knowledge, OneOf, Roughly, Within
from confide.linking.compose import PERTURBED, PERTURBED_BELOW, ZERO, class_bounds, class_column, released_classes
from confide.linking.deterministic import bounds
from confide.linking.nodes import averaged
from confide.linking.pieces import (
    BlockPiece,
    BoundPiece,
    CatPiece,
    Nodes,
    NumPiece,
    Piece,
    distinct_pairs,
)
from confide.linking.view import View
from confide.release.channel import Kernel
from confide.release.noisy import log_normaliser, on_scale
from confide.typing import BoolArray, FloatArray, IntArray, Label


@dataclass(frozen=True, slots=True, eq=False)
class NoisyRecords:
    """The released side of a noisy variable: a class for each record, and intervals by id."""

    classes: Column
    """The class of each record; a zero that may be kept or perturbed counts as perturbed."""
    hidden: BoolArray
    """Which records may be kept zeros or perturbed."""
    ids: IntArray
    """The id of each record, increasing with its interval."""
    a: FloatArray
    """The lower end of each id's interval on the scale of the noise; 0 where the class says all."""
    b: FloatArray
    jacobian: FloatArray
    low: FloatArray
    """The lower end of the true values in the class."""
    high: FloatArray
    state: IntArray
    merged: BoolArray
    """Which ids a kept zero may be behind."""

    def piece(
        self, view: View, kernel: Kernel, target: IntArray, nodes: Nodes, source: tuple[FloatArray, BoolArray] | None,
        *, visible: bool = True,
    ) -> NumPiece:  # fmt: skip
        """Set the records against what is known about the targets."""
        return NumPiece(
            view.name, self.ids, self.a, self.b, self.jacobian, self.state, self.low, self.high, target, nodes, kernel,
            view.composite, source, visible, self.merged if self.merged.any() else None,
        )  # fmt: skip


def noisy_records(view: View, kernel: Kernel) -> NoisyRecords:
    """Look at the released values of a noisy variable."""
    found = released_classes(view.composite, view.released)
    classes = found.column.with_codes(found.merged, PERTURBED) if found.hides_zeros else found.column
    perturbed = _is(classes, PERTURBED) | _is(classes, PERTURBED_BELOW)
    lo, hi = np.where(perturbed, found.lo, 0.0), np.where(perturbed, found.hi, 0.0)
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
    by_id = [x[order] for x in (*scaled, low, high, state, found.merged[rows])]
    return NoisyRecords(classes, found.merged, rank[ids.ravel()], *by_id)


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
    records = noisy_records(view, kernel)
    pushed = view.composite.push(view.target)
    target_class = class_column(kernel, pushed)
    source_class, source = None, None
    if view.source is not None:
        source_value = view.composite.push(view.source)
        source_class = class_column(kernel, source_value)
        source = (source_value.numbers, _moved(source_class))
    moved = _moved(target_class)
    classes = _class_pieces(view.name, records, target_class, source_class)
    if isinstance(item, Between | Bracket):
        none = np.zeros(pushed.size, dtype=np.int64)
        number = records.piece(view, kernel, none, silent_nodes(), source, visible=not records.hidden.any())
        from_, to = bounds(item, view.target)
        from_, to = np.where(moved, from_, -np.inf), np.where(moved, to, np.inf)
        target, rows = distinct_pairs(from_, to)
        return [*classes, BoundPiece(number, from_[rows], to[rows], target)]
    target, nodes = kernel_nodes(view, kernel, item, pushed, moved)
    return [*classes, records.piece(view, kernel, target, nodes, source, visible=not records.hidden.any())]


def _moved(classes: Column) -> BoolArray:
    """Say which values are perturbed."""
    return _is(classes, PERTURBED) | _is(classes, PERTURBED_BELOW)


def _class_pieces(name: str, records: NoisyRecords, target: Column, source: Column | None) -> list[Piece]:
    """Compare classes: what is visible must agree; a zero that may be kept or perturbed is weighed."""
    if not records.hidden.any():
        return [BlockPiece(name, records.classes, target, source, of_class=True)]

    def seen(column: Column | None) -> Column | None:
        return None if column is None else column.with_codes(_is(column, ZERO), PERTURBED)

    blocks = BlockPiece(name, records.classes, seen(target) or target, seen(source), of_class=True)
    codes = np.where(records.hidden, 0, np.where(_is(records.classes, PERTURBED), 1, 2)).astype(np.int64)
    never = -np.inf
    channel = np.array([[0.0, never, never], [0.0, 0.0, never], [never, never, 0.0]])
    rows = np.array([[0.0, never, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    of_source = None if source is None else _levels(source)
    levels: tuple[Label, ...] = (ZERO, PERTURBED, OTHER)
    return [
        blocks,
        CatPiece(class_name(name), codes, _levels(target), rows, channel, levels, of_source, of_class=True),
    ]


OTHER = "(other)"
"""Classes beside kept zeros and perturbed numbers, all of which are visible."""


def class_name(name: str) -> str:
    """Name the class of a noisy variable among the variables."""
    return f"{name} (class)"


def _levels(classes: Column) -> IntArray:
    """Give the place of each class among zero, perturbed and others."""
    return np.where(_is(classes, ZERO), 0, np.where(_is(classes, PERTURBED), 1, 2)).astype(np.int64)


def silent_nodes(ids: int = 1) -> Nodes:
    """Make nodes that say nothing."""
    return Nodes.single(np.zeros(ids), np.full(ids, np.inf), np.zeros(ids))


def kernel_nodes(view: View, kernel: Kernel, item: Knowledge, pushed: Column, moved: BoolArray) -> tuple[IntArray, Nodes]:
    """Give the nodes of what is known about each target's noisy number."""
    y = np.where(moved, pushed.numbers, 0.0)
    if isinstance(item, Exactly):
        distinct, target = np.unique(np.where(moved, y, np.nan), return_inverse=True)
        still = np.isnan(distinct)
        at = np.where(still, 1.0, distinct)
        sd = np.where(still, np.inf, kernel.sd(at))
        weight = np.where(still, 0.0, -log_normaliser(kernel, at))
        return target.ravel(), Nodes.single(np.where(still, 0.0, kernel.centre(at)), sd, weight)
    if isinstance(item, OneOf):
        raise IntruderError(f"OneOf {view.name!r}: the variable holds numbers; use Between or Within")
    if isinstance(item, Roughly):
        if item.relative and bool(np.any(y[moved] <= 0)):
            raise IntruderError(f"Roughly {item.variable!r}, relative: all values of the targets must be positive")
        lo, hi = y, np.full(y.size, item.sd)
    elif isinstance(item, Within):
        lo, hi = bounds(item, view.target)
        lo, hi = np.where(moved, lo, 0.0), np.where(moved, hi, 0.0)
    else:
        raise IntruderError(f"{type(item).__name__} {view.name!r}: the variable is a noisy number; use Between or Within")
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
