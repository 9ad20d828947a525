"""Compare released records with what is believed about their kind, and about the targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.data.packing import groups
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.beliefs.fitted import FittedBeliefs, FittedModel, fit_model
from confide.intruder.beliefs.supplied import SuppliedBeliefs
from confide.intruder.intruder import Intruder
from confide.intruder.population import KnownChance
from confide.linking.arrays import Tables
from confide.linking.beliefs import Free, exactly_known
from confide.linking.compose import PERTURBED, PERTURBED_BELOW
from confide.linking.graph import Graph, stack, stack_float
from confide.linking.joint_noise import joint_model
from confide.linking.kinds import Kinds, kinds_of
from confide.linking.likelihoods import Believed, log_sum, points_of
from confide.linking.memory import needs_memory
from confide.linking.noisy_number import class_name
from confide.linking.parallel import Progress
from confide.linking.pieces import (
    BeliefPiece,
    BlockPiece,
    BoundPiece,
    CatPiece,
    JointPiece,
    NumPiece,
    Piece,
    SamePiece,
)
from confide.release.released import Released
from confide.typing import BoolArray, FloatArray, IntArray


def fit(
    intruder: Intruder, pieces: Sequence[Piece], free: Sequence[Free], released: Released
) -> FittedModel | None:
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
    columns = [*(p.source for p in pieces if isinstance(p, BlockPiece)), *(p.source_values for p in _same(pieces))]
    classes = {p.name: p for p in cats if p.of_class}
    silent = {p.name: classes[class_name(p.name)] for p in nums if class_name(p.name) in classes}
    return fit_model(
        [c for c in columns if c is not None],
        {p.name: p.source for p in cats if p.source is not None},
        {p.name: p.source for p in nums if p.source is not None},
        released.source.n,
        {name: (p.name, np.array([x not in (PERTURBED, PERTURBED_BELOW) for x in p.levels])) for name, p in silent.items()},
    )


def altered(pieces: Sequence[Piece]) -> tuple[list[CatPiece], list[NumPiece]]:
    """Give the perturbed categories and numbers whose values in strangers' records are modelled, each once."""
    cats: dict[str, CatPiece] = {}
    nums: dict[str, NumPiece] = {}
    for piece in (q for p in pieces for q in (p.strangers if isinstance(p, BeliefPiece) else (p,))):
        if isinstance(piece, CatPiece):
            cats.setdefault(piece.name, piece)
        elif isinstance(piece, NumPiece | BoundPiece):
            nums.setdefault(piece.name, piece.number if isinstance(piece, BoundPiece) else piece)
    return list(cats.values()), list(nums.values())


def compare(
    intruder: Intruder,
    released: Released,
    pieces: Sequence[Piece],
    graph: Graph,
    model: FittedModel | None,
    progress: Progress,
) -> tuple[FloatArray, Tables]:
    """Give log Pr(z^C | z^Ad) of every record profile, and what can be worked out of pairs beforehand."""
    strangers = _Strangers.of(intruder, released, pieces, graph, model)
    worked_out = [p for p in pieces if isinstance(p, BoundPiece | BeliefPiece)]
    exact = exactly_known(pieces)
    kinds = [_Kinds.of(p, exact if isinstance(p, BoundPiece) else [], graph) for p in worked_out]
    layouts = [_Layout.of(graph, k.of_target) for k in kinds]
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
    return log_m, Tables(
        offset=stack([o + s for o, s in zip(offsets, starts, strict=True)], targets.size),
        value=np.concatenate(values) if values else np.zeros(0),
        record=stack([p.record[graph.record_first] for p in same], graph.count.size),
        target=stack([p.target[targets] for p in same], targets.size),
        blank=stack_float([b for b, _ in chances], targets.size),
        shown=stack_float([s for _, s in chances], targets.size),
    )


def _same(pieces: Sequence[Piece]) -> list[SamePiece]:
    """Give the values that may be blank and are weighed."""
    return [p for p in pieces if isinstance(p, SamePiece) and not p.tested]


