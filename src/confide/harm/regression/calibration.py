"""Covariates measured with error: regression calibration.

Noise added to covariates flattens the coefficients of a model fitted to them. Carroll, Spiegelman, Lan, Bailey and
Abbott (1984) pose the problem for binary outcomes. Regression calibration replaces each covariate by its expectation given
what was released. That is exact for linear models and an approximation for logistic ones: good while the coefficients
times the sd of what remains unknown of X are small (below about one half), too flat beyond.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import HarmError
from confide.harm.regression.design import COLLINEAR, covariates, weigh
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class RegressionCalibration:
    """The expectation of true covariates X given released ones W, linear in W."""

    mean: FloatArray
    """The mean of the released covariates."""
    reliability: FloatArray
    """How the expectation of X (columns) moves with W (rows): E[X | W] = mean + (W - mean) reliability."""
    remaining: FloatArray
    """The covariance of X given W."""
    values: FloatArray
    """E[X | W] of the records the calibration was made from."""

    def apply(self, released: Any) -> FloatArray:
        """Give E[X | W] of other records; exact covariates, if any, in the last columns."""
        w = covariates(released, width=self.mean.size)
        return np.asarray(self.mean + (w - self.mean) @ self.reliability, dtype=np.float64)

    def __repr__(self) -> str:
        """Show how much of each released covariate is truth."""
        own = ", ".join(f"{r:.3f}" for r in np.diag(self.reliability))
        return f"Calibration of {self.mean.size} covariates from {self.values.shape[0]:,} records; reliability {own}"


def regression_calibration(
    W: Any,  # noqa: N803
    error_covariance: Any,
    *,
    exact: Any = None,
    weights: Any = None,
) -> RegressionCalibration:
    """Give E[X | W], the true covariates expected given the released ones, under W = X + noise.

    The noise has mean zero, a known covariance, and is independent of X and of the outcome, as `Noise` and
    `CorrelatedNoise` add it. The mean and covariance of X are those of W less the noise; the expectation is linear, which is
    right for normal X and the best linear guess otherwise. In a logistic fit it is an approximation (see Carroll,
    Spiegelman, Lan, Bailey and Abbott 1984 for the problem).

    Args:
        W: released covariates, records by covariates.
        error_covariance: the covariance of the noise; or its variance for each covariate, zero where exact.
        exact: further covariates without noise; they help to guess X, and follow W in the columns of the result.
        weights: what each record counts.

    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=(50_000, 1))
    >>> found = regression_calibration(x + rng.normal(size=x.shape), [1.0])
    >>> round(float(found.reliability[0, 0]), 2)
    0.5
    """
    w = covariates(W)
    noisy = w.shape[1]
    noise = _noise(error_covariance, noisy)
    if exact is not None:
        known = covariates(exact)
        if known.shape[0] != w.shape[0]:
            raise HarmError(f"{known.shape[0]:,} rows of exact covariates for {w.shape[0]:,} records")
        w = np.hstack([w, known])
        noise = np.pad(noise, (0, known.shape[1]))
    share = weigh(weights, w.shape[0])
    if w.shape[0] <= w.shape[1] or not share.sum() > 0:
        raise HarmError(f"{w.shape[0]:,} records are too few to calibrate {w.shape[1]} covariates")
    share = share / share.sum()
    mean = share @ w
    centred = w - mean
    seen = (centred * share[:, None]).T @ centred
    _refuse_too_much(seen, noise, np.abs(w).max(axis=0))
    # the noise that is left: E[W - X | W] = noise seen^-1 (W - mean)
    left = np.linalg.solve(seen, noise)
    reliability = np.eye(mean.size) - left
    remaining = noise - noise @ left
    return RegressionCalibration(mean, reliability, 0.5 * (remaining + remaining.T), mean + centred @ reliability)


def _noise(covariance: Any, width: int) -> FloatArray:
    """Give the covariance of the noise; raise where it is none."""
    given = np.asarray(covariance, dtype=np.float64)
    given = np.diag(given) if given.shape == (width,) else given
    if given.shape != (width, width):
        raise HarmError(
            f"the noise on {width} covariates needs {width} variances or a {width} x {width} covariance; "
            f"found shape {given.shape}"
        )
    if not bool(np.isfinite(given).all()) or not np.allclose(given, given.T, rtol=1e-9, atol=0):
        raise HarmError("the covariance of the noise must be finite and symmetric")
    least = float(np.linalg.eigvalsh(given)[0]) if width else 0.0
    if least < -1e-12 * abs(float(np.trace(given))) or bool((np.diag(given) < 0).any()):
        raise HarmError("the covariance of the noise has a negative variance; give squared standard deviations")
    return given


def _refuse_too_much(seen: FloatArray, noise: FloatArray, size: FloatArray) -> None:
    """Raise where the noise leaves no variance to the true covariates."""
    variances = np.diag(seen)
    flat = np.flatnonzero(np.sqrt(variances) <= 1e-12 * size)
    if flat.size:
        raise HarmError(f"column {', '.join(map(str, flat))} (from 0) is the same for all records; leave it out")
    sd = np.sqrt(variances)
    values, vectors = np.linalg.eigh(seen / np.outer(sd, sd))
    if values[0] < COLLINEAR:
        tied = ", ".join(map(str, np.flatnonzero(np.abs(vectors[:, 0]) > 1e-3)))
        raise HarmError(f"the covariates in columns {tied} (from 0) are collinear; leave one of them out")
    over = np.flatnonzero(np.diag(noise) >= variances)
    values, vectors = np.linalg.eigh((seen - noise) / np.outer(sd, sd))
    if over.size or values[0] <= 1e-10:
        guilty = over if over.size else np.flatnonzero(np.abs(vectors[:, 0]) > NOTABLE)
        raise HarmError(
            f"the noise is said to vary at least as much as the released covariate{'s' if guilty.size > 1 else ''} in "
            f"column{'s' if guilty.size > 1 else ''} {', '.join(map(str, guilty))} (from 0)"
            f"{'' if over.size else ', taken together'}: nothing is left to the true values; give the variance of the "
            "noise, not its standard deviation, or leave the covariate out"
        )


NOTABLE = 0.1
"""Covariates with at least this weight in an impossible combination are named."""
