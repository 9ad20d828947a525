"""Spruill's risk of matching: which records are closest to their parents (Lambert 1993, section 5).

It takes a record and looks for the closest respondent. The risk of true identification takes a respondent and
looks for the likeliest record; see `confide.true_identification`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from confide.errors import IntruderError
from confide.risk.distances import AbsoluteDistance, Distance, WeightedDistance
from confide.typing import BoolArray, FloatArray, IntArray

CHUNK = 1 << 22
"""So many distances of a user's function are held at a time."""
ROUNDING = 16 * np.finfo(np.float64).eps
"""Distances closer to each other than this, relative to the numbers they come from, are tied."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchingRisk:
    """Which released records are strictly closer to their parents than to any other source record."""

    per_record: BoolArray
    """Whether each record is matched."""
    sampling_fraction: float = 1.0
    """What the share is multiplied by."""
    closer: IntArray | None = None
    """How many other source records are closer to each record than its parent; None where not asked."""

    @property
    def count(self) -> int:
        """How many records are matched."""
        return int(self.per_record.sum())

    @property
    def share(self) -> float:
        """The share of records matched: Spruill's risk."""
        return float(self.per_record.mean())

    @property
    def value(self) -> float:
        """The share times the sampling fraction."""
        return self.sampling_fraction * self.share

    def __repr__(self) -> str:
        """Say how many records are matched."""
        return f"MatchingRisk({self.count:,} of {self.per_record.size:,} records matched, value {self.value:.4g})"


def risk_of_matching(
    released: Any,
    source: Any,
    parent: Any,
    distance: Distance = AbsoluteDistance(),  # noqa: B008  frozen
    sampling_fraction: float = 1.0,
    *,
    count_closer: bool = False,
) -> MatchingRisk:
    """Find the records strictly closer to their parent than to any other source record (Spruill's risk).

    A record as close to another source record as to its parent is not matched; distances that differ by
    rounding alone are the same. With a single source record every record is matched. No table of all pairs is
    made, and a function of the user's is asked for some records at a time.

    Args:
        released: released numbers, one row for each record; a list for one variable.
        source: source numbers, one row for each respondent.
        parent: the source row each record comes from, counted from 0.
        distance: how far apart records are: `AbsoluteDistance`, `SquaredDistance`, `LogDistance`, or a function
            of records (n rows) and source (N rows) that gives a table of n by N. Its numbers are compared as they are.
        sampling_fraction: the share of the source that is released; multiplies the risk, where asked.
        count_closer: count the source records closer than the parent, too; slow where records are far from
            their parents.

    >>> risk = risk_of_matching([32.0, 35.0], [15.0, 30.0, 40.7], [0, 1])
    >>> risk.share, risk.per_record.tolist()
    (0.5, [False, True])
    >>> from confide.risk.distances import SquaredDistance
    >>> risk_of_matching([[32.0, 1.0], [35.0, 2.0]], [[15.0, 1.0], [30.0, 2.0]], [0, 1], SquaredDistance(weights=[1, 500]))
    MatchingRisk(2 of 2 records matched, value 1)
    """
    z, y = both_files(released, source)
    own = parents(parent, z.shape[0], y.shape[0])
    if not 0 < sampling_fraction <= 1:
        raise IntruderError(f"the sampling fraction must be above 0 and at most 1; found {sampling_fraction}")
    if isinstance(distance, WeightedDistance):
        matched, closer = _by_tree(z, y, own, distance, count_closer=count_closer)
    else:
        matched, closer = _by_table(z, y, own, distance)
    return MatchingRisk(matched, sampling_fraction, closer if count_closer else None)


def both_files(released: Any, source: Any) -> tuple[FloatArray, FloatArray]:
    """Give released and source records as tables of finite numbers with the same variables."""
    z, y = numbers(released, "released"), numbers(source, "source")
    if z.shape[1] != y.shape[1]:
        raise IntruderError(f"released records have {z.shape[1]} variable(s), source records {y.shape[1]}")
    return z, y


