"""Evidence from noisy numbers: the noise around the target's value (section 3.2.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from confide.data.column import Column
from confide.data.packing import groups, pack
from confide.errors import IntruderError
from confide.intruder.beliefs.supplied import parameters
from confide.intruder.distribution import Lognormal, Normal, Uniform
from confide.intruder.knowledge import Between, Bracket, Exactly, Knowledge, Roughly, Within
from confide.linking.classes import NUMBERS, class_part, is_class, lasting, moved, seen_as, source_classes
from confide.linking.compose import PERTURBED, PERTURBED_BELOW, ZERO, class_bounds, class_column, released_classes
from confide.linking.deterministic import bounds
from confide.linking.entrance import Replaced, entrance
from confide.linking.nodes import Density, Place, averaged
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
from confide.release.methods.swap import MISSING_LEVEL
from confide.release.noisy import log_normaliser, on_scale
from confide.release.size import LARGEST
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
    perturbed = moved(classes)
    lo, hi = np.where(perturbed, found.lo, 0.0), np.where(perturbed, found.hi, 0.0)
    pairs, _ = distinct_pairs(lo, hi)
    _, rows, ids = np.unique(
        pack([pairs, classes.codes + 2], [pairs.size + 1, len(classes.labels) + 2]), return_index=True, return_inverse=True
    )
    noisy, below = perturbed[rows], is_class(classes, PERTURBED_BELOW)[rows]
    scaled = [np.where(noisy, x, 0.0) for x in on_scale(kernel, lo[rows], hi[rows])]
    low, high = _class_intervals(view, kernel, classes.take(rows), view.released.take(rows))
    state = np.where(noisy, np.where(below, 2, 1), 0).astype(np.int64)
    order = np.lexsort((scaled[1], scaled[0]))
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size)
    by_id = [x[order] for x in (*scaled, low, high, state, found.merged[rows])]
    return NoisyRecords(classes, found.merged, rank[ids.ravel()], *by_id)


def _class_intervals(view: View, kernel: Kernel, classes: Column, released: Column) -> tuple[FloatArray, FloatArray]:
    """Give the interval of true numbers behind the class of each released value."""
    low, high = np.full(classes.size, -np.inf), np.full(classes.size, np.inf)
    passed = entrance(view.composite.before)
    for i, step in enumerate(view.composite.before):
        a, b = step.preimage(released)
        coded = (released.codes >= 0) & ~np.isnan(a)
        rounded = entrance(view.composite.before[:i])
        ends = [rounded.ends(x, y) for x, y in zip(a[coded].tolist(), b[coded].tolist(), strict=True)]
        low[coded], high[coded] = [x for x, _ in ends], [y for _, y in ends]
    zero = is_class(classes, ZERO)
    low[zero], high[zero] = passed.ends(0.0, 0.0)
    for label, below in ((PERTURBED, False), (PERTURBED_BELOW, True)):
        a_class, b_class = class_bounds(view.composite, kernel, below=below)
        here = is_class(classes, label)
        low[here], high[here] = a_class, b_class
    return low, high


def noisy_number(view: View, kernel: Kernel, item: Knowledge) -> list[Piece]:
    """Weigh released numbers by the noise around the target's (section 3.2.2)."""
    large = int(np.sum(np.abs(view.target.numbers[view.target.is_number]) > LARGEST))
    if large:
        raise IntruderError(
            f"{view.name!r} was released with noise, and {large:,} target(s) have a number beyond {LARGEST:g} in it, whose "
            "square is infinite; is it a code for a missing value? Set it missing, or choose other targets"
        )
    records = noisy_records(view, kernel)
    if isinstance(item, Between | Bracket):
        return [_within_bounds(view, kernel, item, records)]
    pushed = view.composite.push(view.target)
    target_class = class_column(kernel, pushed)
    source, source_class = None, None
    if view.source is not None:
        source_value = view.composite.push(view.source)
        source = (view.source.numbers, moved(source_classes(view, kernel, view.source)))
        source_class = class_column(kernel, source_value)
    classes = _class_pieces(view, kernel, records, target_class, source_class)
    target, nodes = kernel_nodes(view, kernel, item, pushed, moved(target_class))
    number = records.piece(view, kernel, target, nodes, source, visible=not records.hidden.any())
    if isinstance(item, Exactly):
        known = np.full(nodes.start.size - 1, np.nan)
        known[target] = np.where(moved(target_class), view.target.numbers, np.nan)
        number = replace(number, known=known)
    return [*classes, number]


def _within_bounds(view: View, kernel: Kernel, item: Between | Bracket, records: NoisyRecords) -> BoundPiece:
    """Set the records against bounds of the targets' values, which also say how probable each class is."""
    low, high = bounds(item, view.target)
    target, rows = distinct_pairs(low, high)
    low, high = low[rows], high[rows]
    none = np.zeros(view.target.size, dtype=np.int64)
    if view.source is None:
        return BoundPiece(records.piece(view, kernel, none, silent_nodes(), None, visible=False), low, high, target)
    of_source = source_classes(view, kernel, view.source)
    alike = {r.label: seen_as(kernel, r.number) for r in lasting(view, kernel)}
    classes = class_part(view.name, records.classes, records.hidden, of_source, alike, open_blanks=True)
    source = (view.source.numbers, moved(of_source))
    number = records.piece(view, kernel, none, silent_nodes(), source, visible=False)
    most = np.finfo(np.float64).max
    ends = [source_classes(view, kernel, Column.of_numbers(np.clip(x, -most, most))) for x in (low, high)]
    touched = [[str(e.labels[e.codes[i]]) for e in ends] for i in range(low.size)]
    shares = [_log_shares(view.source, of_source, classes.levels, *x) for x in zip(low, high, touched, strict=True)]
    return BoundPiece(number, low, high, target, classes, np.stack(shares))


