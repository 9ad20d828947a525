"""Risks of a file from link probabilities, whichever model made them (Lambert 1993, sections 3 and 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from confide.errors import IntruderError
from confide.intruder.exceeds import reaches
from confide.risk.matching import parents
from confide.typing import FloatArray

SLACK = 1e-6
"""A record's probabilities may sum to this much more than one. A respondent's are not bounded: approximations
exceed one a little, records in isolation by much."""
TIED = 1e-9
"""Probabilities that differ by less, relative to the larger one, are tied."""


@dataclass(frozen=True, slots=True, eq=False)
class PerceivedRisks:
    """Lambert's measures of perceived identification (section 3)."""

    per_respondent: FloatArray
    """The largest probability that a released record is the respondent's."""
    threshold: float
    """What D_tau counts from."""
    error: FloatArray | None = None
    """How far each of them may be off, from the error of the links; None where the links came without one."""

    @property
    def worst(self) -> float:
        """D: the largest risk of any respondent."""
        return float(self.per_respondent.max())

    @property
    def average(self) -> float:
        """D_average: the mean risk."""
        return float(self.per_respondent.mean())

    @property
    def total(self) -> float:
        """D_total: the sum of the risks."""
        return float(self.per_respondent.sum())

    @property
    def at_or_above(self) -> int:
        """D_tau: how many respondents reach the threshold (convention 5)."""
        return int(np.sum(reaches(self.per_respondent, self.threshold)))

    @property
    def worst_error(self) -> float | None:
        """How far D may be off; None where the links came without an error."""
        if self.error is None:
            return None
        above, below = (self.per_respondent + self.error).max(), (self.per_respondent - self.error).max()
        return float(max(above - self.worst, self.worst - below))

    @property
    def average_error(self) -> float | None:
        """How far D_average may be off, were all errors on one side."""
        return None if self.error is None else float(self.error.mean())

    @property
    def total_error(self) -> float | None:
        """How far D_total may be off, were all errors on one side."""
        return None if self.error is None else float(self.error.sum())

    @property
    def at_or_above_error(self) -> int | None:
        """How many respondents may stand on the other side of the threshold."""
        if self.error is None:
            return None
        p, tau = self.per_respondent, self.threshold
        return int(np.sum(np.where(reaches(p, tau), ~reaches(p - self.error, tau), reaches(p + self.error, tau))))

    def __repr__(self) -> str:
        """Write the four measures, with their errors."""
        rows = [
            ("D", self.worst, self.worst_error),
            ("D_average", self.average, self.average_error),
            ("D_total", self.total, self.total_error),
            (f"D_{self.threshold:g}", self.at_or_above, self.at_or_above_error),
        ]
        shown = [f"{name} {value:.4g}" + ("" if error is None else f" ± {error:.1g}") for name, value, error in rows]
        return f"PerceivedRisks({self.per_respondent.size:,} respondents; {', '.join(shown)})"


@dataclass(frozen=True, slots=True, eq=False)
class TrueIdentification:
    """Which released records an intruder who acts links correctly (Lambert 1993, section 5)."""

    per_record: FloatArray
    """1 where a record is linked to its respondent; 1/m where m records are equally probable; 0 elsewhere."""
    probability: FloatArray
    """The probability that the intruder gives to each record being its respondent's."""

    @property
    def count(self) -> float:
        """How many records are identified, on average over picks among equals."""
        return float(self.per_record.sum())

    @property
    def share(self) -> float:
        """The share of released records identified: the risk of true identification (convention 6)."""
        return float(self.per_record.mean())

    @property
    def weighted(self) -> float:
        """The share with every identification weighted by its probability, Lambert's variant."""
        return float((self.per_record * self.probability).mean())

    def __repr__(self) -> str:
        """Say how many records are identified."""
        return f"TrueIdentification({self.count:,g} of {self.per_record.size:,} records identified, share {self.share:.4g})"


def perceived_risks(links: Any, threshold: float = 0.5) -> PerceivedRisks:
    """Reduce link probabilities, records by respondents, to perceived risks (Lambert 1993, section 3).

    Args:
        links: what `link_probabilities` gave, whose errors are carried along, or a table of probabilities of any
            model, dense or sparse.
        threshold: what D_tau counts from.

    >>> perceived_risks(np.array([[0.9, 0.1], [0.1, 0.9]])).total
    1.8
    """
    if not 0 <= threshold <= 1:
        raise IntruderError(f"the threshold must be a probability between 0 and 1; found {threshold}")
    p, error = _pairs(links)
    best = _column_best(p.data, p)
    if error is None:
        return PerceivedRisks(best, threshold)
    above = np.minimum(_column_best(p.data + error, p), np.maximum(best, 1.0))
    below = _column_best(p.data - error, p)
    return PerceivedRisks(best, threshold, np.maximum(above - best, best - below))


