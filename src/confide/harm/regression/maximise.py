"""Find the coefficients of largest likelihood by Newton steps, and see where there are none.

With misrecording the log likelihood is not concave. Where its curvature has the wrong sign, it is turned round, measured
against the information of the complete data, so that steps always lead uphill and soon leave a saddle or a flat part.
Steps are halved until the likelihood grows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cho_solve, cholesky

from confide.harm.regression.likelihood import Likelihood
from confide.typing import FloatArray, IntArray

STEPS = 200
"""At most so many Newton steps."""
NAIVE_STEPS = 8
"""So many of them lead to the second start, the fit that takes the released values for true."""
LEAP = 8.0
"""No linear predictor moves further in one step, or further than the largest one is."""
GAIN = 1e-15
"""Stop when a step promises less log likelihood than this for each record."""
SMALL = 1e-7
"""A step that promises less log likelihood than this and still moves a predictor by FAR goes to infinity."""
FAR = 0.05
STEEP = 30.0
"""The largest linear predictor of the steep start."""
FEW = 2_000
"""Up to so many distinct rows of covariates a steep start is tried."""
SINGULAR = 1e-14
"""Scaled information with a smaller part than this is taken as lost."""
FLATTEST = 0.003
"""A smaller share of the complete information in some direction counts as this share."""


@dataclass(frozen=True, slots=True, eq=False)
class Summit:
    """Where the steps ended."""

    theta: FloatArray
    """The coefficients, levels but one by covariates."""
    value: float
    """The log likelihood there."""
    direction: FloatArray | None
    """Where the coefficients go to infinity, the direction they take; None: they are finite."""
    covariance: FloatArray | None = None
    """The inverse of the observed information, where it has one."""
    promised: float = 0.0
    """How much more log likelihood the next step promised, where steps did not lead to an end."""
    rival: float | None = None
    """A higher log likelihood that coefficients without bound come close to, where one was found."""


def highest(likelihood: Likelihood, observed: IntArray | None, start: FloatArray | None = None) -> Summit:
    """Give the highest finite summit found from no effects at all, from the naive fit and from a steep one.

    In small files a rule without chance, which takes every record that breaks it for misrecorded, can have a higher
    likelihood than any finite coefficients. It is noted as a rival; the finite summit is the consistent root.

    Args:
        likelihood: what to maximise.
        observed: the released levels where they can be taken for true ones, for the further starts.
        start: coefficients near the summit; then there is no other start.
    """
    found = [climb(likelihood, np.zeros(likelihood.shape) if start is None else start)]
    exact = bool(np.all(np.isneginf(likelihood.chance).sum(axis=0) >= likelihood.shape[0]))
    if start is None and observed is not None and not exact:  # exactly recorded: the likelihood is concave
        naive = np.where(np.arange(likelihood.shape[0] + 1)[:, None] == observed, 0.0, -np.inf)
        guess = climb(replace(likelihood, chance=naive), np.zeros(likelihood.shape), NAIVE_STEPS).theta
        found.append(climb(likelihood, guess))
        if likelihood.starts.size <= FEW:
            size = float(np.abs(likelihood.move(guess)).max())
            found.append(climb(likelihood, guess * (STEEP / max(size, 1e-9))))
    finite = [s for s in found if s.direction is None and s.covariance is not None]
    best = max(finite or found, key=lambda s: s.value)
    rival = max((s.value for s in found if s.direction is not None), default=-np.inf)
    return replace(best, rival=rival) if finite and rival > best.value + 1e-6 else best


def climb(likelihood: Likelihood, start: FloatArray, steps: int = STEPS) -> Summit:
    """Go uphill from a start to a summit, or to infinity."""
    theta, value = start, likelihood.value(start)
    least = GAIN * max(1.0, float(likelihood.weights.sum()))
    last: FloatArray | None = None
    for _ in range(steps):
        prior, posterior = likelihood.beliefs(theta)
        gradient = likelihood.gradient(theta, prior, posterior)
        found = _uphill(likelihood, prior, posterior, gradient)
        if found is None:  # the design has full rank, so information is lost only where probabilities are 0 or 1
            return Summit(theta, value, theta if last is None else last)
        step = found.step
        promised = float(np.sum(step * gradient))
        reach = float(np.abs(likelihood.move(step)).max())
        if promised < SMALL and reach > FAR:
            return Summit(theta, value, step)
        if promised <= least:  # the last step, too small to see in the value, still squares the error
            return Summit(theta + step if found.factor is not None else theta, value, None, found.covariance())
        leap = max(LEAP, float(np.abs(likelihood.move(theta)).max()))
        theta, value, moved = _halve(likelihood, theta, value, step * min(1.0, leap / reach), promised)
        last = step
        if not moved:
            return Summit(theta, value, None, found.covariance() if promised < SMALL else None, promised)
    return Summit(theta, value, None, None, promised)


@dataclass(frozen=True, slots=True, eq=False)
class _Uphill:
    """A step uphill, and the factor of the observed information where it is positive definite."""

    step: FloatArray
    factor: FloatArray | None
    scale: FloatArray

    def covariance(self) -> FloatArray | None:
        """Invert the observed information."""
        if self.factor is None:
            return None
        found = cho_solve((self.factor, True), np.eye(self.scale.size)) / np.outer(self.scale, self.scale)
        return np.asarray(0.5 * (found + found.T), dtype=np.float64)


def _uphill(likelihood: Likelihood, prior: FloatArray, posterior: FloatArray, gradient: FloatArray) -> _Uphill | None:
    """Give an uphill step; None where information is lost."""
    flat = gradient.ravel()
    observed = likelihood.information(prior, posterior)
    scale = np.sqrt(np.maximum(np.diag(observed), 0.0))
    factor = _factor(observed, scale)
    if factor is not None:
        step = cho_solve((factor, True), flat / scale) / scale
        return _Uphill(step.reshape(gradient.shape), factor, scale)
    complete = likelihood.information(prior, None)
    scale = np.sqrt(np.maximum(np.diag(complete), 0.0))
    if not bool(np.all(scale > 0)):
        return None
    size, axes = np.linalg.eigh(complete / np.outer(scale, scale))
    if size[0] < SINGULAR:
        return None
    root = axes / np.sqrt(size) / scale[:, None]  # in these coordinates the complete information is one
    share, turn = np.linalg.eigh(root.T @ observed @ root)
    along = root @ turn
    step = along @ (along.T @ flat / np.maximum(np.abs(share), FLATTEST))
    return _Uphill(step.reshape(gradient.shape), None, scale)


def _factor(information: FloatArray, scale: FloatArray) -> FloatArray | None:
    """Give the Cholesky factor of scaled information; None where it is not safely positive definite."""
    if not bool(np.all(scale > 0)):
        return None
    try:
        factor = cholesky(information / np.outer(scale, scale), lower=True)
    except np.linalg.LinAlgError:
        return None
    return factor if np.diag(factor).min() ** 2 > SINGULAR else None


def _halve(
    likelihood: Likelihood, theta: FloatArray, value: float, step: FloatArray, promised: float
) -> tuple[FloatArray, float, bool]:
    """Halve a step until it leads uphill."""
    slack = 1e-14 * max(1.0, abs(value))
    for k in range(40):
        there = theta + step * 0.5**k
        now = likelihood.value(there)
        if now >= value - slack + 1e-4 * 0.5**k * promised * (promised > slack):
            return there, now, True
    return theta, value, False
