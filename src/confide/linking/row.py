"""The candidates of one target, with the parts of their probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from confide.linking.arrays import Nums
from confide.linking.evidence import Evidence
from confide.linking.kernels import numeric_score
from confide.linking.pieces import (
    BeliefPiece,
    BlockPiece,
    BoundPiece,
    CatPiece,
    JointPiece,
    NumPiece,
    Piece,
    SamePiece,
    SetPiece,
    TestPiece,
    log_scales,
    same_column_value,
)
from confide.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The parts of eq. (1) for one target and every released record."""

    consistent: BoolArray
    """Whether the record agrees with the target on z^Ad."""
    log_a: FloatArray
    """The log of Pr(z^Ap_j | J = j, t, Z^Ad), section 3.2."""
    log_u: FloatArray
    """The log of Pr(z^U_j | z^A_j, J = j, t, Z^Ad), section 3.3."""
    log_m: FloatArray
    """The log of Pr(z^C_j | z^Ad_j), section 3.4."""
    log_prior: FloatArray
    """The log of prior odds that differ from record to record; else 0."""

    @property
    def log_score(self) -> FloatArray:
        """The log of prior odds times a u / m."""
        with np.errstate(invalid="ignore"):
            return self.log_prior + self.log_a + self.log_u - self.log_m

    @property
    def a(self) -> FloatArray:
        """Pr(z^Ap_j | J = j, t, Z^Ad)."""
        return np.exp(self.log_a)

    @property
    def u(self) -> FloatArray:
        """Pr(z^U_j | z^A_j, J = j, t, Z^Ad)."""
        return np.exp(self.log_u)

    @property
    def m(self) -> FloatArray:
        """Pr(z^C_j | z^Ad_j)."""
        return np.exp(self.log_m)


@dataclass(frozen=True, slots=True, eq=False)
class LinkRow:
    """The link probabilities of one target."""

    p: FloatArray
    """The probability of every released record."""
    null: float
    """The probability of the null link."""
    own: int | None
    """The target's own record, or None when it has none in the file, or that is not known."""
    at_best: IntArray
    """The records with the largest probability."""
    sample_matches: int
    """n_t."""
    population_matches: float
    """N_t."""
    parts: Parts
    """What the probabilities are made of."""

    @property
    def others_at_least(self) -> int:
        """How many other records are at least as probable as the target's own."""
        if self.own is None:
            return int(np.sum(self.p > 0))
        mine = self.p[self.own]
        return int(np.sum(self.p >= mine * (1 - 1e-9))) - 1 if mine > 0 else int(np.sum(self.p > 0))

    def candidates(self, most: int = 10) -> list[tuple[int, float]]:
        """Give the most probable records with their probabilities, largest first."""
        order = np.argsort(-self.p, kind="stable")[:most]
        return [(int(j), float(self.p[j])) for j in order if self.p[j] > 0]

    def __repr__(self) -> str:
        """Show the most probable records and the null link."""
        lines = [f"{'record':>10}  probability"]
        for j, p in self.candidates():
            lines.append(f"{j:>10}  {p:.6g}" + ("   <- the target's own" if j == self.own else ""))
        lines.append(f"{'null link':>10}  {self.null:.6g}")
        if self.own is not None:
            lines.append(f"own record: {self.p[self.own]:.6g}; {self.others_at_least} others are at least as probable")
        unknown = np.isnan(self.population_matches)
        people = "an unknown number of" if unknown else f"{self.population_matches:.6g}"
        lines.append(f"{self.sample_matches} consistent records, {people} people like the target")
        return "\n".join(lines)


def score_parts(evidence: Evidence, target: int) -> Parts:
    """Compare one target with every released record, variable by variable."""
    n = evidence.released.data.n
    consistent = np.ones(n, dtype=np.bool_)
    known, modelled = np.zeros(n), np.zeros(n)
    tables = iter(_table_rows(evidence, target))
    blank = np.zeros(n, dtype=np.bool_)
    for piece in evidence.pieces:
        if isinstance(piece, BlockPiece):
            consistent &= same_column_value(piece.record, piece.target, target)
        elif isinstance(piece, SamePiece):
            agrees, score = _same(piece, target)
            consistent &= agrees | (not piece.tested)
            known += np.where(agrees, score, -np.inf) if not piece.tested else 0.0
            blank |= (piece.record < 0) & (piece.target[target] >= 0) & (not piece.tested)
        elif isinstance(piece, TestPiece):
            consistent &= _meets(piece, target)
        elif isinstance(piece, SetPiece):
            consistent &= piece.allowed[piece.target[target], piece.record]
        elif isinstance(piece, BoundPiece):
            number = piece.number
            known += next(tables) + number.jacobian[number.record]
        elif isinstance(piece, BeliefPiece):
            (known if piece.known else modelled).__iadd__(next(tables))
        else:
            known += _log_scores(piece, target)
    known += np.where(blank, evidence.tables.open[evidence.graph.target_profile[target]], 0.0)
    log_m = evidence.log_m[evidence.graph.record_profile]
    rest = list(tables)
    given = any(isinstance(p, SetPiece) and p.prior is not None for p in evidence.pieces)
    prior = rest.pop() if given else np.zeros(n)
    return Parts(consistent, known, modelled, log_m - sum(rest, np.zeros(n)), prior)


