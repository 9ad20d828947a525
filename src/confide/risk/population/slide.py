"""The slide negative binomial model: one more than a negative binomial number of people in each cell."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from confide.risk.population.fit import PopulationFit, unfit
from confide.risk.population.sizes import Sizes


@dataclass(frozen=True, slots=True)
class SlideNegativeBinomial:
    """The slide negative binomial model (Chen and Keller-McNulty 1998): F - 1 is negative binomial in each of K cells.

    K is Shlosser's estimate in the form of Haas and Stokes (1998). Then alpha and beta make the expected numbers of
    sample uniques and pairs equal to those found; each person is drawn with the sampling fraction.
    """

    def fit(self, sizes: Sizes) -> PopulationFit:
        """Solve the two equations.

        Raises:
            ModelError: they have no solution.
        """
        s1, s2, pi = sizes.of(1), sizes.of(2), sizes.fraction
        if not s1 or not s2:
            missed = "sample uniques" if not s1 else "cells of two records"
            raise unfit("SlideNegativeBinomial()", f"it needs sample uniques and pairs, and there are no {missed}", OTHERS)
        cells = shlosser(sizes)
        q, steps = _solve(s1, s2, cells, pi, sizes)
        x = _mean(q, s2 / s1, pi)
        alpha = x / (1 - q)
        beta = pi * q / (1 - q + pi * q)
        p1 = s1 / cells
        return PopulationFit(
            self,
            cells * math.exp(alpha * math.log(beta)),
            pi * math.exp(alpha * math.log(beta)) / p1,
            pi * math.exp(alpha * math.log(q)) / p1,
            {"alpha": alpha, "beta": beta, "cells": cells},
            None,
            float(s1),
            float(s2),
            steps,
        )

    def describe(self) -> str:
        """Say it in words."""
        return "slide negative binomial"


OTHERS = "Take model=Ewens() or Zayatz()"


def shlosser(sizes: Sizes) -> float:
    """Estimate the number of cells of the population (Shlosser 1981; Haas and Stokes 1998).

    >>> shlosser(Sizes(np.array([1, 2]), np.array([30, 10]), 50.0))
    40.0
    """
    pi, j, s = sizes.fraction, sizes.size.astype(np.float64), sizes.many
    if pi == 1:
        return float(sizes.cells)
    unseen = (1 - pi) ** j
    first = (j * pi**2 * (1 - pi**2) ** (j - 1) * s).sum() / (unseen * ((1 + pi) ** j - 1) * s).sum()
    second = (unseen * s).sum() / (j * pi * (1 - pi) ** (j - 1) * s).sum()
    return float(sizes.cells + sizes.of(1) * first * second**2)


def _mean(q: float, ratio: float, pi: float) -> float:
    """Give x = alpha (1 - q) for which pairs are to uniques as found: the positive root of a quadratic."""
    a = (1 - pi) / 2
    b = (1 - pi) * (1 - q) / 2 + pi - ratio * (1 - pi)
    c = ratio * pi
    if a == 0:
        return c / b
    root = math.sqrt(b * b + 4 * a * c)
    return 2 * c / (b + root) if b > 0 else (root - b) / (2 * a)


def _solve(s1: int, s2: int, cells: float, pi: float, sizes: Sizes) -> tuple[float, int]:
    """Find q, the parameter beta of the sampled counts, for which the number of uniques is as found."""

    def excess(q: float) -> float:
        x = _mean(q, s2 / s1, pi)
        return x * math.log(q) / (1 - q) + math.log((1 - pi) * x + pi) - math.log(s1 / cells)

    low, high = 1e-12, 1 - 1e-9
    if not excess(low) < 0 < excess(high):
        raise unfit(
            "SlideNegativeBinomial()",
            f"no parameters give {s1:,} uniques and {s2:,} pairs at a sampling fraction of {sizes.fraction:.3g}, with an "
            f"estimated {cells:,.0f} combinations in the population",
            OTHERS,
        )
    q, found = brentq(excess, low, high, xtol=1e-15, full_output=True)
    return float(q), int(found.iterations)
