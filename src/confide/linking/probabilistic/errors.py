"""From bounds on the two errors to links, possible links and non-links (Fellegi and Sunter 1969)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from confide.errors import IntruderError
from confide.typing import FloatArray


class Limits(NamedTuple):
    """Probabilities from which on a pair is a link, and below which it is none; between them it is a possible link."""

    upper: float
    lower: float


class FalseMatches(Protocol):
    """Says what the bound on false matches is a share of."""

    def share(self, false: FloatArray, linked: FloatArray, unmatched: float) -> FloatArray:
        """Give the share, for growing numbers of links."""
        ...


@dataclass(frozen=True, slots=True)
class AmongLinks:
    """The bound is on the share of links that are false, one minus precision."""

    def share(self, false: FloatArray, linked: FloatArray, unmatched: float) -> FloatArray:
        """Divide by the number of links."""
        del unmatched
        return np.asarray(false / linked, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class AmongNonMatches:
    """The bound is on the share of non-matches that are linked: the mu of Fellegi and Sunter.

    There are far more non-matches than matches, so this bound must be far smaller.
    """

    def share(self, false: FloatArray, linked: FloatArray, unmatched: float) -> FloatArray:
        """Divide by the number of pairs that are no matches."""
        del linked
        return np.asarray(false / unmatched, dtype=np.float64)


def check_bounds(false_match: float, false_non_match: float) -> None:
    """Raise unless both bounds are probabilities."""
    for name, value in (("false_match", false_match), ("false_non_match", false_non_match)):
        if not 0 <= value < 1:
            raise IntruderError(f"{name} is a probability of at least 0 and below 1; found {value}")


def limits(
    p: FloatArray,
    matches: float,
    unmatched: float,
    false_match: float,
    false_non_match: float,
    among: FalseMatches,
) -> Limits:
    """Find the probabilities that keep both errors within their bounds, by the model's own account.

    Links are taken from the top for as long as false matches stay within their bound; pairs are dismissed from
    the bottom for as long as the share of matches lost does. Where the two would meet, every pair is decided.

    Args:
        p: the probability that each pair that may be linked is a match.
        matches: the number of matches expected among all candidate pairs, also those not listed.
        unmatched: the number of other pairs.
        false_match: the bound on false matches.
        false_non_match: the bound on the share of matches that are dismissed.
        among: what false matches are a share of.

    >>> limits(np.array([0.99, 0.98, 0.02]), 2.0, 100.0, 0.05, 0.2, AmongLinks())
    Limits(upper=0.98, lower=0.98)
    """
    value, many = np.unique(p, return_counts=True)
    value, many = value[::-1], many[::-1]
    linked = np.cumsum(many).astype(np.float64)
    wrong = among.share(np.cumsum(many * (1 - value)), np.maximum(linked, 1.0), max(unmatched, 1.0))
    # the share grows as links are added, up to rounding
    good = np.flatnonzero(np.maximum.accumulate(wrong) <= false_match) if value.size else np.zeros(0, dtype=np.int64)
    upper = float(value[good[-1]]) if good.size else np.inf
    lost = 1 - np.cumsum(many * value) / max(matches, 1e-300)
    enough = np.flatnonzero(lost <= false_non_match)
    lower = float(value[enough[0]]) if enough.size else 0.0
    if lower > upper:
        # both errors can be kept and nothing is left to decide: any limit between the two will do
        lower = upper = float(np.clip(0.5, upper, lower))
    return Limits(upper, lower)
