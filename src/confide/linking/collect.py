"""Turn what the intruder knows about each variable into evidence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.beliefs.supplied import parameters
from confide.intruder.distribution import Lognormal, Normal, Uniform
from confide.intruder.knowledge import Between, Bracket, Distributed, Exactly, Knowledge, OneOf, Roughly, Within
from confide.linking.compose import PERTURBED, PERTURBED_BELOW, ZERO, Composite, class_bounds, class_column, released_classes
from confide.linking.nodes import averaged
from confide.linking.pieces import (
    BlockPiece,
    BoundPiece,
    CatPiece,
    Nodes,
    NumPiece,
    Piece,
    SetPiece,
    TestPiece,
    distinct_pairs,
    joint_codes,
    pack,
)
from confide.release.channel import Discrete, Kernel
from confide.release.methods.swap import MISSING_LEVEL
from confide.release.noisy import log_normaliser, on_scale
from confide.typing import BoolArray, FloatArray, IntArray, Label


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One variable as released, as it is for the targets, and as it is in the source file."""

    composite: Composite
    released: Column
    target: Column
    source: Column | None
    records: Microdata
    """The released file, for strata."""

    @property
    def name(self) -> str:
        """The variable."""
        return self.composite.variable


def collect(view: View, item: Knowledge) -> list[Piece]:
    """Give the evidence that knowledge of one variable yields."""
    core = view.composite.core
    if core is None:
        return _deterministic(view, item)
    if isinstance(core, Discrete):
        return [_category(view, core, item)]
    if isinstance(core, Kernel):
        return _noisy(view, core, item)
    raise LikelihoodError(f"variable {view.name!r}: correlated noise needs exact knowledge of the variable")


def _deterministic(view: View, item: Knowledge) -> list[Piece]:
    """Test a target for consistency with what is released (section 3.1)."""
    push = view.composite.push
    source = push(view.source) if view.source is not None else None
    if isinstance(item, Exactly):
        return [BlockPiece(view.name, view.released, push(view.target), source)]
    if isinstance(item, OneOf):
        return [_set(view, item)]
    lo, hi = view.composite.interval(view.released)
    ids, rows = distinct_pairs(lo, hi)
    if isinstance(item, Distributed) and isinstance(item.distribution, Uniform):
        item = Between(item.variable, item.distribution.low, item.distribution.high)
    if isinstance(item, Within | Between | Bracket):
        target_lo, target_hi = bounds(item, view.target)
        target, which = distinct_pairs(target_lo, target_hi)
        return [TestPiece(view.name, ids, lo[rows], hi[rows], target, target_lo[which], target_hi[which])]
    return [_as_released(view, item, lo[rows], hi[rows], ids)]


def _set(view: View, item: OneOf) -> SetPiece:
    """Allow the released levels that one of the possible levels leads to."""
    possible = view.composite.push(_levels_column(view, item))
    codes, allowed_codes, size = joint_codes(view.released, possible)
    allowed = np.zeros((1, size), dtype=np.bool_)
    allowed[0, allowed_codes] = True
    return SetPiece(view.name, codes, np.zeros(view.target.size, dtype=np.int64), allowed)


def _levels_column(view: View, item: OneOf) -> Column:
    """Make a column of the possible levels, after checking them against the targets."""
    levels = {str(x): x for x in view.target.labels}
    absent = [x for x in item.levels if str(x) not in levels]
    if absent:
        raise IntruderError(f"OneOf {item.variable!r}: there is no level {absent[0]!r}")
    chosen = [levels[str(x)] for x in item.levels]
    held = np.isin(view.target.codes, [view.target.labels.index(x) for x in chosen])
    if not held.all():
        raise IntruderError(
            f"OneOf {item.variable!r}: {int(np.sum(~held))} of {held.size} targets have another level; "
            "choose targets for whom it is true"
        )
    return Column.of_labels(chosen)


def _as_released(view: View, item: Knowledge, lo: FloatArray, hi: FloatArray, ids: IntArray) -> NumPiece:
    """Weigh numbers that are released as they are by the intruder's distribution."""
    unknown = int(np.sum(np.isnan(lo[ids])))
    if unknown or not bool(np.all(view.target.is_number)):
        raise IntruderError(
            f"a distribution of {view.name!r} needs a number for every record and target; "
            f"{unknown} released record(s) have none"
        )
    log_scale = _is_log(item)
    kernel = Kernel(sds=(1.0,), log_scale=log_scale)
    a, b, jacobian = on_scale(kernel, lo, hi)
    target, nodes = _distribution_nodes(item, view.target.numbers)
    n = lo.size
    source = (view.source.numbers, view.source.is_number) if view.source is not None else None
    state = np.full(n, 3, dtype=np.int64)
    return NumPiece(view.name, ids, a, b, jacobian, state, lo, hi, target, nodes, None, view.composite, source)


def _is_log(item: Knowledge) -> bool:
    """Say whether what is known lives on the log scale."""
    return (isinstance(item, Roughly) and item.relative) or (
        isinstance(item, Distributed) and isinstance(item.distribution, Lognormal)
    )