def numbers(values: Any, name: str) -> FloatArray:
    """Give a table of finite numbers, one row for each record."""
    try:
        table = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise IntruderError(f"{name} records must be numbers, as many for each record") from error
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or table.size == 0:
        raise IntruderError(f"{name} records must be a table of at least one record and one variable; found {table.shape}")
    missing = int(np.sum(~np.isfinite(table).all(axis=1)))
    if missing:
        raise IntruderError(
            f"{missing} {name} record(s) hold missing or infinite numbers, whose distance is not defined; "
            "leave them out or impute them"
        )
    return table


def parents(parent: Any, records: int, respondents: int) -> IntArray:
    """Give the respondent of each record; raise unless there is one for each."""
    own = np.asarray(parent)
    if own.shape != (records,):
        raise IntruderError(f"{own.size} parents for {records} records; give the source row of each record")
    if own.dtype.kind not in "iu":
        raise IntruderError("parents must be whole numbers: the source row of each record, counted from 0")
    wrong = int(np.sum((own < 0) | (own >= respondents)))
    if wrong:
        raise IntruderError(f"{wrong} parent(s) are not among the {respondents} respondents, counted from 0")
    return own.astype(np.int64)


def _by_tree(
    released: FloatArray, source: FloatArray, own: IntArray, distance: WeightedDistance, *, count_closer: bool
) -> tuple[BoolArray, IntArray | None]:
    """See whether the parent is the nearest, and alone; respondents who are alike stand once in the tree."""
    z, y, power = distance.scaled(released), distance.scaled(source), distance.power
    unit = np.exp2(-np.frexp(max(np.abs(z).max(), np.abs(y).max()))[1])  # so that squares neither overflow nor vanish
    z, y, size = z * unit, y * unit, distance.size(released) * unit
    distinct, which, times = np.unique(y, axis=0, return_inverse=True, return_counts=True)
    which = which.ravel()
    mine = np.linalg.norm(z - y[own], ord=power, axis=1)
    slack = ROUNDING * (size + mine)
    tree = cKDTree(distinct)
    _, nearest = tree.query(z, p=power, workers=-1)
    matched = (times[which[own]] == 1) & (nearest == which[own])
    left = np.flatnonzero(matched)
    # a second one as near as the parent is a tie; a ball that holds the parent alone is quickly searched
    near = tree.query_ball_point(z[left], (mine + slack)[left], p=power, workers=-1, return_length=True)
    matched[left] = near == 1
    if not count_closer:
        return matched, None
    within = cKDTree(y).query_ball_point(z, np.maximum(mine - slack, 0.0), p=power, workers=-1, return_length=True)
    # a ball is closed; where it is a point, only those who are alike could be in it, and they are tied
    return matched, np.where(mine > slack, within, 0).astype(np.int64)


def _by_table(z: FloatArray, y: FloatArray, own: IntArray, distance: Any) -> tuple[BoolArray, IntArray]:
    """Ask the user's function for some records at a time."""
    matched, closer = np.empty(len(z), dtype=np.bool_), np.empty(len(z), dtype=np.int64)
    step = max(1, CHUNK // len(y))
    for start in range(0, len(z), step):
        part = slice(start, start + step)
        d = np.array(distance(z[part], y), dtype=np.float64)
        rows = np.arange(len(z[part]))
        if d.shape != (rows.size, len(y)):
            raise IntruderError(
                f"the distance gave {d.shape} numbers for {rows.size} records and {len(y)} source records; "
                f"it must give a table of {rows.size} by {len(y)}"
            )
        if bool(np.isnan(d).any()):
            raise IntruderError("the distance gave NaN; it must be a number for every pair")
        mine = d[rows, own[part]]
        d[rows, own[part]] = np.inf
        closer[part] = (d < mine[:, None]).sum(axis=1)
        matched[part] = mine < d.min(axis=1)
    return matched, closer
