"""Log Pr(z^C_j | z^Ad_j) of every record profile, from pieces of evidence and beliefs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.intruder.beliefs.prior import UnitPrior
from confide.linking.graph import Graph
from confide.linking.marginal import amount_integrals
from confide.linking.memory import needs_memory
from confide.linking.parallel import Progress, in_chunks, part_of
from confide.linking.pieces import BoundPiece, CatPiece, JointPiece, NumPiece
from confide.linking.quadrature import quadrature
from confide.typing import FloatArray, IntArray


def log_marginals(
    graph: Graph,
    cats: Sequence[CatPiece],
    nums: Sequence[NumPiece],
    joint: tuple[JointPiece, FloatArray, FloatArray] | None,
    prior: UnitPrior,
    rows: IntArray,
    *,
    dot_products: bool,
    progress: Progress,
) -> FloatArray:
    """Sum over the atoms of the prior (eq. 5, convention 8).

    Args:
        graph: the record profiles.
        cats: perturbed categories.
        nums: perturbed numbers.
        joint: numbers with correlated noise, their means by prior row and atom, and the covariance
            of their residuals.
        prior: the mixture of each kind of unit.
        rows: the row of the prior for each record profile.
        dot_products: multiply one sum per category instead of summing jointly.
        progress: is told how many records are done.
    """
    n = graph.count.size
    out = np.empty(n)
    size = max(1_000, MOST_CELLS // max(prior.log_weight.shape[1], 1))
    for start in range(0, n, size):
        part = slice(start, min(start + size, n))
        first, kind = graph.record_first[part], rows[part]
        steps = part_of(progress, start, n)
        out[part] = _part(first, kind, cats, nums, joint, prior, dot_products=dot_products, progress=steps)
    return out


MOST_CELLS = 8_000_000
"""Records times atoms held in memory at a time."""


def _part(
    first: IntArray,
    rows: IntArray,
    cats: Sequence[CatPiece],
    nums: Sequence[NumPiece],
    joint: tuple[JointPiece, FloatArray, FloatArray] | None,
    prior: UnitPrior,
    *,
    dot_products: bool,
    progress: Progress,
) -> FloatArray:
    """Sum over the atoms for some record profiles, given by one record of each and their kinds."""
    weight = prior.log_weight[rows]
    factors = [_factor(piece, prior, rows, piece.record[first]) for piece in cats]
    needed = weight.copy()
    if not dot_products:
        for factor in factors:
            needed += factor
    top, mass = needed.copy(), weight.copy()
    for piece in nums:
        out, inside = _integrals(piece, prior, rows, piece.record[first], needed, progress)
        mass += inside
        if prior.given_class:
            out = np.where(np.isneginf(inside), -np.inf, out - np.where(np.isneginf(inside), 0.0, inside))
        top += out
    if joint is not None:
        top += _joint_density(joint[0], joint[1], joint[2], rows, joint[0].record[first])
    value = _log_sum(top)
    if dot_products:
        for factor in factors:
            value = value + _log_sum(weight + factor)
    if not prior.given_class and nums:
        total = _log_sum(mass)
        value = value - np.where(np.isneginf(total), 0.0, total)
    return value


def _factor(piece: CatPiece, prior: UnitPrior, rows: IntArray, codes: IntArray) -> FloatArray:
    """Give the log swap probability of the released code for each atom."""
    levels = prior.categories[piece.name]
    if levels.shape[0] == 1:
        return np.asarray(piece.channel[levels[0]][:, codes].T, dtype=np.float64)
    return np.asarray(piece.channel[levels[rows], codes[:, None]], dtype=np.float64)


def _integrals(
    piece: NumPiece,
    prior: UnitPrior,
    rows: IntArray,
    ids: IntArray,
    needed: FloatArray,
    progress: Progress,
    within: tuple[float, float] = (-np.inf, np.inf),
) -> tuple[FloatArray, FloatArray]:
    """Integrate the noise of one amount against its prior, in threads; only true values `within` count."""
    kernel, amount = piece.kernel, prior.amounts[piece.name]
    flags = np.zeros(6)
    sds, breaks = np.ones(1), np.zeros(0)
    if kernel is not None:
        redraw = not kernel.clamp and not kernel.log_scale and np.isfinite([kernel.lower, kernel.upper]).any()
        flags = np.array(
            [kernel.log_scale, kernel.shift, kernel.lower, kernel.upper, redraw, kernel.keep_zero], dtype=np.float64
        )
        sds, breaks = np.asarray(kernel.sds, dtype=np.float64), np.asarray(kernel.breaks, dtype=np.float64)
    out, mass = np.empty_like(needed), np.empty_like(needed)
    state = piece.state[ids]
    floor, ceiling = np.maximum(piece.low[ids], within[0]), np.minimum(piece.high[ids], within[1])
    below = state == 2
    low, high = np.where(below, -ceiling, floor), np.where(below, -floor, ceiling)

    def work(start: int, stop: int) -> None:
        amount_integrals(
            start,
            stop,
            rows,
            piece.a[ids],
            piece.b[ids],
            state,
            amount.family,
            amount.first,
            amount.second,
            low,
            high,
            prior.given_class,
            flags,
            sds,
            breaks,
            *quadrature(),
            needed,
            out,
            mass,
        )

    in_chunks(work, ids.size, 2_000, progress)
    return out, mass


def _joint_density(piece: JointPiece, means: FloatArray, residual: FloatArray, rows: IntArray, ids: IntArray) -> FloatArray:
    """Give the log normal density of released numbers whose noise is correlated, by atom."""
    total = residual + piece.covariance
    lower = np.linalg.cholesky(total)
    log_det = 2 * np.sum(np.log(np.diag(lower)))
    k = len(piece.names)
    out = np.empty((ids.size, means.shape[2]))
    for atom in range(means.shape[2]):
        d = np.linalg.solve(lower, piece.released[:, ids] - means[:, rows, atom])
        out[:, atom] = -0.5 * np.sum(d * d, axis=0) - 0.5 * log_det - 0.5 * k * np.log(2 * np.pi)
    return out


def _log_sum(x: FloatArray) -> FloatArray:
    """Give the log of the sum of exponentials over atoms."""
    top = x.max(axis=1)
    safe = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        return np.asarray(safe + np.log(np.exp(x - safe[:, None]).sum(axis=1)), dtype=np.float64)


def bound_likelihoods(
    graph: Graph, pieces: Sequence[BoundPiece], prior: UnitPrior, rows: IntArray, progress: Progress
) -> FloatArray:
    """Give log Pr(z | true value within bounds), variables by bounds by record profiles (3.3).

    The true value has the beliefs about the record's kind, restricted to the bounds. Where no true
    value within the bounds could have led to the record the likelihood is zero.
    """
    most = max((p.low.size for p in pieces), default=0)
    needs_memory(len(pieces) * most * graph.count.size * 8, "the likelihoods of numbers known within bounds")
    table = np.zeros((len(pieces), most, graph.count.size))
    needed = prior.log_weight[rows]
    for k, piece in enumerate(pieces):
        ids = piece.record[graph.record_first]
        still = piece.number.state[ids] == 0
        for b, within in enumerate(zip(piece.low, piece.high, strict=True)):
            out, mass = _integrals(piece.number, prior, rows, ids, needed, progress, within)
            top, total = _log_sum(needed + out), _log_sum(needed + mass)
            with np.errstate(invalid="ignore"):
                value = np.where(np.isneginf(total), -np.inf, top - np.where(np.isneginf(total), 0.0, total))
            table[k, b] = np.where(still, 0.0, value)
    return table