def _distribution_nodes(item: Knowledge, y: FloatArray) -> tuple[IntArray, Nodes]:
    """Give the nodes of a distribution about a number that is released as it is."""
    if isinstance(item, Roughly):
        if item.relative and bool(np.any(y <= 0)):
            raise IntruderError(f"Roughly {item.variable!r}, relative: all values of the targets must be positive")
        value, target = np.unique(np.log(y) if item.relative else y, return_inverse=True)
        return target, Nodes.single(value, np.full(value.size, item.sd), np.zeros(value.size))
    assert isinstance(item, Distributed)
    d, target = item.distribution, np.zeros(y.size, dtype=np.int64)
    assert isinstance(d, Normal | Lognormal)
    return target, Nodes.single(np.array([d.mean]), np.array([d.sd]), np.zeros(1))


def bounds(item: Within | Between | Bracket, target: Column) -> tuple[FloatArray, FloatArray]:
    """Give the interval in which each target's number is known to lie."""
    y = target.numbers
    if not bool(np.all(target.is_number)):
        raise IntruderError(
            f"{type(item).__name__} {item.variable!r}: {int(np.sum(~target.is_number))} target(s) hold no number in it; "
            "choose other targets or declare the variable numeric"
        )
    if isinstance(item, Within):
        half = np.abs(y) * item.percent / 100
        return y - half, y + half
    if isinstance(item, Bracket):
        ends = np.concatenate([[-np.inf], np.asarray(item.breaks, dtype=np.float64), [np.inf]])
        k = np.searchsorted(ends, y, side="right")
        # the upper end belongs to the next bracket
        return ends[k - 1], np.nextafter(ends[k], -np.inf)
    lo = -np.inf if item.low is None else item.low
    hi = np.inf if item.high is None else item.high
    wrong = int(np.sum((y < lo) | (y > hi)))
    if wrong:
        raise IntruderError(
            f"Between {item.variable!r}: it is not true of {wrong} of {y.size} targets; choose targets for whom it is true, "
            "e.g. with Targets.where(...) or Targets.of_rows(...)"
        )
    return np.full(y.size, lo), np.full(y.size, hi)


def level_codes(column: Column, levels: tuple[Label, ...]) -> IntArray:
    """Give the place of each value among the levels; -1 for values that are no level."""
    positions, distinct = column.profile()
    place = {level: i for i, level in enumerate(levels)}
    table = [place.get(MISSING_LEVEL if v is None else v, -1) for v in distinct.values()]
    return np.array(table, dtype=np.int64)[positions]


def channel_table(view: View, core: Discrete) -> tuple[FloatArray, IntArray]:
    """Give Pr(released code | true level) and the released code of each record."""
    after = view.composite.push_after(core.column())
    released, codes, size = joint_codes(view.released, after)
    merged = np.zeros((core.matrix.shape[0], core.matrix.shape[1], size))
    for k, code in enumerate(codes):
        merged[:, :, code] += core.matrix[:, :, k]
    if core.stratum is None or core.stratum not in view.records.columns:
        if core.stratum is None or core.counts is None:
            return merged[0], released
        # the stratum is not visible: average over the strata in which a level occurs
        share = core.counts / np.maximum(core.counts.sum(axis=0), 1.0)
        return np.einsum("si,sik->ik", share, merged), released
    stratum = level_codes(view.records.columns[core.stratum], core.strata)
    if bool(np.any(stratum < 0)):
        raise LikelihoodError(
            f"variable {view.name!r} was swapped within {core.stratum!r}, which was masked afterwards; "
            "swap after masking the stratum variable"
        )
    return np.concatenate(list(merged), axis=1), stratum * size + released


def _category(view: View, core: Discrete, item: Knowledge) -> CatPiece:
    """Weigh released categories by the swap matrix (section 3.2.1)."""
    if not isinstance(item, Exactly | OneOf):
        raise IntruderError(
            f"{type(item).__name__} {view.name!r}: the variable is a swapped category; use its name or OneOf"
        )
    channel, codes = channel_table(view, core)
    pushed = view.composite.push(view.target)
    true = level_codes(pushed, core.levels)
    unseen = int(np.sum(true < 0))
    if unseen:
        raise IntruderError(
            f"{unseen} target(s) have a level of {view.name!r} that the released file never had; "
            f"its levels are {', '.join(str(x) for x in core.levels[:12])}"
        )
    source = level_codes(view.composite.push(view.source), core.levels) if view.source is not None else None
    target = true
    with np.errstate(divide="ignore"):
        rows = np.log(channel)
        if isinstance(item, OneOf):
            possible = level_codes(view.composite.push(_levels_column(view, item)), core.levels)
            rows = np.log(channel[np.unique(possible)].mean(axis=0, keepdims=True))
            target = np.zeros(true.size, dtype=np.int64)
        return CatPiece(view.name, codes, target, rows, np.log(channel), core.levels, source)


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


def _noisy(view: View, kernel: Kernel, item: Knowledge) -> list[Piece]:
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
