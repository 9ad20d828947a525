"""What replicates of a masked file tell about risk and utility: eqs (12) to (14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from confide.errors import IntruderError, MapError
from confide.rumap import check
from confide.rumap.knowledge import KnowsPopulation, KnowsRecord
from confide.rumap.point import Point
from confide.rumap.snooper import Snooper
from confide.rumap.targets import SnooperTarget, Typical
from confide.typing import FloatArray, IntArray


class Sample(NamedTuple):
    """The values of a file, and their order."""

    x: FloatArray
    """The true values."""
    order: IntArray
    """The places of the values from the smallest up; ties keep their places."""
    mean: float
    """x̅."""


def sample_of(x: Sequence[float] | FloatArray) -> Sample:
    """Check the values of a file.

    >>> sample_of([3.0, 1.0, 2.0]).order.tolist()
    [1, 2, 0]
    """
    values = np.asarray(x, dtype=np.float64)
    if values.ndim != 1 or values.size < 2:
        raise MapError(f"x must be a row of at least two numbers, one per record; found an array of shape {values.shape}")
    wrong = int(np.sum(~np.isfinite(values)))
    if wrong:
        raise MapError(f"{wrong} of {values.size} values are missing or infinite; leave these records out first")
    return Sample(values, np.argsort(values, kind="stable").astype(np.int64), float(values.mean()))


def target_value(x: Sequence[float] | FloatArray, target: SnooperTarget) -> float:
    """Give the true value of the target in a sample: its maximum, minimum or percentile x_(np), np rounded.

    >>> from confide.rumap.targets import AtPercentile
    >>> target_value([2.0, 3.0, 5.0, 8.0, 20.0], AtPercentile(0.6))
    5.0
    """
    sample = sample_of(x)
    if isinstance(target, Typical):
        raise IntruderError("a typical target has no place in the sample; give AtPercentile(p), AtMaximum() or AtMinimum()")
    return float(sample.x[sample.order[target.rank(sample.x.size) - 1]])


def squared_errors(sample: Sample, masked: FloatArray, snoopers: Sequence[Snooper]) -> FloatArray:
    """Give (τ - τ̂_m)² for each snooper (rows) and replicate (columns).

    A typical target stands for all records: the squared errors are averaged over them.
    """
    n = sample.x.size
    ranks = {
        s.target.rank(n) for s in snoopers if not isinstance(s.target, Typical) and not isinstance(s.knows, KnowsRecord)
    }
    inner = sorted(k - 1 for k in ranks if 1 < k < n)
    sorted_at = np.partition(masked, inner, axis=1) if inner else masked
    found = np.empty((len(snoopers), masked.shape[0]))
    for i, snooper in enumerate(snoopers):
        linked = isinstance(snooper.knows, KnowsRecord)
        if isinstance(snooper.target, Typical):
            guess = masked if linked else masked.mean(axis=1, keepdims=True)
            found[i] = np.mean((sample.x - guess) ** 2, axis=1)
            continue
        k = snooper.target.rank(n)
        place = sample.order[k - 1]
        if linked:
            value = masked[:, place]
        else:
            value = masked.min(axis=1) if k == 1 else masked.max(axis=1) if k == n else sorted_at[:, k - 1]
        found[i] = (sample.x[place] - value) ** 2
    return found


def risk_and_error(squared: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give 1 over eq. (12) and its standard error, over the last axis.

    >>> risk, error = risk_and_error(np.array([1.0, 3.0]))
    >>> float(risk), float(error)
    (0.5, 0.25)
    """
    mean = squared.mean(axis=-1)
    spread = squared.std(axis=-1, ddof=1) / np.sqrt(squared.shape[-1])
    with np.errstate(divide="ignore", invalid="ignore"):
        return check.reciprocal(mean), np.asarray(spread / mean**2)


def utility_and_error(sample: Sample, means: FloatArray, variances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give 1 over eq. (14) and its standard error, over the last axis.

    The mean of s²/n plus the squared bias estimates the user's mean squared error (13). The standard error is that of the
    linear part; the squared bias itself is too high by Var(Y̅_m)/M.

    Args:
        sample: the true values.
        means: the mean of each replicate.
        variances: s² of each replicate.
    """
    n, bias = sample.x.size, means.mean(axis=-1, keepdims=True) - sample.mean
    loss = variances.mean(axis=-1) / n + bias[..., 0] ** 2
    linear = variances / n + 2 * bias * means
    spread = linear.std(axis=-1, ddof=1) / np.sqrt(means.shape[-1])
    with np.errstate(divide="ignore", invalid="ignore"):
        return check.reciprocal(loss), np.asarray(spread / loss**2)


def empirical_point(
    x: Sequence[float] | FloatArray, masked: Sequence[Sequence[float]] | FloatArray, snooper: Snooper
) -> Point:
    """Estimate risk and utility from replicates that were masked in any way: eqs (12) and (14).

    Args:
        x: the true values, one per record.
        masked: a row per replicate, a column per record.
        snooper: target and knowledge: the sample's own place, or the record.

    >>> from confide.rumap.knowledge import KnowsSample
    >>> from confide.rumap.targets import AtMaximum
    >>> found = empirical_point([1.0, 2.0, 9.0], [[1.5, 2.0, 8.0], [0.5, 2.5, 12.0]], Snooper(AtMaximum(), KnowsSample()))
    >>> found.risk, round(found.utility, 4)
    (0.2, 0.1157)
    """
    sample, y = sample_of(x), np.asarray(masked, dtype=np.float64)
    knows_place([snooper])
    if y.ndim != 2 or y.shape[1] != sample.x.size or y.shape[0] < 1 or not bool(np.all(np.isfinite(y))):
        raise MapError(f"masked must hold one row per replicate and {sample.x.size} finite numbers in each")
    risk, risk_error = risk_and_error(_twice(squared_errors(sample, y, [snooper])[0]))
    utility, utility_error = utility_and_error(sample, _twice(y.mean(axis=1)), _twice(y.var(axis=1, ddof=1)))
    errors = [float(e) if y.shape[0] > 1 and np.isfinite(e) else None for e in (risk_error, utility_error)]
    return Point({"snooper": snooper.label, "replicates": y.shape[0]}, float(risk), float(utility), errors[0], errors[1])


def knows_place(snoopers: Sequence[Snooper]) -> None:
    """Refuse snoopers whose target is not in the file."""
    for snooper in snoopers:
        if isinstance(snooper.knows, KnowsPopulation):
            raise IntruderError(
                f"{snooper.label!r}: a file tells nothing of a target outside it; give KnowsSample() for the place in the "
                "sample, KnowsRecord() for the record, or make an analytic map"
            )


def _twice(one: FloatArray) -> FloatArray:
    """Repeat a single replicate, so that a spread can be formed; it is not shown."""
    return one if one.shape[-1] > 1 else np.repeat(one, 2, axis=-1)
