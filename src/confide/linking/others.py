"""What is believed about each released record before the target is looked at (section 3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.column import Column
from confide.errors import IntruderError
from confide.intruder.beliefs.fitted import FittedModel
from confide.intruder.beliefs.supplied import SuppliedBeliefs
from confide.intruder.intruder import Intruder
from confide.intruder.matching import WithReplacement
from confide.intruder.population import KnownChance
from confide.linking.alike import Alike, alike_of
from confide.linking.graph import Graph, stack
from confide.linking.joint_noise import joint_model
from confide.linking.kinds import Kinds, kinds_of
from confide.linking.levels import over_levels
from confide.linking.likelihoods import Believed, points_of
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


def altered(pieces: Sequence[Piece]) -> tuple[list[CatPiece], list[NumPiece]]:
    """Give the perturbed categories and numbers whose values in strangers' records are modelled, each once."""
    cats: dict[str, CatPiece] = {}
    nums: dict[str, NumPiece] = {}
    for piece in (q for p in pieces for q in (p.strangers if isinstance(p, BeliefPiece) else (p,))):
        if isinstance(piece, CatPiece):
            cats.setdefault(piece.name, piece)
        elif isinstance(piece, NumPiece | BoundPiece):
            nums.setdefault(piece.name, piece.number if isinstance(piece, BoundPiece) else piece)
        if isinstance(piece, BoundPiece) and piece.classes is not None:
            cats.setdefault(piece.classes.name, piece.classes)
    return list(cats.values()), list(nums.values())


def same_pieces(pieces: Sequence[Piece]) -> list[SamePiece]:
    """Give the values that may be blank and are weighed."""
    return [p for p in pieces if isinstance(p, SamePiece) and not p.tested]


@dataclass(frozen=True, slots=True, eq=False)
class Strangers:
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
    closed: bool
    """Whether the people of each kind are counted, so that who is left is behind blanks (see `remaining`)."""
    answered: bool
    """Whether the targets are known to have values in the source file."""

    @classmethod
    def of(
        cls,
        intruder: Intruder,
        released: Released,
        pieces: Sequence[Piece],
        graph: Graph,
        model: FittedModel | None,
        rows: IntArray,
    ) -> Strangers:
        """Collect the beliefs of an intruder about targets in these rows of the source file."""
        same = same_pieces(pieces)
        chance = isinstance(intruder.population, KnownChance)
        of_source = released.source.weights if released.source is not None else None
        kinds = kinds_of(pieces, graph, of_source) if same or chance else None
        share = np.zeros(graph.count.size)
        if chance and kinds is not None:
            share = np.log(kinds.block_count / kinds.block_count.sum())[kinds.block]
        by_record = isinstance(intruder.beliefs, SuppliedBeliefs)
        closed = bool(same) and not chance and isinstance(intruder.matching, WithReplacement) and intruder.models_others
        prior_rows = graph.record_first if by_record else graph.block_of_record if kinds is None else kinds.of_record
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
        counts = intruder.models_others
        return cls(
            believed, prior_rows, graph.record_first, same, kinds, by_record, counts, jacobians, share, closed,
            _answered(same, rows),
        )  # fmt: skip

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
        found = self.kinds.completions(unknown, closed=self.closed, answered=self.answered)
        lonely = np.setdiff1d(np.arange(size), found.record)
        # a record that agrees with nobody counts as one person, or, where people are counted, may be anybody's
        one = np.log(np.maximum(self.kinds.block_count[self.kinds.block[lonely]], 1.0)) * (not self.closed)
        if believed is None or self.by_record:
            value = found.total(np.zeros(found.record.size), size)
            value[lonely] = -one
            return value if believed is None else value + believed.log_likelihood(self.first, self.rows, progress)
        value = found.total(believed.log_likelihood(self.first[found.record], found.kind, progress), size)
        value[lonely] = believed.log_likelihood(self.first[lonely], self.rows[lonely], progress) - one
        return value

    def alike(self, graph: Graph) -> Alike | None:
        """Count who is like each target in what may be blank; None: nothing is, or shares are all that is known."""
        return alike_of(self.kinds, graph, self.same, answered=self.answered) if self.closed and self.kinds else None

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


def _answered(same: Sequence[SamePiece], rows: IntArray) -> bool:
    """Say whether every value that is known of a target stands in the source file, too."""
    here = np.maximum(rows, 0)
    found = [(p.target < 0) | ((rows >= 0) & (p.source[here] >= 0)) for p in same if p.source is not None]
    return all(bool(x.all()) for x in found)


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
        beliefs = SuppliedBeliefs(over_levels(intruder.beliefs.units, stated))
        prior = beliefs.prior(levels, [p.name for p in nums], released.data.n)
        return Believed(tuple(stated), tuple(nums), prior)
    assert model is not None
    size = columns[0].size if columns else graph.block_start.size - 1
    prior = model.prior(columns, size)
    joint = joint_model(joints, model, columns) if joints else None
    return Believed(tuple(cats), tuple(nums), prior, joint, intruder.beliefs.product_of_dot_products)


def _by_block(pieces: Sequence[Piece], graph: Graph) -> list[Column]:
    """Give the unperturbed values of each block: what tells kinds of records apart."""
    first = graph.record_first[graph.block_start[:-1]]
    return [p.record.take(first) for p in pieces if isinstance(p, BlockPiece) and p.covariate]