@dataclass(frozen=True, slots=True, eq=False)
class _Strangers:
    """What is believed about each released record before the target is looked at (section 3.4)."""

    believed: Believed | None
    """Beliefs about altered values; None: nothing is altered, or others' alterations are not modelled."""
    rows: IntArray
    """The row of the prior for each record profile."""
    first: IntArray
    """One record of each profile."""
    same: list[SamePiece]
    """Values that may be blank."""
    kinds: Kinds | None
    """What records with blanks may be; None: none has blanks."""
    by_record: bool
    """Whether the beliefs were given record by record."""
    counts: bool
    """Whether strangers are modelled."""
    jacobians: Mapping[str, FloatArray]
    """What every score of a record profile contains of a number, whatever the target."""
    share: FloatArray
    """The log share of people in the block of each record profile, where it counts; else 0."""

    @classmethod
    def of(
        cls, intruder: Intruder, released: Released, pieces: Sequence[Piece], graph: Graph, model: FittedModel | None
    ) -> _Strangers:
        """Collect the beliefs of an intruder."""
        same = _same(pieces)
        chance = isinstance(intruder.population, KnownChance)
        kinds = kinds_of(pieces, graph) if same or chance else None
        share = np.zeros(graph.count.size)
        if chance and kinds is not None:
            share = np.log(kinds.block_count / kinds.block_count.sum())[kinds.block]
        by_record = isinstance(intruder.beliefs, SuppliedBeliefs)
        rows = graph.record_first if by_record else graph.block_of_record if kinds is None else kinds.of_record
        cats, nums = altered(pieces)
        joints = [p for p in pieces if isinstance(p, JointPiece)]
        bound = any(isinstance(p, BoundPiece) for p in pieces)
        believed = None
        if (cats or nums or joints) and (intruder.models_others or bound):
            columns = list(kinds.columns) if kinds is not None else _by_block(pieces, graph)
            believed = _believed(intruder, released, cats, nums, joints, model, columns, graph)
            priors = [believed.prior, *(p.prior for p in pieces if isinstance(p, BeliefPiece))]
            believed = believed.with_points([(p.name, points_of(priors, p.name)) for p in nums])
        known = [p.number if isinstance(p, BoundPiece) else p for p in pieces if isinstance(p, NumPiece | BoundPiece)]
        jacobians = {p.name: p.jacobian[p.record[graph.record_first]] for p in known}
        return cls(believed, rows, graph.record_first, same, kinds, by_record, intruder.models_others, jacobians, share)

    def log_m(self, unknown: BoolArray, progress: Progress) -> FloatArray:
        """Give log Pr(z^C | z^Ad) of every record profile, some variables not being looked at."""
        return self._log_m(unknown, progress) + self.share

    def _log_m(self, unknown: BoolArray, progress: Progress) -> FloatArray:
        """Give it within blocks."""
        size = self.first.size
        if not self.counts:
            return np.zeros(size)
        believed = None if self.believed is None else self.believed.without({p.name for p in _picked(self.same, unknown)})
        if self.kinds is None:
            return np.zeros(size) if believed is None else believed.log_likelihood(self.first, self.rows, progress)
        found = self.kinds.completions(unknown)
        # a record that agrees with nobody counts as one person
        lonely = np.setdiff1d(np.arange(size), found.record)
        if believed is None or self.by_record:
            value = found.total(np.zeros(found.record.size), size)
            value[lonely] = -np.log(np.maximum(self.kinds.block_count[self.kinds.block[lonely]], 1.0))
            return value if believed is None else value + believed.log_likelihood(self.first, self.rows, progress)
        value = found.total(believed.log_likelihood(self.first[found.record], found.kind, progress), size)
        alone = believed.log_likelihood(self.first[lonely], self.rows[lonely], progress)
        value[lonely] = alone - np.log(np.maximum(self.kinds.block_count[self.kinds.block[lonely]], 1.0))
        return value

    def not_known(self, graph: Graph, log_m: FloatArray, progress: Progress) -> tuple[IntArray, FloatArray]:
        """Give, for targets of whom some variables are not known, what their evidence must leave out.

        What is not known of a target says as much of a stranger, so that it cancels: the marginal then leaves it out.
        """
        unknown = stack([p.target[graph.target_first] for p in self.same], graph.target_first.size) < 0
        if not unknown.any():
            return np.zeros(0, dtype=np.int64), np.zeros((0, 0))
        patterns, row = np.unique(unknown, axis=1, return_inverse=True)
        table = np.zeros((patterns.shape[1], log_m.size))
        for k, pattern in enumerate(patterns.T.astype(np.bool_)):
            if pattern.any():
                silent = {p.name for p in _picked(self.same, pattern)} & set(self.jacobians)
                table[k] = log_m - self.log_m(pattern, progress) - sum(self.jacobians[name] for name in silent)
        return row.ravel().astype(np.int64), table


def _picked(pieces: Sequence[SamePiece], which: BoolArray) -> list[SamePiece]:
    """Keep some pieces."""
    return [p for p, keep in zip(pieces, which, strict=True) if keep]


