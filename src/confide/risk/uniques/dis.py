"""DIS and DIS-SUDA: how sure is someone who found a record that is unique on the keys?

Skinner and Elliot (2002), A measure of disclosure risk for microdata; Elliot and Manning (2003), Using DIS to modify the
classification of special uniques, for spreading it over records. The exponent Q is that of the SUDA programs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import IntruderError
from confide.intruder.population import FromWeights
from confide.risk.frequency.keys import File, Keys, records_of_file, survey_weights
from confide.risk.frequency.missing import AS_LEVEL, Missing
from confide.risk.per_record import RecordRisk
from confide.risk.uniques.scoring import ELLIOT, Scoring
from confide.risk.uniques.suda import SudaScores, suda
from confide.typing import FloatArray

FROM_WEIGHTS = FromWeights()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DisSuda(RecordRisk):
    """The probability that a match with a unique record is right, spread over records by their SUDA scores."""

    name: ClassVar[str] = "dis_suda"
    title: ClassVar[str] = "DIS-SUDA"
    counted: ClassVar[str] = "in all"

    scores: SudaScores
    """The SUDA scores."""
    fraction: float
    """The share of the population that is in the file."""

    @property
    def dis(self) -> float:
        """The probability that a unique match is right, for the file as a whole: p n1 / (p n1 + 2 (1 - p) n2)."""
        n1, in_pairs = self.scores.found.uniques, self.scores.found.pairs
        if n1 + in_pairs == 0:
            raise IntruderError("no record is unique or one of a pair on the keys; nothing tells how often a match is right")
        return self.fraction * n1 / (self.fraction * n1 + (1 - self.fraction) * in_pairs)

    def notes(self) -> str:
        """Say how many records the file's figure rests on."""
        found = self.scores.found
        return f", {found.uniques:,} unique, {found.pairs:,} in pairs, sampling fraction {self.fraction:.4g}"


def dis_suda(
    data: File,
    keys: Keys = None,
    fraction: float | FromWeights = FROM_WEIGHTS,
    scoring: Scoring = ELLIOT,
    *,
    max_size: int | None = None,
    missing: Missing = AS_LEVEL,
) -> DisSuda:
    """Spread the probability that a unique match is right over records, by their SUDA scores.

    The odds of a record are p / (2 (1 - p) n2) times S^Q times the sum of 1 / S^Q over all records with a score S, where
    n2 is the number of pairs, M of keys, and Q = 1 + (8 - M) / 20. Records without a score have 0. Without pairs the
    estimate is 1 for all others.

    Args:
        data: a source file, or a released one.
        keys: the variables an intruder knows; those declared as keys when None.
        fraction: the share of the population that is in the file; `FromWeights()` takes the records over the sum of weights.
        scoring: `ElliotScore()`, or `SupersetScore()`.
        max_size: the most keys of a set; all of them when None.
        missing: `MissingAsLevel()`, or `MissingAsWildcard()`, with which a missing value agrees with every value.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m", "m"], "job": ["cook", "vet", "cook", "cook"]})
    >>> found = cf.dis_suda(data, ["sex", "job"], 0.1)
    >>> found.per_record.round(4).tolist(), round(found.dis, 4)
    ([0.1, 0.1, 0.0, 0.0], 0.1)
    """
    p = _fraction(data, fraction)
    scores = suda(data, keys, scoring, max_size=max_size, missing=missing)
    return DisSuda(spread(scores.per_record, scores.found.pairs, p, len(scores.found.keys)), scores, p)


def spread(score: FloatArray, in_pairs: int, fraction: float, keys: int) -> FloatArray:
    """Give 1 / (1 + 2 n2 (1 - p) / p / (S^Q sum of S^-Q)) for records with a score, 0 for the others.

    >>> spread(np.array([2.0, 0.0, 2.0]), 2, 0.5, 8).round(4).tolist()
    [0.5, 0.0, 0.5]
    """
    has = score > 0
    power = score[has] ** (1.0 + (8.0 - keys) / 20.0)
    found = np.zeros(score.size)
    found[has] = 1.0 / (1.0 + in_pairs * (1.0 - fraction) / fraction / (power * np.sum(1.0 / power)))
    return found


def _fraction(data: File, fraction: float | FromWeights) -> float:
    """Give the sampling fraction."""
    if isinstance(fraction, FromWeights):
        file = records_of_file(data)
        total = float(survey_weights(file).sum())
        if total < file.n:
            raise IntruderError(
                f"the survey weights of {file.n:,} records sum to {total:,.6g}, fewer people than records; give fraction=..."
            )
        return file.n / total
    if not 0 < fraction <= 1:
        raise IntruderError(f"fraction is the share of the population in the file, above 0 and at most 1; found {fraction}")
    return float(fraction)