def _log_shares(
    true: Column, classes: Column, levels: tuple[Label, ...], low: float, high: float, touched: list[str]
) -> FloatArray:
    """Give the log share of the people of each class whose number lies within bounds; 0 for those of whom more is believed.

    A share of nobody counts as half a person, where an end of the bounds is of that class.
    """
    shares = np.ones(len(levels))
    for k, level in enumerate(levels):
        x = true.numbers[is_class(classes, str(level)) & true.is_number]
        if level not in NUMBERS and x.size:
            inside = int(np.sum((x >= low) & (x <= high)))
            shares[k] = inside / x.size if inside else 0.5 / (x.size + 1) if level in touched else 0.0
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(shares), dtype=np.float64)


def _class_pieces(view: View, kernel: Kernel, records: NoisyRecords, target: Column, source: Column | None) -> list[Piece]:
    """Compare classes: what is visible must agree; what is not is weighed.

    These are zeros that may be kept or perturbed, and numbers that were put in the place of others.
    """
    replaced = {r.label: seen_as(kernel, r.number) for r in lasting(view, kernel)} if source is not None else {}
    hidden = bool(records.hidden.any())
    if not hidden and not replaced:
        return [BlockPiece(view.name, records.classes, target, source, of_class=True)]

    def seen(column: Column | None) -> Column | None:
        return None if column is None else column.with_codes(hidden & is_class(column, ZERO), PERTURBED)

    blocks = BlockPiece(view.name, records.classes, seen(target) or target, seen(source), of_class=True)
    told = source_classes(view, kernel, view.source) if view.source is not None else target
    part = class_part(view.name, records.classes, records.hidden, told, replaced, open_blanks=True)
    # a target of a class that nobody has is told apart by what is visible alone
    place = [part.levels.index(x) if x in part.levels else len(part.levels) for x in (*target.labels, MISSING_LEVEL)]
    row = np.array([*place, place[-1]], dtype=np.int64)[target.codes]
    rows = np.vstack([part.channel, np.zeros(part.channel.shape[1])])
    mine = part.source if view.source is not None else None
    return [blocks, replace(part, target=row, rows=rows, source=mine, visible=not hidden)]


def silent_nodes(ids: int = 1) -> Nodes:
    """Make nodes that say nothing."""
    return Nodes.single(np.zeros(ids), np.full(ids, np.inf), np.zeros(ids))


def kernel_nodes(view: View, kernel: Kernel, item: Knowledge, pushed: Column, noisy: BoolArray) -> tuple[IntArray, Nodes]:
    """Give the nodes of what is known about each target's noisy number."""
    if isinstance(item, Exactly):
        distinct, target = np.unique(np.where(noisy, pushed.numbers, np.nan), return_inverse=True)
        still = np.isnan(distinct)
        at = np.where(still, 1.0, distinct)
        sd = np.where(still, np.inf, kernel.sd(at))
        weight = np.where(still, 0.0, -log_normaliser(kernel, at))
        return target.ravel(), Nodes.single(np.where(still, 0.0, kernel.centre(at)), sd, weight)
    y = np.where(noisy, view.target.numbers, 0.0)
    if isinstance(item, Roughly):
        if item.relative and bool(np.any(y[noisy] <= 0)):
            raise IntruderError(f"Roughly {item.variable!r}, relative: all values of the targets must be positive")
        lo, hi = y, np.full(y.size, item.sd)
    elif isinstance(item, Within):
        lo, hi = bounds(item, view.target)
        lo, hi = np.where(noisy, lo, 0.0), np.where(noisy, hi, 0.0)
    else:
        raise IntruderError(f"{type(item).__name__} {view.name!r}: the variable is a noisy number; use Between or Within")
    below = noisy & (pushed.numbers < 0) & np.bool_(kernel.log_scale)
    if kernel.log_scale:
        # noise on the log scale sees absolute values
        if isinstance(item, Roughly):
            lo = np.abs(lo)
        else:
            lo, hi = np.where(below, -np.minimum(hi, 0.0), np.maximum(lo, 0.0)), np.where(below, -lo, hi)
    lo = np.where(noisy, lo, np.nan)
    pairs, _ = distinct_pairs(lo, hi)
    rows, target = groups([pairs, below.astype(np.int64)], y.size)
    densities = [None if np.isnan(lo[r]) else _item_density(item, float(lo[r]), float(hi[r])) for r in rows]
    places = [_place(view, kernel, cut=isinstance(item, Within), below=side) for side in (False, True)]
    return target, averaged(kernel, densities, [places[int(below[r])] for r in rows])


def _place(view: View, kernel: Kernel, *, cut: bool, below: bool) -> Place:
    """Say which true numbers are perturbed as they are, and which as another one; as absolute values below zero."""
    low, high = class_bounds(view.composite, kernel, below=below)
    if cut:
        low, high = max(low, kernel.lower), min(high, kernel.upper)
    mine = PERTURBED_BELOW if below else PERTURBED
    lattice = entrance(view.composite.before).lattice
    base = None if lattice is None else lattice.to
    put = [r for r in lasting(view, kernel) if seen_as(kernel, r.number) == mine]
    if not below:
        return Place(low, high, tuple(put), base)
    return Place(-high, -low, tuple(Replaced(-r.high, -r.low, -r.number) for r in put), base)


def _item_density(item: Knowledge, first: float, second: float) -> Density:
    """Give the distribution that partial knowledge of a number amounts to."""
    if isinstance(item, Roughly):
        return parameters(Lognormal(float(np.log(first)), second) if item.relative else Normal(first, second))
    return (0, first, 1.0) if first == second else parameters(Uniform(first, second))