def piece_scores(evidence: Evidence, target: int) -> Iterator[tuple[Piece, FloatArray]]:
    """Give the log score of every released record for one target by each piece of evidence; minus infinity: ruled out."""
    graph, tables = evidence.graph, iter(_table_rows(evidence, target))
    here = graph.block_of_record[graph.record_profile] == graph.block_of_target[graph.target_profile[target]]
    for piece in evidence.pieces:
        if isinstance(piece, BlockPiece):
            yield piece, _allowed(same_column_value(piece.record, piece.target, target))
        elif isinstance(piece, SamePiece):
            agrees, score = _same(piece, target)
            yield piece, np.where(agrees, score, -np.inf)
        elif isinstance(piece, TestPiece):
            yield piece, _allowed(_meets(piece, target))
        elif isinstance(piece, SetPiece):
            yield piece, _allowed(piece.allowed[piece.target[target], piece.record])
        elif isinstance(piece, BoundPiece | BeliefPiece):
            # other blocks are not weighed
            yield piece, np.where(here, next(tables), 0.0)
        else:
            yield piece, _log_scores(piece, target)


def _allowed(records: BoolArray) -> FloatArray:
    """Give the log of 1 for records that are allowed, of 0 for the others."""
    return np.where(records, 0.0, -np.inf)


def _meets(piece: TestPiece, target: int) -> BoolArray:
    """Say which records' intervals meet that of a target."""
    q = piece.target[target]
    with np.errstate(invalid="ignore"):
        meets = (piece.lo <= piece.target_hi[q]) & (piece.hi >= piece.target_lo[q])
    return np.asarray(meets[piece.record], dtype=np.bool_)


def _table_rows(evidence: Evidence, target: int) -> list[FloatArray]:
    """Give what was worked out beforehand for one target, by released record; 0 in other blocks."""
    graph, tables = evidence.graph, evidence.tables
    t = graph.target_profile[target]
    here = graph.block_of_record[graph.record_profile] == graph.block_of_target[t]
    rows = []
    for offset in tables.offset[:, t]:
        place = np.where(here, offset + graph.record_profile, 0)
        rows.append(np.where(here, tables.value[place], 0.0))
    return rows


def _same(piece: SamePiece, target: int) -> tuple[BoolArray, FloatArray]:
    """Say which records agree with a target where neither is blank, and give the log chances of blanks."""
    mine = piece.target[target]
    if mine < 0:
        return np.ones(piece.record.size, dtype=np.bool_), np.zeros(piece.record.size)
    blank, shown = piece.log_chance(np.array([mine]))
    told = piece.record >= 0
    return ~told | (piece.record == mine), np.where(told, shown[0], blank[0])


def _log_scores(piece: CatPiece | NumPiece | JointPiece, target: int) -> FloatArray:
    """Give the log likelihood of one variable for every released record."""
    if isinstance(piece, CatPiece):
        return np.asarray(piece.rows[piece.target[target]][piece.record], dtype=np.float64)
    if isinstance(piece, JointPiece):
        d = piece.rotated - piece.centres[:, [piece.target[target]]]
        k = len(piece.names)
        return np.asarray((-0.5 * np.sum(d * d, axis=0) - 0.5 * k * np.log(2 * np.pi) - piece.log_det)[piece.record])
    nodes, q = piece.nodes, int(piece.target[target])
    first, last = int(nodes.start[q]), int(nodes.start[q + 1])
    ends = np.array([[first]]), np.array([[last]])
    log_sd = log_scales(nodes.sd)
    nums = Nums(
        piece.a[None],
        piece.b[None],
        *ends,
        nodes.centre,
        nodes.half,
        1.0 / nodes.sd,
        log_sd,
        nodes.log_weight,
        np.zeros(1),
    )
    by_id = [
        numeric_score(a, b, first, last, nums) + jacobian
        for a, b, jacobian in zip(piece.a, piece.b, piece.jacobian, strict=True)
    ]
    return np.asarray(by_id)[piece.record]
