"""Ewens's sampling formula: one parameter."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.optimize import brentq
from scipy.special import digamma, polygamma

from confide.risk.population.ewens_pitman import expected_cells, expected_inverse, expected_uniques, stays_alone
from confide.risk.population.fit import PopulationFit, unfit
from confide.risk.population.sizes import Sizes


@dataclass(frozen=True, slots=True)
class Ewens:
    """Ewens's sampling formula (1972) for the sizes of cells; theta by maximum likelihood.

    The likelihood depends on the number of cells alone: theta solves u = sum of theta / (theta + i), i from 0 to n - 1.
    """

    def fit(self, sizes: Sizes) -> PopulationFit:
        """Fit theta and predict the population.

        Raises:
            ModelError: all records are alike, or all differ; then there is no maximum.
        """
        n, u, s1, people = sizes.n, sizes.cells, sizes.of(1), sizes.population
        if u == n:
            raise unfit(
                "Ewens()",
                f"all {n:,} records differ on the keys, and the likelihood grows with theta without end",
                "Take fewer keys, or coarser ones",
            )
        if u == 1:
            raise unfit(
                "Ewens()",
                f"all {n:,} records agree on the keys, and the likelihood grows as theta falls to 0",
                "Take more keys; nobody in this file is alone",
            )
        span = math.log(1e-12), math.log(float(n) ** 2 + 10)
        log_theta, found = brentq(lambda x: _cells(math.exp(x), n) - u, *span, xtol=1e-13, full_output=True)
        theta = math.exp(log_theta)
        return PopulationFit(
            self,
            expected_uniques(theta, 0.0, n, u, s1, people),
            stays_alone(theta, 0.0, n, people),
            expected_inverse(theta, 0.0, n, people),
            {"theta": theta},
            self._error(sizes, theta),
            expected_cells(theta, 0.0, n, 1),
            expected_cells(theta, 0.0, n, 2),
            int(found.iterations),
        )

    def describe(self) -> str:
        """Say it in words."""
        return "Ewens"

    @staticmethod
    def _error(sizes: Sizes, theta: float) -> float:
        """Give the standard error of the number of uniques: |dS/dtheta| over the root of the information."""
        n, u, s1, people = sizes.n, sizes.cells, sizes.of(1), sizes.population
        information = _cells(theta, n) / theta**2 - float(polygamma(1, theta) - polygamma(1, theta + n))
        step = 1e-5 * theta
        high, low = (expected_uniques(t, 0.0, n, u, s1, people) for t in (theta + step, theta - step))
        return abs(high - low) / (2 * step) / math.sqrt(information)


def _cells(theta: float, n: int) -> float:
    """Give the expected number of cells of a sample of n."""
    if theta > 1e6 * n:
        return n - n * (n - 1) / (2 * theta)
    return float(theta * (digamma(theta + n) - digamma(theta)))
