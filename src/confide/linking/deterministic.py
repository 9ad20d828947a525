"""Evidence from variables that are not perturbed: consistency with what is released (section 3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from confide.data.column import Column
from confide.errors import IntruderError
from confide.intruder.knowledge import Between, Bracket, Exactly, Knowledge, OneOf, Roughly, Within
from confide.linking.pieces import (
    ONE_OF,
    BlockPiece,
    Nodes,
    NumPiece,
    Piece,
    SetPiece,
    TestPiece,
    distinct_pairs,
    joint_codes,
)
from confide.linking.view import View
from confide.release.channel import Kernel
from confide.release.noisy import on_scale
from confide.typing import BoolArray, FloatArray, IntArray, Label


def deterministic(view: View, item: Knowledge) -> list[Piece]:
    """Test a target for consistency with what is released (section 3.1)."""
    if isinstance(item, Exactly):
        return [*blocks_of(view)]
    if isinstance(item, OneOf):
        return [_set(view, item)]
    lo, hi = view.composite.interval(view.released)
    ids, rows = distinct_pairs(lo, hi)
    if isinstance(item, Within | Between | Bracket):
        target_lo, target_hi = bounds(item, view.target)
        target, which = distinct_pairs(target_lo, target_hi)
        # a blank agrees with every interval
        blank = _blank(view, ids, rows)
        low, high = np.where(blank, -np.inf, lo[rows]), np.where(blank, np.inf, hi[rows])
        return [TestPiece(view.name, ids, low, high, target, target_lo[which], target_hi[which])]
    return [_as_released(view, item, lo[rows], hi[rows], ids)]


def blocks_of(view: View) -> list[BlockPiece]:
    """Compare what is released with what the true values lead to."""
    push = view.composite.push
    return [BlockPiece(view.name, view.released, push(view.target), push(view.source) if view.source is not None else None)]


def _blank(view: View, ids: IntArray, rows: IntArray) -> BoolArray:
    """Say which distinct intervals are those of blanks alone."""
    other = np.zeros(rows.size, dtype=np.bool_)
    other[ids[~view.released.is_missing]] = True
    return ~other


def _set(view: View, item: OneOf) -> SetPiece | BlockPiece:
    """Allow the released levels that one of the possible levels leads to, and blanks."""
    possible = view.composite.push(levels_column(view, item))
    if item.probabilities is None:
        return _as_one(view, item, possible)
    codes, allowed_codes, size = joint_codes(view.released, possible)
    allowed = np.zeros((1, size), dtype=np.bool_)
    allowed[0, allowed_codes] = True
    allowed[0, 0] = True
    prior = None
    if item.probabilities is not None:
        prior = np.zeros(size)
        np.add.at(prior, allowed_codes, np.asarray(item.probabilities))
        allowed[0] &= (prior > 0) | (np.arange(size) == 0)
    return SetPiece(view.name, codes, np.zeros(view.target.size, dtype=np.int64), allowed, prior)


def named_levels(view: View, item: OneOf, more: Sequence[Label] = ()) -> list[Label]:
    """Find the possible levels among those of the variable.

    Args:
        view: the variable.
        item: which levels are possible.
        more: levels it may have beside those of the targets and of the source file.
    """
    labels = (*view.target.labels, *(view.source.labels if view.source is not None else ()), *view.released.labels, *more)
    levels = {str(x): x for x in reversed(labels)}
    absent = [x for x in item.levels if str(x) not in levels]
    if absent and view.source is not None:
        raise IntruderError(f"OneOf {item.variable!r}: there is no level {absent[0]!r}")
    # without a source file, a level that no record shows may be one that nobody in the file has
    return [levels.get(str(x), x) for x in item.levels]


def _as_one(view: View, item: OneOf, possible: Column) -> BlockPiece:
    """Take the possible levels as one: levels that are as common as they are say no more than that.

    So beliefs about strangers are those about people who have one of them, and a record with a blank is of one only in part,
    unless everybody is of one.
    """
    def one(column: Column) -> tuple[Column, BoolArray]:
        codes, allowed, _ = joint_codes(column, possible)
        inside = np.isin(codes, allowed) & ~column.is_missing
        return column.with_codes(inside, ONE_OF), inside

    released, _ = one(view.released)
    target = Column.of_labels([ONE_OF]).take(np.zeros(view.target.size, dtype=np.int64))
    numbers = holds_numbers(view)
    levels = [x if numbers else str(x) for x in item.levels]
    if view.source is None:
        return BlockPiece(view.name, released, target, None, merged=dict.fromkeys(levels, 0.0))
    source, inside = one(view.composite.push(view.source))
    if inside.all() and not view.target.is_missing.any():
        released = released.with_codes(released.is_missing, ONE_OF)
    count = Counter(x if numbers else str(x) for x in view.source.take(np.flatnonzero(inside)).values())
    return BlockPiece(view.name, released, target, source, merged={level: float(count[level]) for level in levels})


def levels_column(view: View, item: OneOf, more: Sequence[Label] = ()) -> Column:
    """Make a column of the possible levels, after checking them against the targets.

    Args:
        view: the variable.
        item: which levels are possible.
        more: levels it may have beside those of the targets and of the source file.
    """
    if holds_numbers(view):
        return _numbers_named(view, item)
    chosen = named_levels(view, item, more)
    held = view.target.is_missing | np.isin(
        view.target.codes, [view.target.labels.index(x) for x in chosen if x in view.target.labels]
    )
    if not held.all():
        raise IntruderError(
            f"OneOf {item.variable!r}: {int(np.sum(~held))} of {held.size} targets have another level; "
            "choose targets for whom it is true"
        )
    return Column.of_labels(chosen)


def holds_numbers(view: View) -> bool:
    """Say whether the true values are numbers."""
    source = view.source if view.source is not None else view.target
    return bool(source.is_number.any())


def _numbers_named(view: View, item: OneOf) -> Column:
    """Make a column of the possible numbers, after checking them against the targets."""
    text = [x for x in item.levels if not isinstance(x, int | float)]
    if text:
        raise IntruderError(f"OneOf {item.variable!r}: there is no level {text[0]!r}; the variable holds numbers")
    chosen = np.array([float(x) for x in item.levels])
    if view.source is not None:
        absent = chosen[~np.isin(chosen, view.source.numbers)]
        if absent.size:
            raise IntruderError(f"OneOf {item.variable!r}: there is no level {absent[0]:g}")
    held = view.target.is_missing | np.isin(view.target.numbers, chosen)
    if not held.all():
        raise IntruderError(
            f"OneOf {item.variable!r}: {int(np.sum(~held))} of {held.size} targets have another level; "
            "choose targets for whom it is true"
        )
    return Column.of_numbers(chosen)


def _as_released(view: View, item: Knowledge, lo: FloatArray, hi: FloatArray, ids: IntArray) -> NumPiece:
    """Weigh numbers that are released as they are by the intruder's rough idea."""
    unknown = int(np.sum(np.isnan(lo[ids])))
    if unknown or not bool(np.all(view.target.is_number)):
        raise IntruderError(
            f"a distribution of {view.name!r} needs a number for every record and target; "
            f"{unknown} released record(s) have none"
        )
    if not isinstance(item, Roughly):
        raise IntruderError(
            f"{type(item).__name__} {view.name!r}: the variable holds numbers; use Between, Within or Roughly"
        )
    kernel = Kernel(sds=(1.0,), log_scale=item.relative)
    a, b, jacobian = on_scale(kernel, lo, hi)
    target, nodes = _distribution_nodes(item, view.target.numbers)
    n = lo.size
    source = (view.source.numbers, view.source.is_number) if view.source is not None else None
    state = np.full(n, 3, dtype=np.int64)
    return NumPiece(view.name, ids, a, b, jacobian, state, lo, hi, target, nodes, None, view.composite, source)


def _distribution_nodes(item: Roughly, y: FloatArray) -> tuple[IntArray, Nodes]:
    """Give the nodes of a rough idea of a number that is released as it is."""
    if item.relative and bool(np.any(y <= 0)):
        raise IntruderError(f"Roughly {item.variable!r}, relative: all values of the targets must be positive")
    value, target = np.unique(np.log(y) if item.relative else y, return_inverse=True)
    return target, Nodes.single(value, np.full(value.size, item.sd), np.zeros(value.size))


def bounds(item: Within | Between | Bracket, target: Column) -> tuple[FloatArray, FloatArray]:
    """Give the interval in which each target's number is known to lie."""
    y = target.numbers
    if not bool(np.all(target.is_number)):
        raise IntruderError(
            f"{type(item).__name__} {item.variable!r}: {int(np.sum(~target.is_number))} target(s) hold no number in it; "
            "choose other targets or declare the variable numeric"
        )
    if isinstance(item, Within):
        with np.errstate(over="ignore"):
            # an end beyond all numbers is open
            half = np.abs(y) * (item.percent / 100)
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
