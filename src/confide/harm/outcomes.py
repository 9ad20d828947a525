"""The seven outcomes of an inference, and what each costs (Lambert 1993, section 6.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import Any

import numpy as np

from confide.errors import HarmError, raise_all
from confide.harm.check import acting, codes, cost_fault, posterior_rows, same_size
from confide.typing import FloatArray, IntArray, Label


class Outcome(IntEnum):
    """The seven outcomes, in the order of the paper.

    The first letter says whether the re-identification is true or false, the second whether the inference is
    none, false or true.
    """

    NOT_REIDENTIFIED = 0
    FN = 1
    TN = 2
    FF = 3
    FT = 4
    TF = 5
    TT = 6


def outcome_codes(reidentified: Any, inferred: Any) -> IntArray:
    """Give the outcome of each pair, as a number of `Outcome`.

    Args:
        reidentified: -1 no record, 0 a wrong one, 1 the respondent's own.
        inferred: -1 nothing, 0 incorrectly, 1 correctly.

    >>> [Outcome(k).name for k in outcome_codes([-1, 1, 0, 1], [-1, 1, 0, -1])]
    ['NOT_REIDENTIFIED', 'TT', 'FF', 'TN']
    """
    linked = codes(reidentified, -1, 1, "reidentified")
    how = codes(inferred, -1, 1, "inferred")
    same_size(reidentified=linked, inferred=how)
    found = np.where(how < 0, Outcome.FN + linked, Outcome.FF + 2 * linked + how)
    return np.where(linked < 0, np.int64(Outcome.NOT_REIDENTIFIED), found).astype(np.int64)


def count_outcomes(outcomes: Any) -> dict[Outcome, int]:
    """Count the pairs of each outcome: harm for people who want no costs.

    >>> count_outcomes(outcome_codes([1, 1, -1], [1, 1, -1]))[Outcome.TT]
    2
    """
    counts = np.bincount(codes(outcomes, 0, len(Outcome) - 1, "outcomes"), minlength=len(Outcome))
    return {outcome: int(counts[outcome]) for outcome in Outcome}


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What each outcome costs the respondent; a record that is not re-identified costs nothing.

    Any cost may be zero. Where the correctness of the re-identification does not matter, ff = tf and ft = tt.

    >>> costs = Outcomes(tt=10, tf=6, ft=3, ff=5, tn=2, fn=1)
    >>> costs.harm([1, 1, 0, -1], [1, 1, 1, 1], [1, 0, -1, 1], levels=[0, 1]).tolist()
    [10.0, 6.0, 1.0, 0.0]
    """

    tt: float = 0.0
    """c_TT: the right record, the right value."""
    tf: float = 0.0
    """c_TF: the right record, a wrong value."""
    ft: float = 0.0
    """c_FT: a wrong record, the right value."""
    ff: float = 0.0
    """c_FF: a wrong record, a wrong value."""
    tn: float = 0.0
    """c_TN: the right record, no value."""
    fn: float = 0.0
    """c_FN: a wrong record, no value."""

    def __post_init__(self) -> None:
        """Check the costs."""
        raise_all([x for f in fields(self) for x in cost_fault(f"Outcomes: {f.name}", getattr(self, f.name))], HarmError)

    def of(self, reidentified: Any, inferred: Any) -> FloatArray:
        """Give the harm of each pair.

        Args:
            reidentified: -1 no record, 0 a wrong one, 1 the respondent's own.
            inferred: -1 nothing, 0 incorrectly, 1 correctly.

        >>> Outcomes(tt=10, tf=6).of([1, 1], [1, 0]).tolist()
        [10.0, 6.0]
        """
        table = np.array([0.0, self.fn, self.tn, self.ff, self.ft, self.tf, self.tt])
        return np.asarray(table[outcome_codes(reidentified, inferred)], dtype=np.float64)

    def harm(self, reidentified: Any, true_code: Any, inferred_code: Any, levels: Sequence[Label]) -> FloatArray:
        """Give the harm of each pair when one level is inferred: H(Y, X)."""
        linked = codes(reidentified, -1, 1, "reidentified")
        guess = codes(inferred_code, -1, len(levels) - 1, "inferred_code")
        truth = true_codes(true_code, (linked >= 0) & (guess >= 0), levels)
        return self.of(linked, np.where(guess < 0, -1, guess == truth))

    def expected(
        self, reidentified: Any, true_code: Any, posterior: Any, levels: Sequence[Label], inferred: Any = None
    ) -> FloatArray:
        """Give the average of the harm over what a Bayesian intruder believes.

        >>> Outcomes(tt=10, tf=6).expected([1], [1], [[0.25, 0.75]], levels=[0, 1]).tolist()
        [9.0]
        """
        linked = codes(reidentified, -1, 1, "reidentified")
        active, silent = acting(linked, inferred)
        truth = true_codes(true_code, active, levels)
        rows = posterior_rows(posterior, active, levels)
        right = rows[np.arange(len(rows)), truth[active]]
        own = linked[active] == 1
        found = np.where(silent, np.where(linked == 1, float(self.tn), float(self.fn)), 0.0)
        found[active] = right * np.where(own, self.tt, self.ft) + (1 - right) * np.where(own, self.tf, self.ff)
        return found

    def only_true(self) -> Outcomes:
        """Give the same costs, with none for false re-identifications.

        >>> Outcomes(tt=10, ft=3, fn=1).only_true()
        Outcomes(tt=10, tf=0.0, ft=0.0, ff=0.0, tn=0.0, fn=0.0)
        """
        return replace(self, ft=0.0, ff=0.0, fn=0.0)

    @property
    def depends_on_link(self) -> bool:
        """Whether it matters that the right record is linked."""
        return (self.tt, self.tf, self.tn) != (self.ft, self.ff, self.fn)

    def describe(self) -> str:
        """Say what is costly."""
        told = [f"{f.name} {getattr(self, f.name):g}" for f in fields(self) if getattr(self, f.name)]
        return ", ".join(told) or "nothing"


def true_codes(true_code: Any, needed: Any, levels: Sequence[Label]) -> IntArray:
    """Give the places of the true values; raise where one is needed and not known."""
    truth = codes(true_code, -1, len(levels) - 1, "true_code")
    same_size(reidentified=needed, true_code=truth)
    lost = int(np.sum(needed & (truth < 0)))
    if lost:
        raise HarmError(
            f"the true value of {lost:,} of {truth.size:,} pairs is not known, so no inference about it is right or wrong; "
            "leave these respondents out, or take costs that need no true value (BeliefCosts, AssignedTo)"
        )
    return truth
