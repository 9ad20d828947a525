"""What is added up over the links that are made."""

from __future__ import annotations

from typing import Any

import numpy as np

from confide.harm.harm import Harm
from confide.harm.result import Harmed
from confide.typing import FloatArray, IntArray

OUTCOMES = (
    "not re-identified",
    "false re-identification, nothing inferred",
    "true re-identification, nothing inferred",
    "false re-identification, inferred wrongly",
    "false re-identification, inferred correctly",
    "true re-identification, inferred wrongly",
    "true re-identification, inferred correctly",
)
AMOUNT_OUTCOMES = (*OUTCOMES[:3], "false re-identification, amount inferred", "true re-identification, amount inferred")
NOISE = 1e-12
"""What is left below this share of what was taken away again is rounding."""


class Tally:
    """Harm and chances of every target, and how many targets meet each outcome."""

    def __init__(self, n: int, *, amount: bool) -> None:
        self.amount = amount
        self.harm, self.correct, self.inferred, self.right = (np.zeros(n) for _ in range(4))
        self.taken = np.zeros(n)
        self.outcomes = np.zeros(len(OUTCOMES))

    def add(self, target: IntArray, weight: FloatArray, correct: Any, inferred: Any, right: Any, harm: FloatArray) -> None:
        """Add links.

        Args:
            target: whose they are.
            weight: the chance of each; below zero to take one away again.
            correct: 1 where the record is the target's own, else 0.
            inferred: the chance that something is inferred.
            right: the chance that the right thing is.
            harm: what it costs.
        """
        n, own = self.harm.size, np.broadcast_to(correct, target.shape)
        shares = [np.broadcast_to(np.asarray(x, dtype=np.float64), target.shape) for x in (own, inferred, right, harm)]
        for into, share in zip((self.correct, self.inferred, self.right, self.harm), shares, strict=True):
            np.add(into, np.bincount(target, weights=weight * share, minlength=n), out=into)
        _, told, true, loss = shares
        if bool(np.any(weight < 0)):
            self.taken += np.bincount(target, weights=np.maximum(-weight, 0.0) * loss, minlength=n)
        for which in (0, 1):
            here = weight * (own == which)
            self.outcomes[1 + which] += float(np.sum(here * (1 - told)))
            self.outcomes[3 + 2 * which] += float(np.sum(here * (told - true)))
            self.outcomes[4 + 2 * which] += float(np.sum(here * true))

    def result(self, harm: Harm, weights: FloatArray, linked: Any, has_value: Any, known: Any, told: Any = None) -> Harmed:
        """Give what was added up.

        Args:
            harm: what was declared.
            weights: what each target's harm is multiplied by.
            linked: to whom a record is linked.
            has_value: who has a true value.
            known: of whom it is known which record is theirs, or that none is; what hangs on it is undefined elsewhere.
            told: of whom it is known what the true value is, or that there is none; all harm is undefined elsewhere.
                None: of all.
        """
        unknown, untold = linked & ~known, np.zeros_like(linked) if told is None else linked & ~told
        o = np.where(self.outcomes > NOISE * max(linked.size, 1), self.outcomes, 0.0)
        o[0] = float(np.sum(~linked))
        counted: dict[str, float | None] = dict(zip(OUTCOMES, o.tolist(), strict=True))
        if self.amount:
            counted = dict(zip(AMOUNT_OUTCOMES, (*o[:3].tolist(), float(o[3] + o[4]), float(o[5] + o[6])), strict=True))
        if bool((unknown | untold).any()):
            counted.update(dict.fromkeys(list(counted)[1:]))
        correct, inferred, right = (
            np.where(x > NOISE, np.minimum(x, 1.0), 0.0) for x in (self.correct, self.inferred, self.right)
        )
        per_target = np.where(self.harm > NOISE * self.taken, self.harm, 0.0) * weights
        if getattr(harm.costs, "depends_on_link", True):
            per_target = np.where(unknown & has_value, np.nan, per_target)
        per_target = np.where(untold, np.nan, per_target)
        correct = np.where(unknown, np.nan, correct)
        inferred, right = np.where(untold, np.nan, inferred), np.where(untold, np.nan, right)
        right_or_none = None if self.amount else right
        lost = int(unknown.sum()), int(untold.sum())
        return Harmed(harm, per_target, linked, correct, inferred, right_or_none, has_value, counted, *lost)
