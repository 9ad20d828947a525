"""Pitman's sampling formula: two parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from confide.errors import ModelError
from confide.risk.population.ewens import Ewens
from confide.risk.population.ewens_pitman import expected_cells, expected_inverse, expected_uniques, stays_alone
from confide.risk.population.fit import PopulationFit, unfit
from confide.risk.population.pitman_kernel import likelihood
from confide.risk.population.sizes import Sizes
from confide.typing import FloatArray, IntArray

STEPS = 200
"""Newton steps before the search is given up."""
EXACT = 1e-10
"""The search ends when a step would raise the log likelihood by less than this share of it."""
EDGE = 1e-7
"""An alpha this close to 0 or 1 is on the border."""


@dataclass(frozen=True, slots=True)
class Pitman:
    """Pitman's sampling formula for the sizes of cells, theta and alpha by maximum likelihood (Hoshino 2001).

    The number of population uniques is its expectation given the sample. Hoshino prints its form for a large population
    and no sample, Gamma(theta + 1) / Gamma(theta + alpha) N^alpha; it is `hoshino`.
    """

    def fit(self, sizes: Sizes) -> PopulationFit:
        """Fit theta and alpha and predict the population.

        Raises:
            ModelError: the likelihood has no maximum with alpha between 0 and 1.
        """
        n, u, s1, people = sizes.n, sizes.cells, sizes.of(1), sizes.population
        if u == n:
            raise unfit(
                "Pitman()",
                f"all {n:,} records differ on the keys, and the likelihood has no maximum",
                "Take fewer keys, or coarser ones",
            )
        if u == 1:
            raise unfit(
                "Pitman()",
                f"all {n:,} records agree on the keys, and the likelihood has no maximum",
                "Take more keys; nobody in this file is alone",
            )
        theta, alpha, information, steps = _maximum(sizes)

        def uniques(t: float, a: float) -> float:
            return expected_uniques(t, a, n, u, s1, people)

        return PopulationFit(
            self,
            uniques(theta, alpha),
            stays_alone(theta, alpha, n, people),
            expected_inverse(theta, alpha, n, people),
            {"theta": theta, "alpha": alpha},
            _error(uniques, theta, alpha, information),
            expected_cells(theta, alpha, n, 1),
            expected_cells(theta, alpha, n, 2),
            steps,
        )

    @staticmethod
    def hoshino(theta: float, alpha: float, population: float) -> float:
        """Give Gamma(theta + 1) / Gamma(theta + alpha) N^alpha.

        >>> round(Pitman.hoshino(2.0, 0.5, 10_000), 2)
        150.45
        """
        return math.exp(float(gammaln(theta + 1) - gammaln(theta + alpha)) + alpha * math.log(population))

    def describe(self) -> str:
        """Say it in words."""
        return "Pitman"


def larger(sizes: Sizes) -> IntArray:
    """Give the number of cells larger than 1, 2, ..., up to the largest."""
    counts = np.zeros(int(sizes.size[-1]) + 1, dtype=np.int64)
    counts[sizes.size] = sizes.many
    return (sizes.cells - np.cumsum(counts))[1:-1]


def _maximum(sizes: Sizes) -> tuple[float, float, FloatArray, int]:
    """Climb the likelihood by Newton steps in log(theta + alpha) and logit(alpha); give the information as well."""
    n, u, above = sizes.n, sizes.cells, larger(sizes)
    alpha = min(max(sizes.of(1) / u, 0.05), 0.95)
    x = np.array([math.log(_start(u, n, alpha) + alpha), math.log(alpha / (1 - alpha))])
    found = likelihood(*_parameters(x), u, n, above)
    for step in range(1, STEPS + 1):
        theta, alpha = _parameters(x)
        gradient, hessian = _transformed(found, theta, alpha)
        move = _uphill(gradient, hessian)
        size = 1.0
        while True:
            trial = x + size * move
            after = likelihood(*_parameters(trial), u, n, above)
            if np.isfinite(after[0]) and after[0] >= found[0] + 1e-4 * size * float(gradient @ move):
                break
            size /= 2
            if size < 1e-10:
                trial, after = x, found
                break
        gain = after[0] - found[0]
        x, found = trial, after
        theta, alpha = _parameters(x)
        if not EDGE < alpha < 1 - EDGE:
            break
        if gain <= EXACT and abs(float(gradient @ move)) <= EXACT * max(abs(found[0]), 1):
            information = -np.array([[found[3], found[4]], [found[4], found[5]]])
            if np.linalg.eigvalsh(information)[0] > 0:
                return theta, alpha, information, step
            break
    raise _no_maximum(sizes, alpha)


def _no_maximum(sizes: Sizes, alpha: float) -> ModelError:
    """Say why there is no maximum."""
    if alpha < 0.5:
        why = f"its likelihood for {sizes.n:,} records in {sizes.cells:,} combinations is largest at alpha = 0, or below"
        return unfit("Pitman()", why, "Ewens() is the model with alpha = 0; take model=Ewens() or Zayatz()")
    why = (
        f"its likelihood for {sizes.n:,} records, {sizes.of(1):,} of them unique, in {sizes.cells:,} combinations has no "
        "maximum with alpha below 1"
    )
    return unfit("Pitman()", why, "Take model=Zayatz(), or fewer keys")


def _start(u: int, n: int, alpha: float) -> float:
    """Give a theta to start from: Ewens's of the cells that alpha does not explain."""
    rest = max(round(u * (1 - alpha)), 2)
    return Ewens().fit(Sizes(np.array([1, n - rest + 1]), np.array([rest - 1, 1]), float(n))).parameters["theta"]


def _parameters(x: FloatArray) -> tuple[float, float]:
    """Give theta and alpha."""
    alpha = 1 / (1 + math.exp(-min(max(x[1], -40.0), 35.0)))
    return math.exp(min(max(x[0], -60.0), 60.0)) - alpha, alpha


def _transformed(found: FloatArray, theta: float, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Write derivatives by theta and alpha as those by log(theta + alpha) and logit(alpha)."""
    a, b = theta + alpha, alpha * (1 - alpha)
    jacobian = np.array([[a, -b], [0.0, b]])
    first = found[1:3]
    second = np.array([[found[3], found[4]], [found[4], found[5]]])
    bend = b * (1 - 2 * alpha)
    hessian = jacobian.T @ second @ jacobian
    hessian[0, 0] += first[0] * a
    hessian[1, 1] += (first[1] - first[0]) * bend
    return jacobian.T @ first, hessian


def _uphill(gradient: FloatArray, hessian: FloatArray) -> FloatArray:
    """Give the Newton step, with directions of wrong curvature turned, and no longer than two."""
    values, vectors = np.linalg.eigh(hessian)
    values = np.maximum(np.abs(values), 1e-9 * max(float(np.abs(values).max()), 1e-300))
    move = vectors @ ((vectors.T @ gradient) / values)
    long = float(np.abs(move).max())
    return np.asarray(move * (2 / long) if long > 2 else move)


def _error(uniques: Callable[[float, float], float], theta: float, alpha: float, information: FloatArray) -> float:
    """Give the standard error of the number of uniques by the delta method."""
    dt, da = 1e-5 * (theta + alpha), 1e-5 * min(alpha, 1 - alpha)
    slope = np.array(
        [
            (uniques(theta + dt, alpha) - uniques(theta - dt, alpha)) / (2 * dt),
            (uniques(theta, alpha + da) - uniques(theta, alpha - da)) / (2 * da),
        ]
    )
    return math.sqrt(float(slope @ np.linalg.solve(information, slope)))
