"""Weigh records by a noisy number that is known within bounds (section 3.3)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from confide.linking.classes import NUMBERS
from confide.linking.compose import PERTURBED_BELOW, class_bounds
from confide.linking.entrance import entrance
from confide.linking.layout import Layout, TargetKinds
from confide.linking.likelihoods import EVERYWHERE, Believed, Within, factor, log_sum, possible, restricted
from confide.linking.marginal import class_masses
from confide.linking.others import Strangers
from confide.linking.parallel import Progress
from confide.linking.pieces import BoundPiece, NumPiece
from confide.linking.rounded import zero_cell
from confide.typing import BoolArray, FloatArray, IntArray


def within_bounds(
    piece: BoundPiece, strangers: Strangers, layout: Layout, kinds: TargetKinds, progress: Progress
) -> FloatArray:
    """Give log Pr(z | true value within bounds) of records, by kind of target (3.3).

    The true value has the beliefs about the record's kind, given the target's categories that are known, restricted to
    the bounds: also whether it is a kept zero, or was coded. Where no true value within the bounds could have led to the
    record the likelihood is zero.
    """
    believed = strangers.believed
    assert believed is not None
    row, profile = layout.pairs()
    value = np.empty(layout.size)
    for k in np.unique(layout.kind):
        here = np.flatnonzero(layout.kind[row] == k)
        rows = strangers.rows[profile[here]]
        records = strangers.first[profile[here]]
        weight = _narrowed(believed, rows, {name: int(levels[k]) for name, levels in kinds.levels.items()})
        own = kinds.own[k]
        within = float(piece.low[own]), float(piece.high[own])
        if believed.prior.given_class:
            value[here] = _fitted(piece, believed, rows, records, weight, within, int(own), progress)
        else:
            value[here] = _supplied(piece.number, believed, rows, piece.record[records], weight, within, progress)
    return value


def _supplied(
    number: NumPiece, believed: Believed, rows: IntArray, ids: IntArray, weight: FloatArray, within: Within,
    progress: Progress,
) -> FloatArray:  # fmt: skip
    """Restrict beliefs about true values, whatever their class."""
    out, _ = believed.integrals(number, rows, ids, weight, progress, within)
    all_values = possible(number)
    if not restricted(number):
        all_values.low[:], all_values.high[:] = EVERYWHERE
    mass, _ = believed.integrals(all_values, rows, np.zeros(rows.size, dtype=np.int64), weight, within=within)
    return _ratio(log_sum(weight + out), log_sum(weight + mass))


def _fitted(
    piece: BoundPiece, believed: Believed, rows: IntArray, records: IntArray, weight: FloatArray, within: Within, own: int,
    progress: Progress,
) -> FloatArray:  # fmt: skip
    """Restrict each class: of numbers the fitted distribution, of others the share of people who are within the bounds."""
    number, cat, prior = piece.number, piece.classes, believed.prior
    assert cat is not None
    assert piece.inside is not None
    level = prior.categories[cat.name]
    level = level[rows] if level.shape[0] > 1 else np.tile(level, (rows.size, 1))
    share, whole = piece.inside[own][level], np.zeros(level.shape)
    for k, name in enumerate(cat.levels):
        if name in NUMBERS:
            at = level == k
            low, high = _bounds(number, below=name == PERTURBED_BELOW)
            mass = _masses(believed, number, rows, (low, high), below=name == PERTURBED_BELOW)
            inside = _masses(
                believed, number, rows, (max(low, within[0]), min(high, within[1])), below=name == PERTURBED_BELOW
            )
            whole = np.where(at, mass, whole)
            with np.errstate(invalid="ignore"):
                share = np.where(at, np.where(np.isneginf(inside), -np.inf, inside - mass), share)
    needed = weight + factor(cat, prior, rows, cat.record[records])
    out, _ = believed.integrals(number, rows, piece.record[records], needed, progress, within)
    silent = ~np.isin(level, [k for k, name in enumerate(cat.levels) if name in NUMBERS])
    with np.errstate(invalid="ignore"):
        each = np.where(silent, out + share, np.where(np.isneginf(out), -np.inf, out - whole))
    return _ratio(log_sum(needed + each), log_sum(weight + share))


def _bounds(number: NumPiece, *, below: bool) -> Within:
    """Give the true values that are perturbed as they are."""
    assert number.kernel is not None
    return class_bounds(number.composite, number.kernel, below=below)


def _masses(believed: Believed, number: NumPiece, rows: IntArray, bounds: Within, *, below: bool) -> FloatArray:
    """Give the log probabilities of an interval, for the fitted distribution of each row and atom."""
    amount = believed.prior.amounts[number.name]
    low, high = (-bounds[1], -bounds[0]) if below or amount.negative else bounds
    n = rows.size
    out = np.empty((n, believed.prior.log_weight.shape[1]))
    side: BoolArray = np.full(n, below)
    class_masses(rows, side, amount.family, amount.first, amount.second, np.full(n, low), np.full(n, high), out)
    lattice, kernel = entrance(number.composite.before).lattice, number.kernel
    if lattice is not None and kernel is not None and (kernel.keep_zero or kernel.log_scale):
        # numbers that are rounded to zero are zeros
        cell = zero_cell(lattice.to, np.full(n, low), np.full(n, high))
        if cell[0][0] < cell[1][0]:
            zero = np.empty_like(out)
            class_masses(rows, side, amount.family, amount.first, amount.second, *cell, zero)
            with np.errstate(divide="ignore", invalid="ignore"):
                out = np.where(zero < out, out + np.log1p(-np.exp(zero - out)), np.where(zero == 0.0, out, -np.inf))
    return out


def _ratio(top: FloatArray, total: FloatArray) -> FloatArray:
    """Divide; what is impossible stays impossible."""
    found: FloatArray = np.where(np.isneginf(total), -np.inf, top - np.where(np.isneginf(total), 0.0, total))
    return found


def _narrowed(believed: Believed, rows: IntArray, known: Mapping[str, int]) -> FloatArray:
    """Give the log weights of the atoms that agree with what is known; all of them where none does."""
    weight = believed.prior.log_weight[rows]
    narrowed = weight.copy()
    for name, level in known.items():
        levels = believed.prior.categories.get(name)
        if levels is not None:
            narrowed += np.where((levels[rows] if levels.shape[0] > 1 else levels) == level, 0.0, -np.inf)
    none = np.all(np.isneginf(narrowed), axis=1)
    return np.where(none[:, None], weight, narrowed)
