"""How probable combinations of categories are for people of whom numbers are known, too.

Of a target both are asked for together, as of a stranger (eq. 5):

    Pr(c | z^Ad, y)  is proportional to  Pr(c | z^Ad) f(y | z^Ad, c),

with c the combination of the categories that are not known, and y the altered numbers that are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.column import Column
from confide.intruder.beliefs.fitted import FittedModel
from confide.intruder.beliefs.prior import LOGNORMAL, REPLACED, SILENT, UnitPrior
from confide.linking.classes import class_name
from confide.linking.compose import class_bounds
from confide.linking.joint_noise import joint_model
from confide.linking.likelihoods import joint_density, log_sum
from confide.linking.marginal import class_masses
from confide.linking.pieces import CatPiece, JointPiece, NumPiece, Piece
from confide.typing import FloatArray, IntArray

Told = NumPiece | JointPiece | CatPiece
"""Numbers that are known exactly, and their classes."""


def known_numbers(pieces: Sequence[Piece], model: FittedModel | None = None) -> list[Told]:
    """Give the altered numbers that are known exactly of every target, with their classes.

    Args:
        pieces: the evidence of what is known.
        model: what must speak of them; None: nothing need.
    """
    if model is not None and model.combinations.shape[0] == 1:
        return []
    numbers = [p for p in pieces if isinstance(p, NumPiece) and p.known is not None]
    if model is not None:
        numbers = [p for p in numbers if p.name in model.amounts]
    classes = {class_name(p.name) for p in numbers}
    if model is not None:
        classes &= set(model.variables)
    joint = [p for p in pieces if isinstance(p, JointPiece) and p.source is not None]
    return [*numbers, *joint, *(p for p in pieces if isinstance(p, CatPiece) and p.of_class and p.name in classes)]


def given_numbers(
    log_w: FloatArray,
    told: Sequence[Told],
    model: FittedModel,
    prior: UnitPrior,
    columns: Sequence[Column],
    first: IntArray,
) -> FloatArray:
    """Multiply the weights of combinations by the density of the numbers that are known.

    Args:
        log_w: log weights, kinds of targets by combinations.
        told: the numbers.
        model: the regressions.
        prior: what they say of each kind.
        columns: the covariates of each kind.
        first: one target of each kind.
    """
    out = log_w
    for piece in told:
        if isinstance(piece, CatPiece):
            mine = piece.target[first][:, None]
            level = model.combinations[:, model.variables.index(piece.name)][None, :]
            # a class that nobody has says nothing
            out = out + np.where((level == mine) | (mine >= len(piece.levels)), 0.0, -np.inf)
        elif isinstance(piece, NumPiece):
            out = out + _log_density(piece, prior, first)
    joints = [p for p in told if isinstance(p, JointPiece)]
    if joints:
        piece, means, covariance = joint_model(joints, model, columns)
        rows = np.arange(first.size) if means.shape[1] == first.size else np.zeros(first.size, dtype=np.int64)
        out = out + joint_density(piece.true[:, piece.target[first]], means, covariance, rows)
    # who is like nobody is told apart by the rest
    return np.where(np.isneginf(log_sum(out))[:, None], log_w, out)


def _log_density(piece: NumPiece, prior: UnitPrior, first: IntArray) -> FloatArray:
    """Give the log density of each kind's number in its class, by combination; 0 where the class says all."""
    amount, kernel = prior.amounts[piece.name], piece.kernel
    assert piece.known is not None
    assert kernel is not None
    y = piece.known[piece.target[first]]
    below = (y < 0) & np.bool_(kernel.log_scale)
    sides = [class_bounds(piece.composite, kernel, below=side) for side in (False, True)]
    low, high = (np.where(below, sides[1][k], sides[0][k]) for k in range(2))
    mirror = below | np.bool_(amount.negative)
    low, high = np.where(mirror, -high, low), np.where(mirror, -low, high)
    mass = np.empty((first.size, prior.log_weight.shape[1]))
    rows = np.arange(first.size)
    class_masses(rows, below, amount.family, amount.first, amount.second, low, high, mass)
    is_log = amount.family == LOGNORMAL
    with np.errstate(divide="ignore", invalid="ignore"):
        log_y = np.log(np.where(mirror, -y, y))[:, None]
        d = (np.where(is_log, log_y, y[:, None]) - amount.first) / amount.second
        value = -0.5 * d * d - np.log(amount.second) - np.where(is_log, log_y, 0.0) - mass
    quiet = np.isnan(y)[:, None] | (amount.family == SILENT) | (amount.family == REPLACED)
    found: FloatArray = np.where(quiet, 0.0, np.where(np.isnan(value), -np.inf, value))
    return found
