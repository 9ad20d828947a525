"""The released side of an altered variable of which only beliefs are held (section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from confide.data.column import Column
from confide.errors import LikelihoodError
from confide.intruder.blanks import Blanks, chance_of
from confide.linking.category import Strata, chances_for, level_codes, swapped_piece
from confide.linking.classes import class_part, lasting, moved, seen_as, source_classes
from confide.linking.compose import PERTURBED, ZERO
from confide.linking.deterministic import holds_numbers
from confide.linking.joint_noise import correlated
from confide.linking.noisy_number import noisy_records, silent_nodes
from confide.linking.pieces import CatPiece, NumPiece, distinct_pairs, joint_codes
from confide.linking.view import View
from confide.release.channel import Discrete, JointKernel, Kernel
from confide.release.methods.swap import MISSING_LEVEL
from confide.typing import BoolArray, Label

Part = CatPiece | NumPiece


def stated_part(view: View, strata: Strata, blanks: Blanks, levels: Sequence[Label] = ()) -> Part:
    """Look at a variable as beliefs in values and distributions speak of it.

    Args:
        view: the variable.
        strata: categories that are weighed by their true levels.
        blanks: how blanks are read.
        levels: levels that beliefs name, where the variable is a category.
    """
    core = view.composite.core
    if isinstance(core, Discrete):
        return swapped_piece(view, core, strata, blanks)
    if isinstance(core, Kernel):
        none = np.zeros(view.target.size, dtype=np.int64)
        return noisy_records(view, core).piece(view, core, none, silent_nodes(), None, visible=False)
    if isinstance(core, JointKernel):
        raise LikelihoodError(correlated(view.name))
    named = tuple(dict.fromkeys((*labels_of(view), *(x for x in levels if isinstance(x, str)))))
    if named and not holds_numbers(view):
        return coded_part(view, named, blanks)
    return number_part(view)


def fitted_parts(view: View, strata: Strata, blanks: Blanks) -> tuple[Part, ...]:
    """Look at a variable as beliefs fitted to the source file speak of it: classes are categories of their own."""
    core = view.composite.core
    if isinstance(core, Discrete | JointKernel):
        return (stated_part(view, strata, blanks),)
    assert view.source is not None
    if isinstance(core, Kernel):
        return _noisy_parts(view, core)
    pushed = view.composite.push(view.source)
    if not (pushed.is_number.any() or view.released.is_number.any()):
        _, distinct = pushed.profile()
        levels = tuple(dict.fromkeys(x for x in (*distinct.values(), *view.released.labels) if x is not None))
        return (_identity(view, pushed, levels),)
    return _number_parts(view, pushed)


def labels_of(view: View) -> tuple[Label, ...]:
    """Give the labels a variable has in the source file, or for the targets."""
    return tuple(dict.fromkeys((*(view.source.labels if view.source is not None else ()), *view.target.labels)))


def coded_part(view: View, levels: tuple[Label, ...], blanks: Blanks) -> CatPiece:
    """Take recoded categories as a swap that moves nobody: each level leads to one code, or to a blank."""
    true = as_column(levels, numbers=holds_numbers(view))
    released = view.composite.push(true)
    codes, leads, size = joint_codes(view.released, released)
    given, by_value = chances_for(blanks, view.name)
    by = true if by_value else released
    chance = np.array([0.0 if given is None else chance_of(given, x) for x in by.values()])
    table = np.zeros((len(levels), size))
    table[np.arange(len(levels)), leads] = 1.0 - chance
    if not np.any(leads == 0):
        table[:, 0] = 1.0 if given is None else chance
    with np.errstate(divide="ignore"):
        channel = np.log(table)
    source = level_codes(view.source, levels) if view.source is not None else None
    return CatPiece(view.name, codes, np.zeros(view.target.size, dtype=np.int64), channel[:1], channel, levels, source)


def as_column(levels: tuple[Label, ...], *, numbers: bool) -> Column:
    """Give levels as a column, numbers as such.

    >>> as_column((10, 20), numbers=True).is_number.tolist()
    [True, True]
    """
    if numbers and all(isinstance(x, int | float) for x in levels):
        return Column.of_numbers([float(x) for x in levels])
    return Column.of_labels([None if x == MISSING_LEVEL else x for x in levels])


def _identity(view: View, pushed: Column, levels: tuple[Label, ...]) -> CatPiece:
    """Take released categories as they are."""
    column = Column.of_labels([*levels])
    codes, leads, size = joint_codes(view.released, column)
    known = codes >= 0
    missing = bool(pushed.is_missing.any())
    named: tuple[Label, ...] = (*levels, *((MISSING_LEVEL,) if missing else ()))
    table = np.zeros((len(named), size))
    table[np.arange(len(levels)), leads] = 1.0
    table[-1 if missing else slice(None), 0] = 1.0
    with np.errstate(divide="ignore"):
        channel = np.log(table)
    none = np.zeros(view.target.size, dtype=np.int64)
    return CatPiece(view.name, np.where(known, codes, 0), none, channel[:1], channel, named, level_codes(pushed, named))


def number_part(view: View) -> NumPiece:
    """Take numbers that are released as they are, rounded or in ranges; a blank says nothing."""
    lo, hi = view.composite.interval(view.released)
    told = ~(np.isnan(lo) | np.isnan(hi))
    ids, rows = distinct_pairs(np.where(told, lo, -np.inf), np.where(told, hi, np.inf))
    low, high = np.where(told, lo, -np.inf)[rows], np.where(told, hi, np.inf)[rows]
    n = low.size
    silent = np.full(n, np.nan)
    return NumPiece(
        view.name, ids, silent, silent, np.zeros(n), np.full(n, 3, dtype=np.int64), low, high,
        np.zeros(view.target.size, dtype=np.int64), silent_nodes(), None, view.composite, None, False,
    )  # fmt: skip


def _noisy_parts(view: View, kernel: Kernel) -> tuple[Part, ...]:
    """Take a noisy amount: its class, and the number where it is perturbed."""
    assert view.source is not None
    records = noisy_records(view, kernel)
    classes = source_classes(view, kernel, view.source)
    none = np.zeros(view.target.size, dtype=np.int64)
    source = (view.source.numbers, moved(classes))
    number = records.piece(view, kernel, none, silent_nodes(), source, visible=False)
    alike = {r.label: seen_as(kernel, r.number) for r in lasting(view, kernel)}
    return class_part(view.name, records.classes, records.hidden, classes, alike), number


def _number_parts(view: View, pushed: Column) -> tuple[Part, ...]:
    """Take an amount that is released as it is beside codes: its class, and the number; zeros are a class where many are."""
    part, true = number_part(view), view.source
    assert true is not None
    number = pushed.is_number & true.is_number
    zeros = number & np.equal(true.numbers, 0.0)
    low, high = part.low[part.record], part.high[part.record]
    point: BoolArray = np.equal(low, high)
    around = view.released.is_number & (low <= 0.0) & (high >= 0.0)
    kept = int(zeros.sum()) > 1 and bool(around.any())
    source = pushed.with_codes(pushed.is_number, PERTURBED)
    released = view.released.with_codes(view.released.is_number, PERTURBED)
    # a rounded number may be a zero or another one
    hidden = around & ~point & np.bool_(kept)
    if kept:
        source, released, number = source.with_codes(zeros, ZERO), released.with_codes(around & point, ZERO), number & ~zeros
    return class_part(view.name, released, hidden, source, {}), replace(part, source=(true.numbers, number))
