"""Compare released records with what is believed about their kind, and about the targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from confide.errors import IntruderError, LikelihoodError
from confide.intruder.beliefs.fitted import FittedBeliefs, FittedModel, fit_model
from confide.intruder.intruder import Intruder
from confide.linking.alike import Alike
from confide.linking.arrays import Tables
from confide.linking.beliefs import Free, exactly_known
from confide.linking.compose import PERTURBED, PERTURBED_BELOW
from confide.linking.graph import Graph, stack, stack_float
from confide.linking.layout import Layout, TargetKinds
from confide.linking.likelihoods import Believed, log_sum, points_of
from confide.linking.memory import needs_memory
from confide.linking.noisy_number import class_name
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
    asked = any(not f.known for f in free)
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
    silent = {p.name: classes[class_name(p.name)] for p in nums if class_name(p.name) in classes}
    return fit_model(
        [c for c in columns if c is not None],
        {p.name: p.source for p in cats if p.source is not None},
        {p.name: p.source for p in nums if p.source is not None},
        released.source.n,
        {name: (p.name, np.array([x not in (PERTURBED, PERTURBED_BELOW) for x in p.levels])) for name, p in silent.items()},
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
    strangers = Strangers.of(intruder, released, pieces, graph, model, rows)
    worked_out = [p for p in pieces if isinstance(p, BoundPiece | BeliefPiece)]
    exact = exactly_known(pieces)
    kinds = [TargetKinds.of(p, exact if isinstance(p, BoundPiece) else [], graph) for p in worked_out]
    layouts = [Layout.of(graph, k.of_target) for k in kinds]
    needs_memory(sum(8 * x.size for x in layouts), "the likelihoods of values that are known by distributions")
    values = [
        _bounds(p, strangers, x, k, progress) if isinstance(p, BoundPiece) else _beliefs(p, strangers, x, progress)
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


def _beliefs(piece: BeliefPiece, strangers: Strangers, layout: Layout, progress: Progress) -> FloatArray:
    """Give log Pr(z | beliefs about the target) of records, by kind of target."""
    row, profile = layout.pairs()
    cats = tuple(p for p in piece.parts if isinstance(p, CatPiece))
    nums = tuple(p for p in piece.parts if isinstance(p, NumPiece))
    priors = [piece.prior, *([strangers.believed.prior] if strangers.believed is not None else [])]
    points = tuple((p.name, points_of(priors, p.name)) for p in nums)
    record = strangers.first[profile]
    which = record if piece.by_record else layout.kind[row]
    return Believed(cats, nums, piece.prior, points=points).log_likelihood(record, which, progress)


def _bounds(piece: BoundPiece, strangers: Strangers, layout: Layout, kinds: TargetKinds, progress: Progress) -> FloatArray:
    """Give log Pr(z | true value within bounds) of records, by kind of target (3.3).

    The true value has the beliefs about the record's kind, given the target's categories that are known, restricted to
    the bounds. Where no true value within the bounds could have led to the record the likelihood is zero.
    """
    believed = strangers.believed
    assert believed is not None
    row, profile = layout.pairs()
    value = np.empty(layout.size)
    for k in np.unique(layout.kind):
        here = np.flatnonzero(layout.kind[row] == k)
        rows = strangers.rows[profile[here]]
        ids = piece.record[strangers.first[profile[here]]]
        needed = _narrowed(believed, rows, {name: int(levels[k]) for name, levels in kinds.levels.items()})
        within = float(piece.low[kinds.own[k]]), float(piece.high[kinds.own[k]])
        out, mass = believed.integrals(piece.number, rows, ids, needed, progress, within)
        top, total = log_sum(needed + out), log_sum(needed + mass)
        with np.errstate(invalid="ignore"):
            found = np.where(np.isneginf(total), -np.inf, top - np.where(np.isneginf(total), 0.0, total))
        value[here] = np.where(piece.number.state[ids] == 0, 0.0, found)
    return value


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
