"""General losses: what every action costs under every truth (Duncan and Lambert 1987, sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from confide.errors import IntruderError
from confide.intruder.columns import ROUNDING, TIE, checked, less
from confide.intruder.decision import Decision, Losses
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False, init=False)
class LossMatrix:
    """What each action costs under each truth.

    Rows are actions: link record 1 to n, then the null link. Columns are truths: the target's is
    record 1 to n, then the target was not released; without that last column every target is known to
    be released. A negative loss is a gain; an infinite one forbids an action.

    >>> LossMatrix([[0, 1, 1], [1, 0, 1], [1, 1, 0]]).decide([0.6, 0.1]).record
    0
    """

    table: FloatArray
    """The losses, actions by truths."""

    def __init__(self, table: Sequence[Sequence[float]] | FloatArray) -> None:
        """Check the table and keep a copy."""
        losses = np.array(table, dtype=np.float64)
        if losses.ndim != 2 or losses.shape[0] < 2 or losses.shape[0] - losses.shape[1] not in (0, 1):
            raise IntruderError(
                "losses must have a row for each of n records and one for the null link, and a column for each record "
                f"and, unless the target is known to be released, one more; found shape {losses.shape}"
            )
        if bool(np.isnan(losses).any()) or bool(np.isneginf(losses).any()):
            raise IntruderError("losses must be numbers and not minus infinity; plus infinity forbids an action")
        losses.setflags(write=False)
        object.__setattr__(self, "table", losses)

    @classmethod
    def of(cls, losses: Losses, records: int) -> LossMatrix:
        """Write l1 and l2 as a matrix: right links cost nothing, wrong ones l2, a missed target l1.

        >>> LossMatrix.of(Losses(missed=1, wrong=2), 2).table.tolist()
        [[0.0, 2.0, 2.0], [2.0, 0.0, 2.0], [1.0, 1.0, 0.0]]
        """
        return punished(losses, records, right=0.0, wrong=0.0)

    @classmethod
    def by_disparity(
        cls,
        values: Sequence[float] | FloatArray,
        disparity: Callable[[FloatArray, FloatArray], FloatArray],
        *,
        wrong: float = 1.0,
        missed: float = float("inf"),
    ) -> LossMatrix:
        """Let a wrong link cost less when the linked record is like the target's (section 5.2).

        The intruder reads an attribute from the linked record: a wrong link costs l2 and the disparity
        between the attribute of the linked record and that of the target's. Every target is released.

        Args:
            values: the attribute on each released record; or a table, a column for each attribute.
            disparity: gives how far apart the rows of two tables are, zero for equal ones; such as
                `SquaredDistance()` or `AbsoluteDistance()`.
            wrong: l2, what a wrong link costs whatever the attribute.
            missed: l1, what the null link costs; infinite: the intruder has to link.

        >>> squared = lambda a, b: (a - b.T) ** 2
        >>> matrix = LossMatrix.by_disparity([3.0, 8.0, 9.0, 10.0, 11.0, 40.0], squared, wrong=2.0)
        >>> matrix.best_links(np.full(6, 1 / 6))
        (4,)
        """
        y = np.asarray(values, dtype=np.float64)
        y = y[:, None] if y.ndim == 1 else y
        if y.ndim != 2 or y.size == 0 or not bool(np.isfinite(y).all()):
            raise IntruderError("give finite numbers, a row for each released record")
        n = y.shape[0]
        apart = np.asarray(disparity(y, y), dtype=np.float64)
        if apart.shape != (n, n) or not bool(np.all(apart >= 0)) or bool(np.any(np.diagonal(apart) != 0)):
            raise IntruderError("a disparity gives every pair of records a number, not negative, and zero for equal values")
        links = np.where(np.eye(n, dtype=bool), 0.0, wrong + apart)
        return cls(np.vstack([links, np.full((1, n), missed)]))

    @property
    def records(self) -> int:
        """The number of records."""
        return int(self.table.shape[0]) - 1

    def expected(self, p: Sequence[float] | FloatArray, null: float | None = None) -> FloatArray:
        """Give the expected loss of every action, the null link last.

        Args:
            p: the probability that each released record is the target's.
            null: the probability that the target was not released; None: what is left to one.
        """
        beliefs = self._beliefs(p, null)
        finite = np.where(np.isinf(self.table), 0.0, self.table) @ beliefs
        forbidden = (np.isinf(self.table) & (beliefs > 0)).any(axis=1)
        return np.asarray(np.where(forbidden, np.inf, finite), dtype=np.float64)

    def best_links(self, p: Sequence[float] | FloatArray, null: float | None = None) -> tuple[int, ...]:
        """Give the records with the smallest expected loss of a link; several where they tie."""
        return _lowest(self.expected(p, null)[:-1])

    def decide(self, p: Sequence[float] | FloatArray, null: float | None = None) -> Decision:
        """Choose the action with the smallest expected loss; a link that ties with the null link is not made.

        Args:
            p: the probability that each released record is the target's.
            null: the probability that the target was not released; None: what is left to one.
        """
        expected = self.expected(p, null)
        best, loss_null = _lowest(expected[:-1])[0], float(expected[-1])
        loss_link = float(expected[best])
        if np.isinf(loss_null) and np.isinf(loss_link):
            raise IntruderError("every action has an infinite expected loss; give at least one action finite losses")
        links = bool(less(expected[best : best + 1], expected[-1:])[0])
        return Decision(min(loss_null, loss_link), loss_null, loss_link, best if links else None)

    def _beliefs(self, p: Sequence[float] | FloatArray, null: float | None) -> FloatArray:
        """Give the probability of every truth."""
        records = checked(p)
        if records.size != self.records:
            raise IntruderError(f"{records.size} probabilities for losses of {self.records} records")
        beliefs = truths(records, null)
        if self.table.shape[1] > self.records:
            return beliefs
        if beliefs[-1] > ROUNDING:
            raise IntruderError(
                f"the target may not have been released (probability {beliefs[-1]:.3g}); give the losses a column for it"
            )
        return beliefs[:-1]


def truths(p: FloatArray, null: float | None = None) -> FloatArray:
    """Give the predictive distribution: the target's is record 1 to n, or was not released.

    >>> truths(np.array([0.5, 0.25])).tolist()
    [0.5, 0.25, 0.25]
    """
    left = max(1.0 - float(p.sum()), 0.0)
    if null is None:
        return np.append(p, left)
    if not (null >= 0 and abs(null - left) <= 1e-6):
        raise IntruderError(f"the probabilities of all records and of the null link must sum to one; found null {null:.6g}")
    return np.append(p, null)


def punished(losses: Losses, records: int, *, right: float, wrong: float) -> LossMatrix:
    """Write losses as a matrix, with what is added to a right and to a wrong link.

    >>> punished(Losses(), 1, right=0.5, wrong=3.0).table.tolist()
    [[0.5, 4.0], [1.0, 0.0]]
    """
    if records < 1:
        raise IntruderError(f"losses need at least one record; found {records}")
    table = np.full((records + 1, records + 1), losses.wrong + wrong)
    table[np.arange(records), np.arange(records)] = right
    table[records, :] = losses.missed
    table[records, records] = 0.0
    return LossMatrix(table)


def _lowest(losses: FloatArray) -> tuple[int, ...]:
    """Give the places of the smallest loss; several where they tie."""
    low = float(losses.min())
    ties = losses == low if np.isinf(low) else losses - low <= TIE * abs(low)
    return tuple(int(j) for j in np.flatnonzero(ties))
