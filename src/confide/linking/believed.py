"""Compare released records with what is believed about their kind, and about the targets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.packing import groups
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.beliefs.fitted import FittedBeliefs, FittedModel, fit_model
from confide.intruder.intruder import Intruder
from confide.linking.alike import Alike
from confide.linking.arrays import Tables
from confide.linking.beliefs import Free, exactly_known
from confide.linking.classes import NUMBERS, class_name
from confide.linking.entrance import entrance
from confide.linking.given_numbers import known_numbers
from confide.linking.graph import Graph, stack, stack_float
from confide.linking.layout import Layout, TargetKinds
from confide.linking.likelihoods import Believed, points_of
from confide.linking.memory import needs_memory
from confide.linking.others import Strangers, altered, same_pieces
from confide.linking.parallel import Progress
from confide.linking.pieces import (
    BeliefPiece,
    BlockPiece,
    BoundPiece,
    CatPiece,
    JointPiece,
    NumPiece,
    Piece,
)
from confide.linking.within_bounds import within_bounds
from confide.release.released import Released
from confide.typing import FloatArray, IntArray


def fit(intruder: Intruder, pieces: Sequence[Piece], free: Sequence[Free], released: Released) -> FittedModel | None:
    """Fit the regressions of all perturbed variables, where any are needed.

    Args:
        intruder: whose beliefs these are.
        pieces: the evidence of what is known, and of what beliefs were stated about.
        free: altered variables of which several values are possible.
        released: the released file with its source.
    """
    fitted = isinstance(intruder.beliefs, FittedBeliefs)
    told = bool(known_numbers(pieces)) and released.source is not None
    asked = any(not f.known or (told and f.prior is None) for f in free)
    cats, nums = altered([*(pieces if fitted or asked else ()), *(p for f in free for p in f.parts)])
    joints = any(isinstance(p, JointPiece) for p in pieces)
    bound = any(isinstance(p, BoundPiece) for p in pieces)
    if not asked and not (fitted and (bound or intruder.models_others) and (cats or nums or joints)):
        return None
    if released.source is None:
        raise IntruderError("beliefs are fitted to the source file, but there is none; give beliefs=SuppliedBeliefs(...)")
    blocks = [p.source for p in pieces if isinstance(p, BlockPiece) and p.covariate]
    columns = [*blocks, *(p.source_values for p in same_pieces(pieces))]
    classes = {p.name: p for p in cats if p.of_class}
    levels = {p.name: classes[class_name(p.name)] for p in nums if class_name(p.name) in classes}
    put = {p.name: {r.label: r.number for r in entrance(p.composite.before).replaced} for p in nums}
    return fit_model(
        [c for c in columns if c is not None],
        {p.name: p.source for p in cats if p.source is not None},
        {p.name: p.source for p in nums if p.source is not None},
        released.source.n,
        {
            name: (
                p.name,
                np.array([x not in NUMBERS for x in p.levels]),
                np.array([put[name].get(str(x), np.nan) for x in p.levels]),
            )
            for name, p in levels.items()
        },
    )


def compare(
    intruder: Intruder,
    released: Released,
    pieces: Sequence[Piece],
    graph: Graph,
    model: FittedModel | None,
    rows: IntArray,
    progress: Progress,
) -> tuple[FloatArray, Tables, Alike | None]:
    """Give log Pr(z^C | z^Ad) of every record profile, what can be worked out of pairs beforehand, and who is alike.

    Args:
        intruder: who looks.
        released: at what.
        pieces: the evidence.
        graph: profiles and blocks.
        model: the regressions; None: none are needed.
        rows: the targets' rows in the source file; negative: none, or not known.
        progress: called with how much of how much is done.
    """
    for p in pieces:
        if isinstance(p, BoundPiece) and not intruder.models_others:
            _same_kind(p)
    strangers = Strangers.of(intruder, released, pieces, graph, model, rows)
    worked_out = [p for p in pieces if isinstance(p, BoundPiece | BeliefPiece)]
    exact = exactly_known(pieces)
    kinds = [TargetKinds.of(p, exact if isinstance(p, BoundPiece) else [], graph) for p in worked_out]
    layouts = [Layout.of(graph, k.of_target) for k in kinds]
    needs_memory(sum(8 * x.size for x in layouts), "the likelihoods of values that are known by distributions")
    values = [
        within_bounds(p, strangers, x, k, progress) if isinstance(p, BoundPiece) else _beliefs(p, strangers, x, progress)
        for p, x, k in zip(worked_out, layouts, kinds, strict=True)
    ]
    offsets = [x.offset for x in layouts]
    log_m = strangers.log_m(np.zeros(len(strangers.same), dtype=np.bool_), progress)
    impossible = int(graph.count[np.isneginf(log_m)].sum())
    if impossible:
        raise LikelihoodError(
            f"the intruder's beliefs make {impossible} released record(s) impossible; "
            "give every level that could be released some probability, or set models_others=False"
        )
    row, table = strangers.not_known(graph, log_m, progress)
    if table.size:
        offsets.append(row * graph.count.size)
        values.append(table.ravel())
    starts = np.concatenate([[0], np.cumsum([v.size for v in values])])[: len(values)].astype(np.int64)
    same, targets = strangers.same, graph.target_first
    chances = [p.log_chance(p.target[targets]) for p in same]
    alike = strangers.alike(graph)
    tables = Tables(
        offset=stack([o + s for o, s in zip(offsets, starts, strict=True)], targets.size),
        value=np.concatenate(values) if values else np.zeros(0),
        record=stack([p.record[graph.record_first] for p in same], graph.count.size),
        target=stack([p.target[targets] for p in same], targets.size),
        blank=stack_float([b for b, _ in chances], targets.size),
        shown=stack_float([s for _, s in chances], targets.size),
        open=np.zeros(targets.size) if alike is None else alike.log_v,
        row=np.zeros(targets.size, dtype=np.int64) if alike is None else alike.row,
        expected=np.zeros((0, graph.count.size)) if alike is None else alike.expected,
    )
    return log_m, tables, alike


def _same_kind(piece: BoundPiece) -> None:
    """Raise where some records have a probability and others a density, and nothing that both could be set against."""
    number = piece.number
    mass = (number.state == 0) | (number.a < number.b)
    if bool(mass.any()) and not bool(mass.all()):
        raise IntruderError(
            f"models_others=False: {piece.name!r}, of which bounds are known, is released as zeros, codes or bounds, which "
            "have a probability, and as other numbers, which have a density; these compare through beliefs about others "
            "alone. Leave models_others out, or leave the variable out"
        )


def _beliefs(piece: BeliefPiece, strangers: Strangers, layout: Layout, progress: Progress) -> FloatArray:
    """Give log Pr(z | beliefs about the target) of records, by kind of target."""
    cats = tuple(p for p in piece.parts if isinstance(p, CatPiece))
    nums = tuple(p for p in piece.parts if isinstance(p, NumPiece))
    priors = [piece.prior, *([strangers.believed.prior] if strangers.believed is not None else [])]
    points = tuple((p.name, points_of(priors, p.name)) for p in nums)
    believed = Believed(cats, nums, piece.prior, points=points)
    value = np.empty(layout.size)
    first, code = groups([p.record[strangers.first] for p in piece.parts], strangers.first.size)
    kinds = int(layout.kind.max(initial=-1)) + 1
    if not piece.by_record and 2 * kinds * first.size <= layout.size:
        # records that show the same are weighed once
        kind, shown = np.divmod(np.arange(kinds * first.size), first.size)
        table = believed.log_likelihood(strangers.first[first[shown]], kind, progress)
        for here, row, profile in layout.pieces():
            value[here] = table[layout.kind[row] * first.size + code[profile]]
        return value
    for here, row, profile in layout.pieces():
        record = strangers.first[profile]
        value[here] = believed.log_likelihood(record, record if piece.by_record else layout.kind[row], progress)
    return value