def _believed(
    intruder: Intruder,
    released: Released,
    cats: Sequence[CatPiece],
    nums: Sequence[NumPiece],
    joints: Sequence[JointPiece],
    model: FittedModel | None,
    columns: Sequence[Column],
    graph: Graph,
) -> Believed:
    """Join altered variables and beliefs about them."""
    if isinstance(intruder.beliefs, SuppliedBeliefs):
        if joints:
            raise IntruderError("supplied beliefs do not cover correlated noise; use fitted beliefs")
        stated = [p for p in cats if not p.of_class]
        levels = {p.name: p.levels for p in stated}
        prior = intruder.beliefs.prior(levels, [p.name for p in nums], released.data.n)
        return Believed(tuple(stated), tuple(nums), prior)
    assert model is not None
    size = columns[0].size if columns else graph.block_start.size - 1
    prior = model.prior(columns, size)
    joint = joint_model(joints, model, released, columns, cats) if joints else None
    return Believed(tuple(cats), tuple(nums), prior, joint, intruder.beliefs.product_of_dot_products)


def _by_block(pieces: Sequence[Piece], graph: Graph) -> list[Column]:
    """Give the unperturbed values of each block: what tells kinds of records apart."""
    first = graph.record_first[graph.block_start[:-1]]
    return [p.record.take(first) for p in pieces if isinstance(p, BlockPiece)]


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """Where the values of a table stand: one row for each kind of target in a block, over its record profiles."""

    offset: IntArray
    """Where the row of each target profile starts, less the first record of its block."""
    kind: IntArray
    """The kind of each row."""
    start: IntArray
    """The first value of each row; the last entry ends the list."""
    first: IntArray
    """The first record profile of each row."""

    @property
    def size(self) -> int:
        """The number of values."""
        return int(self.start[-1])

    @classmethod
    def of(cls, graph: Graph, kind: IntArray) -> _Layout:
        """Lay out the rows that targets need."""
        block = graph.block_of_target
        known = np.flatnonzero(block >= 0)
        rows, place = np.unique(np.stack([kind[known], block[known]]), axis=1, return_inverse=True)
        first = graph.block_start[rows[1]]
        start = np.concatenate([[0], np.cumsum(graph.block_start[rows[1] + 1] - first)]).astype(np.int64)
        offset = np.zeros(block.size, dtype=np.int64)
        offset[known] = (start[:-1] - first)[place.ravel()]
        return cls(offset, rows[0].astype(np.int64), start, first.astype(np.int64))

    def pairs(self) -> tuple[IntArray, IntArray]:
        """Give the row and the record profile of each value."""
        row = np.repeat(np.arange(self.kind.size), np.diff(self.start))
        return row, np.arange(self.size) - self.start[row] + self.first[row]


def _beliefs(piece: BeliefPiece, strangers: _Strangers, layout: _Layout, progress: Progress) -> FloatArray:
    """Give log Pr(z | beliefs about the target) of records, by kind of target."""
    row, profile = layout.pairs()
    cats = tuple(p for p in piece.parts if isinstance(p, CatPiece))
    nums = tuple(p for p in piece.parts if isinstance(p, NumPiece))
    priors = [piece.prior, *([strangers.believed.prior] if strangers.believed is not None else [])]
    points = tuple((p.name, points_of(priors, p.name)) for p in nums)
    record = strangers.first[profile]
    which = record if piece.by_record else layout.kind[row]
    return Believed(cats, nums, piece.prior, points=points).log_likelihood(record, which, progress)


@dataclass(frozen=True, slots=True, eq=False)
class _Kinds:
    """Kinds of targets: those of whom the same is known of a variable, and of what narrows beliefs about it down."""

    of_target: IntArray
    """The kind of each target profile."""
    own: IntArray
    """What each kind is told of the variable itself."""
    levels: Mapping[str, IntArray]
    """The level of each kind in categories that are known."""

    @classmethod
    def of(cls, piece: BoundPiece | BeliefPiece, exact: Sequence[CatPiece], graph: Graph) -> _Kinds:
        """Tell the kinds of target profiles apart."""
        own = piece.target[graph.target_first]
        levels = {p.name: (p.target % len(p.levels))[graph.target_first] for p in exact}
        first, kind = groups([own, *levels.values()], own.size)
        if isinstance(piece, BeliefPiece):
            return cls(own, np.arange(int(own.max(initial=-1)) + 1), {})
        return cls(kind, own[first], {name: level[first] for name, level in levels.items()})


def _bounds(
    piece: BoundPiece, strangers: _Strangers, layout: _Layout, kinds: _Kinds, progress: Progress
) -> FloatArray:
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
