"""What file-level measures read: a few numbers per target, and for whom the truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.linking.kernels import TIE
from confide.typing import BoolArray, FloatArray, IntArray

NEED_ID = (
    "give targets from elsewhere an id that the source file has, too, and say of a released file made elsewhere whose each "
    "record is: parent=[...], or same_order=True where the order was kept"
)
"""What makes the truth known."""


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """The best and the own record of every target."""

    best: FloatArray
    """The largest probability of a released record."""
    at_best: IntArray
    """How many records have it."""
    own: FloatArray
    """The probability of the target's own record; 0 when it has none in the file, NaN where that is not known."""
    own_is_best: BoolArray
    """Whether the own record has the largest probability; False where it is not known."""
    null: FloatArray
    """The probability of the null link."""
    records: int
    """The number of released records."""
    in_file: BoolArray
    """Whether the target is known to have a record in the file."""
    known: BoolArray
    """Whether it is known which record is the target's, or that none is. Where it is not, true matches are undefined."""

    @property
    def n(self) -> int:
        """The number of targets."""
        return int(self.best.size)

    @property
    def matched(self) -> FloatArray:
        """The probability that a guess among the best records is right: I / m of section 4.3; NaN where not known."""
        return self.where_known(np.where(self.own_is_best, 1.0 / np.maximum(self.at_best, 1), 0.0))

    @property
    def why_unknown(self) -> str:
        """Why true matches are undefined; empty where the truth about every target is known."""
        lost = int(np.sum(~self.known))
        return f"the right record is not known for {lost:,} of {self.n:,} targets; {NEED_ID}" if lost else ""

    def where_known(self, figures: FloatArray | BoolArray) -> FloatArray:
        """Give figures that rest on the truth, NaN for targets of whom it is not known."""
        return np.where(self.known, figures, np.nan).astype(np.float64)

    def take(self, rows: IntArray | BoolArray) -> Summary:
        """Keep some targets."""
        return Summary(
            self.best[rows],
            self.at_best[rows],
            self.own[rows],
            self.own_is_best[rows],
            self.null[rows],
            self.records,
            self.in_file[rows],
            self.known[rows],
        )

    @classmethod
    def joined(cls, parts: Sequence[Summary]) -> Summary:
        """Put the targets of several summaries of the same file one after another."""
        return cls(
            best=np.concatenate([p.best for p in parts]),
            at_best=np.concatenate([p.at_best for p in parts]),
            own=np.concatenate([p.own for p in parts]),
            own_is_best=np.concatenate([p.own_is_best for p in parts]),
            null=np.concatenate([p.null for p in parts]),
            records=parts[0].records,
            in_file=np.concatenate([p.in_file for p in parts]),
            known=np.concatenate([p.known for p in parts]),
        )

    @classmethod
    def of_matrix(cls, probabilities: FloatArray, truth: Sequence[int | None]) -> Summary:
        """Summarise a matrix of link probabilities, targets by records, without the null link.

        Args:
            probabilities: Pr(J = j | t, Z) for each target and released record.
            truth: the own record of each target, None when it has none.

        >>> summary = Summary.of_matrix(np.array([[0.5, 0.5], [0.2, 0.8]]), [0, 1])
        >>> summary.matched.tolist()
        [0.5, 1.0]
        """
        p = np.atleast_2d(np.asarray(probabilities, dtype=np.float64))
        if p.size == 0 or p.shape[0] != len(truth):
            raise IntruderError(f"{len(truth)} own records for {p.shape[0]} targets and {p.shape[-1]} records")
        if bool(np.any(~np.isfinite(p))) or bool(np.any(p < 0)) or bool(np.any(p.sum(axis=1) > 1 + 1e-9)):
            raise IntruderError("link probabilities must be finite, not negative, and sum to at most one for each target")
        best = p.max(axis=1)
        ties = (p >= best[:, None] * (1 - TIE)) & (p > 0)
        in_file = np.array([t is not None for t in truth])
        place = np.array([-1 if t is None else t for t in truth], dtype=np.int64)
        rows = np.arange(p.shape[0])
        return cls(
            best,
            ties.sum(axis=1).astype(np.int64),
            np.where(in_file, p[rows, place], 0.0),
            in_file & ties[rows, place],
            1.0 - p.sum(axis=1),
            p.shape[1],
            in_file,
            np.ones(p.shape[0], dtype=np.bool_),
        )