def true_identification(links: Any, parent: Any, act_at: float) -> TrueIdentification:
    """Find the released records linked correctly by an intruder who acts (Lambert 1993, section 5).

    For each respondent the intruder takes the most probable record and links it when its
    probability reaches `act_at` (convention 6). One of several equally probable records is taken at random;
    a record of probability zero is never linked.

    Args:
        links: what `link_probabilities` gave, or a table of probabilities of any model, dense or sparse.
        parent: the respondent each record belongs to, counted from 0.
        act_at: the probability from which the intruder acts; 0: always.

    >>> true_identification(np.array([[0.6, 0.4], [0.4, 0.6]]), [0, 1], act_at=0.5).share
    1.0
    """
    if not 0 <= act_at <= 1:
        raise IntruderError(f"the intruder acts from a probability between 0 and 1; found {act_at}")
    p, _ = _pairs(links)
    n, wide = p.shape
    own = parents(parent, n, wide)
    best = _column_best(p.data, p)
    first = p.data >= best[p.indices] * (1 - TIED)
    ties = np.bincount(p.indices[first], minlength=wide)
    count = np.diff(p.indptr)
    mine = np.flatnonzero(p.indices == np.repeat(own, count))
    record = np.repeat(np.arange(n), count)[mine]
    probability, credit = np.zeros(n), np.zeros(n)
    probability[record] = p.data[mine]
    credit[record] = np.where(first[mine], 1 / np.maximum(ties[p.indices[mine]], 1), 0.0)
    credit[~reaches(probability, act_at) | (probability == 0)] = 0.0
    return TrueIdentification(credit, probability)


def _pairs(links: Any) -> tuple[Any, FloatArray | None]:
    """Give the checked probabilities as CSR, and the error of every stored pair where there is one."""
    error = getattr(links, "error", None)
    if error is not None:
        return _aligned(links.p, error)
    return _checked(_csr(getattr(links, "p", links))), None


def _aligned(p: Any, error: Any) -> tuple[Any, FloatArray]:
    """Give probabilities and errors pair by pair; both are arranged alike."""
    if sparse.issparse(p):
        table, off = sparse.csr_array(p), sparse.csr_array(error)
        if not (np.array_equal(table.indptr, off.indptr) and np.array_equal(table.indices, off.indices)):
            raise IntruderError("the links hold probabilities and errors of different pairs; arrange them alike")
        return _checked(table), np.asarray(off.data, dtype=np.float64)
    # entries of probability zero may be off, too
    full, off = np.atleast_2d(np.asarray(p, dtype=np.float64)), np.atleast_2d(np.asarray(error, dtype=np.float64))
    if full.shape != off.shape:
        raise IntruderError(f"the links hold probabilities of {full.shape} pairs and errors of {off.shape}")
    rows, columns = np.nonzero((full != 0) | (off != 0))
    table = sparse.csr_array((full[rows, columns], (rows, columns)), shape=full.shape)
    return _checked(table), off[rows, columns]


def _csr(p: Any) -> Any:
    """Give a table of probabilities as CSR, with every pair once."""
    if sparse.issparse(p):
        table = sparse.csr_array(p, dtype=np.float64)
        if not table.has_canonical_format:
            table = table.copy()
            table.sum_duplicates()
        return table
    full = np.asarray(p, dtype=np.float64)
    if full.ndim != 2:
        raise IntruderError(f"link probabilities must be a table of records by respondents; found {full.ndim} dimension(s)")
    return sparse.csr_array(full)


def _checked(p: Any) -> Any:
    """Raise unless these are link probabilities."""
    n, wide = p.shape
    if not (n and wide):
        raise IntruderError(f"link probabilities of {n} records and {wide} respondents; give at least one of each")
    if not bool(np.all(p.data >= 0)):
        raise IntruderError("link probabilities must not be negative or NaN; are these log densities?")
    over = int(np.sum(np.asarray(p.sum(axis=1)).ravel() > 1 + SLACK))
    if over:
        raise IntruderError(
            f"{over} of {n} records have link probabilities that sum to more than one; "
            "give records by respondents, and probabilities instead of densities, as from link_probabilities"
        )
    return p


def _column_best(values: FloatArray, p: Any) -> FloatArray:
    """Give the largest value of each respondent; pairs that are not stored are 0."""
    best = np.zeros(p.shape[1])
    np.maximum.at(best, p.indices, values)
    return best
