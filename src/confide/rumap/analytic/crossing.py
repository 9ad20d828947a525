"""Where one snooper overtakes another."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq

from confide.errors import MapError
from confide.rumap import check
from confide.rumap.analytic.risk import snooper_risk
from confide.rumap.knowledge import KnowsPopulation, KnowsRecord, KnowsSample
from confide.rumap.snooper import Snooper


def mean_beats_record_from(n: int, sigma2: float, knows: KnowsPopulation | KnowsSample | None = None) -> float:
    """Give the noise variance above which the mean is a better estimate than the linked record.

    Eqs (2) and (4) cross at λ² = (n + 1)/(n - 1) σ². The paper prints the inverse of the fraction. For a target in the
    sample the crossing is at σ².

    Args:
        n: the sample size.
        sigma2: the variance of the values.
        knows: what the mean is used for: a target like the population (None), or one known to be in the sample.

    >>> round(mean_beats_record_from(200, 1.0), 5)
    1.01005
    """
    n, sigma2 = check.size(n), check.positive("sigma2", sigma2)
    if isinstance(knows, KnowsRecord):
        raise MapError("knows is KnowsPopulation() or KnowsSample(): what the snooper who takes the mean knows")
    if n == 1:
        raise MapError("with one record the mean is the record, so neither beats the other; n must be at least 2")
    return sigma2 if isinstance(knows, KnowsSample) else (n + 1) / (n - 1) * sigma2


def crossings(
    first: Snooper,
    second: Snooper,
    n: int,
    sigma2: float,
    *,
    low: float = 1e-3,
    high: float = 10.0,
    steps: int = 120,
) -> tuple[float, ...]:
    """Give every noise variance between two bounds at which two snoopers are equally dangerous.

    Sign changes are sought on a grid in log λ² and then refined; two crossings within one step of it are not seen.

    Args:
        first: one snooper.
        second: the other.
        n: the sample size.
        sigma2: the variance of the values.
        low: the smallest λ², as a multiple of sigma2.
        high: the largest λ², as a multiple of sigma2.
        steps: the number of steps of the grid.

    >>> [round(v, 4) for v in crossings(Snooper(), Snooper(knows=KnowsRecord()), 200, 1.0)]
    [1.0101]
    """
    if not 0 < low < high < math.inf or steps < 1:
        raise MapError(f"low and high must be positive and in order, steps at least 1; found {low!r}, {high!r}, {steps!r}")

    def apart(log: float) -> float:
        """Give the log of the ratio of the risks."""
        lambda2 = math.exp(log)
        one, other = (float(snooper_risk(s, n, sigma2, lambda2)) for s in (first, second))
        return math.log(one / other)

    grid = np.log(check.positive("sigma2", sigma2)) + np.linspace(math.log(low), math.log(high), steps + 1)
    gaps = np.array([apart(float(g)) for g in grid])
    if not gaps.any():
        raise MapError(f"{first.label!r} and {second.label!r} are equally dangerous everywhere; they do not cross")
    found = [math.exp(grid[i]) for i in np.flatnonzero(gaps == 0)]
    found += [math.exp(brentq(apart, grid[i], grid[i + 1], xtol=1e-13)) for i in np.flatnonzero(gaps[1:] * gaps[:-1] < 0)]
    return tuple(sorted(found))
