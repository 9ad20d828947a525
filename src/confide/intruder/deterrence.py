"""What would deter the intruder: a dearer wrong link, or a penalty (Duncan and Lambert 1987, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from confide.errors import IntruderError
from confide.intruder.columns import ROUNDING, TIE, columns
from confide.intruder.decision import Losses
from confide.typing import FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Caught:
    """How likely a link that is made public is found out and fined.

    `Caught(wrong=0.2)` fines false links only; `Caught(wrong=0.2, right=0.2)` fines any link.
    """

    wrong: float = 1.0
    """The probability to be fined for a link to a record that is not the target's."""
    right: float = 0.0
    """The probability to be fined for a link to the target's record."""

    def __post_init__(self) -> None:
        """Check the probabilities."""
        if not (0 <= self.wrong <= 1 and 0 <= self.right <= 1 and self.wrong + self.right > 0):
            raise IntruderError(f"give probabilities from 0 to 1, at least one of them positive; found {self}")


def deterring_ratio(p: Any, *, slack: float = ROUNDING) -> FloatArray:
    """Give, for each respondent, the smallest ratio l2/l1 at which the intruder does not link.

    It is the probability that the respondent was released over the probability that the best link
    is wrong; infinite where the best link is certain.

    Args:
        p: the probability that record j is respondent i's, records by respondents; a table or a sparse one.
        slack: how far a respondent's probabilities may sum above one, as approximations can.

    >>> deterring_ratio(np.array([[0.75, 0.1], [0.25, 0.1]])).round(6).tolist()
    [4.0, 0.222222]
    """
    found = columns(p, slack)
    return _over(found.total, 1.0 - np.minimum(found.largest, 1.0))


def deterring_penalty(p: Any, losses: Losses, caught: Caught | None = None, *, slack: float = ROUNDING) -> FloatArray:
    """Give, for each respondent, the smallest fine at which the intruder does not link.

    A fine F adds F times the probability to be caught to the expected loss of a link: with p the
    probability that the link is right, F (caught.right p + caught.wrong (1 - p)). Zero where
    the intruder does not link anyway; infinite where no fine deters.

    Args:
        p: the probability that record j is respondent i's, records by respondents; a table or a sparse
            one, or the probabilities of one respondent.
        losses: l1 and l2.
        caught: how likely a link is fined; None: every false one and no other.
        slack: how far a respondent's probabilities may sum above one, as approximations can.

    >>> p = np.array([[0.8], [0.2]])
    >>> deterring_penalty(p, Losses()).round(6).tolist()
    [4.0]
    >>> deterring_penalty(p, Losses(), Caught(wrong=0.5, right=0.5)).round(6).tolist()
    [1.6]
    """
    caught = Caught() if caught is None else caught
    table = np.asarray(p, dtype=np.float64)[:, None] if isinstance(p, list | tuple) or np.ndim(p) == 1 else p
    found = columns(table, slack)
    # The fine that deters from a link is a ratio of two linear functions of its probability, so it is monotone
    # in it, and the dearest link to deter from is the most or the least probable one.
    fines = []
    for probability in (np.minimum(found.largest, 1.0), found.least):
        null, link = losses.missed * found.total, losses.wrong * (1.0 - probability)
        gain = np.where(null - link > TIE * np.maximum(null, link), null - link, 0.0)
        fines.append(_over(gain, caught.right * probability + caught.wrong * (1.0 - probability)))
    return np.asarray(np.maximum(*fines), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class DeterrenceCurve:
    """How many respondents remain linked as a wrong link grows dearer."""

    ratios: FloatArray
    """The ratios l2/l1."""
    linked: IntArray
    """How many respondents are linked at each ratio."""
    deterring: FloatArray
    """For each respondent the ratio from which on there is no link."""

    @property
    def share(self) -> FloatArray:
        """The share of respondents who are linked at each ratio."""
        return np.asarray(self.linked / self.deterring.size, dtype=np.float64)

    def ratio_for(self, linked: int = 0) -> float:
        """Give the smallest ratio at which at most so many respondents are linked; infinite where none is enough."""
        if not 0 <= linked <= self.deterring.size:
            raise IntruderError(f"give a number of respondents from 0 to {self.deterring.size:,}; found {linked}")
        if linked == self.deterring.size:
            return 0.0
        return float(np.sort(self.deterring)[self.deterring.size - 1 - linked])

    def to_frame(self) -> pl.DataFrame:
        """Give one row per ratio."""
        import polars as pl

        return pl.DataFrame({"ratio": self.ratios, "linked": self.linked, "share": self.share})

    def __repr__(self) -> str:
        """Show the curve and what deters from every link."""
        rows = [f"{'l2/l1':>10}  {'linked':>8}  {'share':>6}"]
        rows += [f"{r:>10.4g}  {k:>8,}  {s:>6.1%}" for r, k, s in zip(self.ratios, self.linked, self.share, strict=True)]
        last = self.ratio_for(0)
        end = f"no link from a ratio of {last:.4g} on" if np.isfinite(last) else "no ratio deters from every link"
        return "\n".join([*rows, f"{self.deterring.size:,} respondents; {end}"])


def deterrence_curve(
    p: Any, ratios: Sequence[float] | FloatArray = (0.5, 1, 2, 5, 10, 20, 50, 100), *, slack: float = ROUNDING
) -> DeterrenceCurve:
    """Count the respondents who remain linked as the ratio l2/l1 grows.

    Args:
        p: the probability that record j is respondent i's, records by respondents; a table or a sparse one.
        ratios: the ratios to count at.
        slack: how far a respondent's probabilities may sum above one, as approximations can.

    >>> deterrence_curve(np.array([[0.75, 0.1], [0.25, 0.8]]), [1, 4, 5]).linked.tolist()
    [2, 1, 0]
    """
    at = np.asarray(ratios, dtype=np.float64)
    if at.ndim != 1 or at.size == 0 or not bool(np.all(np.isfinite(at) & (at > 0))):
        raise IntruderError("ratios must be finite, positive numbers")
    from_on = deterring_ratio(p, slack=slack)
    linked = from_on.size - np.searchsorted(np.sort(from_on), at * (1 + TIE), side="right")
    return DeterrenceCurve(at, linked.astype(np.int64), from_on)


def _over(gain: FloatArray, cost: FloatArray) -> FloatArray:
    """Divide; nothing to gain needs no deterrent, and what costs nothing never deters."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(gain > 0, gain / cost, 0.0), dtype=np.float64)
