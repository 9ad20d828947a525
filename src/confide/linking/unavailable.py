"""Altered variables the intruder does not know but models: Pr(z^U | z^A, J = j, t), eq. (3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.beliefs.fitted import FittedModel
from confide.intruder.beliefs.prior import LOGNORMAL, NORMAL
from confide.intruder.intruder import Regression
from confide.intruder.knowledge import Distributed
from confide.linking.absent import composed
from confide.linking.category import channel_table, level_codes
from confide.linking.collect import collect
from confide.linking.compose import PERTURBED, class_bounds, class_column
from confide.linking.nodes import averaged
from confide.linking.noisy_number import noisy_records
from confide.linking.pieces import BlockPiece, CatPiece, NumPiece, Piece
from confide.linking.view import View
from confide.release.channel import Discrete, Kernel
from confide.release.method import Step
from confide.release.released import Released
from confide.typing import FloatArray, IntArray


def modelled(
    others: Mapping[str, Distributed | Regression],
    released: Released,
    targets: Microdata,
    steps: Sequence[Step],
    pieces: Sequence[Piece],
    model: FittedModel | None,
) -> list[Piece]:
    """Give the evidence of each variable that is modelled rather than known."""
    out: list[Piece] = []
    for name, how in others.items():
        source = released.source.columns.get(name) if released.source is not None else None
        composite = composed(steps, name, released, [] if source is None else [source])
        blank = Column.of_numbers(np.zeros(targets.n))
        view = View(composite, released.data.columns[name], blank, source, released.data)
        if isinstance(how, Distributed):
            if not isinstance(composite.core, Kernel):
                raise IntruderError(f"unavailable: {name!r} is not a noisy number; use Regression() for swapped categories")
            out += collect(view, how)
            continue
        assert model is not None
        weights, kinds = _target_atoms(pieces, model, targets.n)
        if isinstance(composite.core, Discrete):
            out.append(_category(view, composite.core, model, weights, kinds))
        elif isinstance(composite.core, Kernel):
            out.append(_number(view, composite.core, model, pieces, weights, kinds))
        else:
            raise LikelihoodError(f"unavailable: correlated noise on {name!r} cannot be modelled; leave it out")
    return out


def _target_atoms(pieces: Sequence[Piece], model: FittedModel, n: int) -> tuple[FloatArray, IntArray]:
    """Give Pr(combination | what is known), by kind of target, and each target's kind.

    Known categories pick the combinations that have them.
    """
    columns = [p.target for p in pieces if isinstance(p, BlockPiece)]
    known = [p for p in pieces if isinstance(p, CatPiece) and p.rows.shape == p.channel.shape and p.name in model.variables]
    keys = [c.profile()[0] for c in columns] + [p.target for p in known]
    keys.append(np.zeros(n, dtype=np.int64))
    _, first, kinds = np.unique(np.column_stack(keys), axis=0, return_index=True, return_inverse=True)
    log_w = model.log_weights([c.take(first) for c in columns], first.size)
    for piece in known:
        level = model.combinations[:, model.variables.index(piece.name)]
        log_w = np.where(level[None, :] == piece.target[first][:, None], log_w, -np.inf)
    top = log_w.max(axis=1, keepdims=True)
    w = np.exp(log_w - np.where(np.isneginf(top), 0.0, top))
    total = w.sum(axis=1, keepdims=True)
    w = np.where(total > 0, w / np.where(total > 0, total, 1.0), 1.0 / w.shape[1])
    return w, kinds.ravel().astype(np.int64)


def _category(view: View, core: Discrete, model: FittedModel, weights: FloatArray, kinds: IntArray) -> CatPiece:
    """Average the swap matrix over the levels the target may have."""
    channel, codes = channel_table(view, core)
    level = model.combinations[:, model.variables.index(view.name)]
    by_level = np.zeros((weights.shape[0], channel.shape[0]))
    for k in range(channel.shape[0]):
        by_level[:, k] = weights[:, level == k].sum(axis=1)
    source = level_codes(view.composite.push(view.source), core.levels) if view.source is not None else None
    with np.errstate(divide="ignore"):
        return CatPiece(view.name, codes, kinds, np.log(by_level @ channel), np.log(channel), core.levels, source)


def _number(
    view: View, kernel: Kernel, model: FittedModel, pieces: Sequence[Piece], weights: FloatArray, kinds: IntArray
) -> NumPiece:
    """Average the noise over the regression's distribution of the target's number."""
    _, ids, (a, b, jacobian, low, high), state = noisy_records(view, kernel)
    source = None if view.source is None else class_column(kernel, view.composite.push(view.source))
    known = source is not None and {source.labels[c] for c in np.unique(source.codes) if c >= 0} == {PERTURBED}
    if not known or not bool(np.all(state == 1)):
        raise LikelihoodError(
            f"unavailable: {view.name!r} has classes (kept zeros, coded or negative values) that a regression "
            "cannot predict; give a distribution for it or leave it out"
        )
    amount = model.amounts[view.name]
    columns = [p.target for p in pieces if isinstance(p, BlockPiece)]
    first = np.unique(kinds, return_index=True)[1]
    means = model.amount_means(view.name, [c.take(first) for c in columns], first.size)
    mean = np.sum(weights * means, axis=1)
    spread = np.sqrt(np.sum(weights * (means - mean[:, None]) ** 2, axis=1) + amount.sd**2)
    family = LOGNORMAL if amount.log_scale else NORMAL
    nodes = averaged(
        kernel,
        [(family, float(m), float(s)) for m, s in zip(mean, spread, strict=True)],
        class_bounds(view.composite, kernel),
    )
    values = None if view.source is None else (view.composite.push(view.source).numbers, np.ones(view.source.size, np.bool_))
    return NumPiece(view.name, ids, a, b, jacobian, state, low, high, kinds, nodes, kernel, view.composite, values)
