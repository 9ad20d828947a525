"""Estimates from the release beside those from the source: bias, variance and efficiency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from confide.errors import UtilityError
from confide.typing import FloatArray
from confide.utility.estimates import ROUNDING, UNDEFINED, Estimate
from confide.utility.measure import Parts, Utility, UtilityMeasure

Estimates = Mapping[str, Estimate]
"""Estimates by name."""


def efficiencies(source: FloatArray, variance: FloatArray, released: FloatArray) -> FloatArray:
    """Give V / (V + bias^2) for each estimate, V being its variance before masking.

    The mean squared error of an estimate from the release is that of sampling plus that of masking, eq. (13) of Duncan,
    Keller-McNulty and Stokes; the ratio is the efficiency of section V. One release shows one draw of the second part. An
    estimate without sampling error has efficiency 1 where it is kept exactly, else 0. One that the release does not give
    (NaN) has efficiency 0.

    >>> efficiencies(np.array([3.0, 3.0, 5.0]), np.array([1.0, 1.0, 0.0]), np.array([3.0, 4.0, 5.0])).tolist()
    [1.0, 0.5, 1.0]
    """
    bias = released - source
    bias = np.where(np.abs(bias) <= ROUNDING * np.maximum(np.abs(source), np.abs(released)), 0.0, bias)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.where(bias == 0, 1.0, variance / (variance + bias**2))
    return np.where(np.isnan(released), 0.0, found)


def kept(
    measure: UtilityMeasure, source: Estimates, released: Estimates, known: Mapping[str, float], notes: Sequence[str]
) -> Utility:
    """Average the efficiencies of estimates.

    Estimates that are undefined in the source are left out; those that only the release lacks count zero. Where the release
    has blanks, the efficiency counts for the share of records that are still known.

    Args:
        measure: what is measured.
        source: the estimates from the source, in order.
        released: those from the release.
        known: by the name of the estimate, the share of the known records of the source that the release still tells.
        notes: what else is to be known.
    """
    names = [name for name, e in source.items() if np.isfinite(e.value) and np.isfinite(e.variance)]
    gone = len(source) - len(names)
    if not names:
        raise UtilityError(
            f"{measure.title}: none of {len(source):,} estimates has a variance in the source file, which needs two known "
            "values or more; name other variables, or larger groups"
        )
    own = [source[name] for name in names]
    other = [released.get(name, UNDEFINED) for name in names]
    value, variance = (np.array([e[k] for e in own]) for k in (0, 1))
    given, given_variance = (np.array([e[k] for e in other]) for k in (0, 1))
    left = np.array([known.get(name, 1.0) for name in names])
    found = efficiencies(value, variance, given) * left
    lost = int(np.isnan(given).sum())
    said = list(notes)
    said += [f"{gone:,} of {len(source):,} estimates have no variance in the source file and are left out"] if gone else []
    said += [f"{lost:,} of {len(names):,} estimates cannot be made of the release and count 0"] if lost else []
    holes = int(np.sum((left < 1) & ~np.isnan(given)))
    said += [f"{holes:,} of {len(names):,} estimates have blanks in the release, which count as lost"] if holes else []
    parts: Parts = {
        "estimate": names,
        "source": value.tolist(),
        "released": _known(given),
        "bias": _known(given - value),
        "source_se": np.sqrt(variance).tolist(),
        "released_se": _known(np.sqrt(given_variance)),
        "known": left.tolist(),
        "efficiency": found.tolist(),
    }
    return Utility(measure, float(found.mean()), parts, None, tuple(said))


def _known(x: FloatArray) -> list[float | None]:
    """Give numbers, None where there is none."""
    return [None if np.isnan(v) else v for v in x.tolist()]
