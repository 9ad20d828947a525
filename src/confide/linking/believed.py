"""Compare released records with what is believed about their kind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.column import Column
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.beliefs.fitted import FittedBeliefs, FittedModel, fit_model
from confide.intruder.beliefs.prior import UnitPrior
from confide.intruder.beliefs.supplied import SuppliedBeliefs
from confide.intruder.intruder import Intruder
from confide.linking.graph import Graph
from confide.linking.joint_noise import joint_model
from confide.linking.parallel import Progress
from confide.linking.pieces import BlockPiece, BoundPiece, CatPiece, JointPiece, NumPiece, Piece
from confide.linking.unit_marginals import bound_likelihoods, log_marginals
from confide.release.released import Released
from confide.typing import FloatArray, IntArray


def fit(
    intruder: Intruder,
    pieces: Sequence[Piece],
    unavailable: Sequence[Piece],
    released: Released,
    *,
    by_regression: bool,
) -> FittedModel | None:
    """Fit the regressions of all perturbed variables, where any are needed.

    Args:
        intruder: whose beliefs these are.
        pieces: the evidence of the known variables.
        unavailable: the evidence of perturbed variables that are not known but modelled.
        released: the released file with its source.
        by_regression: whether any of these is modelled by a regression.
    """
    cats = {p.name: p for p in (*pieces, *unavailable) if isinstance(p, CatPiece)}
    nums = {p.name: p for p in _numbers([*pieces, *unavailable])}
    joints = any(isinstance(p, JointPiece) for p in pieces)
    fitted = isinstance(intruder.beliefs, FittedBeliefs)
    bound = any(isinstance(p, BoundPiece) for p in pieces)
    if not by_regression and not (fitted and (bound or intruder.models_others) and (cats or nums or joints)):
        return None
    if released.source is None:
        raise IntruderError("beliefs are fitted to the source file, but there is none; give beliefs=SuppliedBeliefs(...)")
    columns = [p.source for p in pieces if isinstance(p, BlockPiece) and p.source is not None]
    return fit_model(
        columns,
        {n: p.source for n, p in cats.items() if p.source is not None},
        {n: p.source for n, p in nums.items() if p.source is not None},
        released.source.n,
    )


def compare(
    intruder: Intruder,
    released: Released,
    pieces: Sequence[Piece],
    graph: Graph,
    model: FittedModel | None,
    progress: Progress,
) -> tuple[FloatArray, FloatArray]:
    """Give log Pr(z^C | z^Ad) of every record profile, and likelihoods of numbers known within bounds."""
    bounds = [p for p in pieces if isinstance(p, BoundPiece)]
    if not bounds and not any(isinstance(p, CatPiece | NumPiece | JointPiece) for p in pieces):
        return np.zeros(graph.count.size), np.zeros((0, 0, graph.count.size))
    cats, nums = [p for p in pieces if isinstance(p, CatPiece)], _numbers(pieces)
    joints = [p for p in pieces if isinstance(p, JointPiece)]
    if not intruder.models_others and not bounds:
        return np.zeros(graph.count.size), np.zeros((0, 0, graph.count.size))
    prior, rows = _prior(intruder, released, pieces, graph, model)
    table = bound_likelihoods(graph, bounds, prior, rows, progress)
    if not intruder.models_others:
        return np.zeros(graph.count.size), table
    joint = joint_model(joints, model, released, _kinds(pieces, graph), cats) if joints and model is not None else None
    dot_products = isinstance(intruder.beliefs, FittedBeliefs) and intruder.beliefs.product_of_dot_products
    log_m = log_marginals(graph, cats, nums, joint, prior, rows, dot_products=dot_products, progress=progress)
    impossible = int(graph.count[np.isneginf(log_m)].sum())
    if impossible:
        raise LikelihoodError(
            f"the intruder's beliefs make {impossible} released record(s) impossible; "
            "give every level that could be released some probability, or set models_others=False"
        )
    return log_m, table


def _prior(
    intruder: Intruder, released: Released, pieces: Sequence[Piece], graph: Graph, model: FittedModel | None
) -> tuple[UnitPrior, IntArray]:
    """Give the beliefs about each kind of record, and the kind of each record profile."""
    if isinstance(intruder.beliefs, SuppliedBeliefs):
        if any(isinstance(p, JointPiece) for p in pieces):
            raise IntruderError("supplied beliefs do not cover correlated noise; use fitted beliefs")
        levels = {p.name: p.levels for p in pieces if isinstance(p, CatPiece)}
        return intruder.beliefs.prior(levels, [p.name for p in _numbers(pieces)], released.data.n), graph.record_first
    assert model is not None
    columns = _kinds(pieces, graph)
    return model.prior(columns, graph.block_start.size - 1), graph.block_of_record


def _kinds(pieces: Sequence[Piece], graph: Graph) -> list[Column]:
    """Give the unperturbed values of each block: what tells kinds of records apart."""
    first = graph.record_first[graph.block_start[:-1]]
    return [p.record.take(first) for p in pieces if isinstance(p, BlockPiece)]


def _numbers(pieces: Sequence[Piece]) -> list[NumPiece]:
    """Give the perturbed numbers, also those known only within bounds."""
    return [p.number if isinstance(p, BoundPiece) else p for p in pieces if isinstance(p, NumPiece | BoundPiece)]
