"""SUDA: a score for every record from the sets of keys that single it out.

Elliot, Manning, Mayes, Gurd and Bane (2005), SUDA: a program for detecting special uniques.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import IntruderError, raise_all
from confide.risk.frequency.keys import File, Keys
from confide.risk.frequency.missing import AS_LEVEL, Missing
from confide.risk.limit import limit_fault
from confide.risk.uniques.kernels import parts
from confide.risk.uniques.minimal import MinimalUniques, minimal_uniques
from confide.risk.uniques.scoring import ELLIOT, Scoring
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class SudaScores:
    """The SUDA score of every record: the more and the smaller the sets of keys that single it out, the higher."""

    name: ClassVar[str] = "suda"
    title: ClassVar[str] = "SUDA score"
    larger_is_riskier: ClassVar[bool] = True

    per_record: FloatArray
    """The score; 0 for records that no set singles out."""
    found: MinimalUniques
    """The sets."""
    scoring: Scoring
    """What a set counts."""

    @property
    def value(self) -> float:
        """The mean score."""
        return float(self.per_record.mean())

    @property
    def total(self) -> float:
        """The sum of all scores."""
        return float(self.per_record.sum())

    def above(self, score: float) -> int:
        """Count the records with a score above another."""
        raise_all(limit_fault("the score", score), IntruderError)
        return int(np.count_nonzero(self.per_record > score))

    def parts(self, *, shared: bool = False) -> FloatArray:
        """Give what of each record's score comes from sets that hold each key: a column for each key.

        Args:
            shared: whether the keys of a set share what it counts; otherwise each gets all of it.
        """
        weight = self.scoring.weights(len(self.found.keys), self.found.max_size)
        return parts(self.found.start, self.found.sets, weight, shared)

    def contributions(self, *, shared: bool = False) -> dict[str, float]:
        """Give the per cent of all scores that come from sets that hold each key.

        A set is counted for each of its keys, so that the figures sum to more than 100. With `shared` its keys share what it
        counts, and they sum to 100.
        """
        if not self.total > 0:
            raise IntruderError("no record has a score, so no key contributes to it; look at .found for the sets there are")
        shares = 100.0 * self.parts(shared=shared).sum(axis=0) / self.total
        return {key: float(share) for key, share in zip(self.found.keys, shares, strict=True)}

    def __repr__(self) -> str:
        """Say how many records have a score, and how high it is."""
        return (
            f"SudaScores({self.found.n:,} records, {self.scoring.describe()} of {', '.join(self.found.keys)}; "
            f"{self.above(0):,} have a score, mean {self.value:.4g}, highest {self.per_record.max():.6g})"
        )


def suda(
    data: File,
    keys: Keys = None,
    scoring: Scoring = ELLIOT,
    *,
    max_size: int | None = None,
    missing: Missing = AS_LEVEL,
) -> SudaScores:
    """Score every record by the minimal sets of keys that single it out.

    Args:
        data: a source file, or a released one.
        keys: the variables an intruder knows; those declared as keys when None.
        scoring: `ElliotScore()`, or `SupersetScore()`.
        max_size: the most keys of a set; all of them when None.
        missing: `MissingAsLevel()`, or `MissingAsWildcard()`, with which a missing value agrees with every value.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]})
    >>> found = cf.suda(data, ["a", "b", "c"])
    >>> found.per_record.tolist()
    [2.0, 4.0, 2.0]
    >>> found.contributions()
    {'a': 50.0, 'b': 37.5, 'c': 37.5}
    """
    found = minimal_uniques(data, keys, max_size=max_size, missing=missing)
    weight = scoring.weights(len(found.keys), found.max_size)
    return SudaScores(found.by_size @ weight[1:], found, scoring)
