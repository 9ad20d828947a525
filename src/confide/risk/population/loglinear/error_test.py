"""Does the model overstate the risk? The test of Skinner and Shlomo (2008)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from confide.risk.population.loglinear.fit import Fit, dense_factors, rearranged
from confide.risk.population.loglinear.nest import nest
from confide.risk.population.loglinear.sweep_kernel import occupied_tests
from confide.risk.population.loglinear.table import Occupied
from confide.typing import FloatArray

TOO_LARGE = (
    "the test of the model adds up over all combinations of the levels of {keys}, occupied or not, {size}; at most {most} "
    "are run over. Give test=False to do without it, or recode keys to fewer levels"
)


@dataclass(frozen=True, slots=True)
class ErrorTest:
    """Estimates of how much tau1 and tau2 are too large, and whether that may be chance.

    B is the expected error of tau to second order, with (f - mu) and (f - mu)^2 - f in place of their unknown
    expectations; v is its variance when f is Poisson with the fitted means, taken as known. Above about 2, the statistic
    says that the model underfits and the risk is overstated; below about -2, that it may overfit.
    """

    b1: float
    """B1, of tau1."""
    b2: float
    """B2, of tau2."""
    z1: float
    """B1 / sqrt(v1), about standard normal when the model holds."""
    z2: float
    """B2 / sqrt(v2)."""

    @property
    def worst(self) -> float:
        """The larger of the two statistics."""
        return max(self.z1, self.z2)


def error_test(table: Occupied, fitted: Fit, mean: FloatArray, f: FloatArray, pi: FloatArray, empty: float) -> ErrorTest:
    """Compute B1 and B2 and their statistics.

    Args:
        table: the occupied cells.
        fitted: the model.
        mean: the fitted sample mean of each occupied cell.
        f: its number of records.
        pi: its sampling fraction.
        empty: the sampling fraction of a cell without records.
    """
    if empty == 1:
        return ErrorTest(0.0, 0.0, 0.0, 0.0)
    sets, factors = dense_factors(table, fitted)
    arranged = nest(table, table.keys, sets, TOO_LARGE)
    ordered = [
        rearranged(table, keys, wanted, factor)
        for keys, wanted, factor in zip(sets, arranged.sets, factors, strict=True)
    ]  # fmt: skip
    scale = f.sum() / table.total
    ordered[0] = ordered[0] * scale
    sums = arranged.tests(np.concatenate(ordered), empty)
    occupied_tests(mean, f, pi, empty, fitted.mean * scale, sums)
    b1, v1, b2, v2 = (float(x) for x in sums)
    return ErrorTest(b1, b2, _standard(b1, v1), _standard(b2, v2))


def _standard(b: float, v: float) -> float:
    """Give b over the root of v; 0 where both vanish."""
    return b / math.sqrt(v) if v > 0 else 0.0
