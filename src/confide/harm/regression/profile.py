"""The misclassified logistic model with q unknown: the profile likelihood of q."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import chi2

from confide.errors import HarmError
from confide.harm.regression.binary import MisclassifiedFit, Prepared, coefficient_table, finish, prepare
from confide.harm.regression.maximise import Summit, highest
from confide.harm.regression.misclassification import chances
from confide.typing import FloatArray

LOWEST = 0.501
"""The smallest q that is tried."""
FLAT = 1e-5
"""A profile that falls less than this within NEAR of its top is flat there."""
NEAR = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class ProfiledFit:
    """The fit at the most likely q, and how well the data tell q."""

    fit: MisclassifiedFit
    """The fit at the most likely q, taking it as known."""
    interval: tuple[float, float]
    """All q that the likelihood ratio does not refuse."""
    floor: float
    """The share of the commoner outcome; a smaller q is refused without any covariates."""
    level: float
    """The level of the interval."""
    grid: FloatArray
    """Where the profile was computed."""
    profile: FloatArray
    """The largest log likelihood at each q of the grid."""
    covariance: FloatArray
    """The covariance of the coefficients that allows for q being estimated; that of `fit` where q is one."""

    @property
    def q(self) -> float:
        """The most likely q."""
        return float(self.fit.matrix[1, 1])

    @property
    def identified(self) -> bool:
        """Whether the data refuse some q at which the share of ones is possible."""
        return self.interval[0] > self.floor or self.interval[1] < 1.0

    @property
    def standard_errors(self) -> FloatArray:
        """The standard errors of the coefficients, allowing for q being estimated."""
        return np.asarray(np.sqrt(np.diag(self.covariance)), dtype=np.float64)

    def __repr__(self) -> str:
        """Show q, its interval and the coefficients."""
        low, high = self.interval
        head = f"q estimated as {self.q:.4f}; {self.level:.0%} interval {low:.4f} to {high:.4f}; "
        lines = [
            head + f"{self.fit.n:,} records; log likelihood {self.fit.log_likelihood:.3f}",
            *coefficient_table(self.fit.names, self.fit.coefficients, self.standard_errors),
        ]
        if not self.identified:
            lines.append(f"q is NOT identified: any value from {self.floor:.4f} to 1 will do; do not use it, give a known q")
        if self.q == 1.0:
            lines.append("q is at its limit: standard errors take it as one, and the interval covers more than its level")
        return "\n".join(lines)


def profile_q(
    Z: Any,  # noqa: N803
    x: Any,
    *,
    grid: Sequence[float] | FloatArray | None = None,
    level: float = 0.95,
    weights: Any = None,
    names: Sequence[str] | None = None,
) -> ProfiledFit:
    """Fit the misclassified logistic model with q unknown, between one half and one.

    Only the shape of the logistic curve tells q: where many probabilities are near 0 or 1, the share of the other
    outcome is 1 - q. Without covariates, or with one of two values, every q fits as well, and this raises. Where
    the data say little, `identified` is False.

    Args:
        Z: covariates, records by covariates, without a column of ones.
        x: the released attribute, 0 or 1.
        grid: values of q to start the search from, above one half and at most one.
        level: the level of the interval of q.
        weights: how many records each record stands for.
        names: the names of the covariates.

    >>> rng = np.random.default_rng(1)
    >>> z = rng.normal(size=(20_000, 1))
    >>> x = (rng.random(20_000) < 1 / (1 + np.exp(-4 * z[:, 0]))) ^ (rng.random(20_000) < 0.1)
    >>> found = profile_q(z, x)
    >>> round(found.q, 2), found.identified
    (0.9, True)
    """
    at = np.unique(np.linspace(0.55, 1.0, 10) if grid is None else np.asarray(grid, dtype=np.float64))
    if at.size < 2 or not bool(np.all((at > 0.5) & (at <= 1))):
        raise HarmError("the grid needs two values of q or more, above one half and at most one")
    if not 0 < level < 1:
        raise HarmError(f"the level of an interval lies between 0 and 1; found {level}")
    ready = prepare(Z, x, weights, names)
    if ready.at.rows.shape[0] == 1:
        raise HarmError(
            "q is not identified without covariates: every q fits the share of ones alike; give q, or covariates"
        )
    curve = _Curve(ready)
    heights = np.array([curve(q) for q in at])
    best = _top(curve, at, heights)
    summit = curve.summit(best)
    if summit.direction is not None:
        raise HarmError(
            f"q cannot be told from these data: the likelihood is largest at q = {best:.3f} with infinite coefficients, a "
            "rule that takes records breaking it for misrecorded; give q, or fewer covariates"
        )
    _refuse_flat(curve, best, summit.value)
    fit = finish(ready, chances(best), summit, 0.0)
    drop = summit.value - 0.5 * float(chi2.ppf(level, 1))
    ends = _end(curve, best, LOWEST, drop, 0.5), _end(curve, best, 1.0, drop, 1.0)
    covariance = fit.covariance if best == 1.0 else _joint(ready, best, summit)
    return ProfiledFit(fit, ends, max(ready.share, 1.0 - ready.share), level, at, heights, covariance)


class _Curve:
    """The largest log likelihood at each q; starts from the nearest fit that was found."""

    def __init__(self, ready: Prepared) -> None:
        self.ready = ready
        self.known: dict[float, Summit] = {}

    def summit(self, q: float) -> Summit:
        """Give the fit at q."""
        if q not in self.known:
            likelihood = self.ready.likelihood(chances(q), 0.0)
            finite = [k for k, s in self.known.items() if s.direction is None]
            near = min(finite, key=lambda k: abs(k - q), default=None)
            if near is None or abs(near - q) > 0.02:
                self.known[q] = highest(likelihood, self.ready.observed)
            else:
                self.known[q] = highest(likelihood, None, self.known[near].theta)
        return self.known[q]

    def __call__(self, q: float) -> float:
        """Give the profile at q."""
        return self.summit(float(q)).value


def _top(curve: _Curve, at: FloatArray, heights: FloatArray) -> float:
    """Refine the best q of the grid between its neighbours."""
    i = int(heights.argmax())
    low, high = (float(at[i - 1]) if i else LOWEST), (float(at[i + 1]) if i + 1 < at.size else 1.0)
    found = minimize_scalar(lambda q: -curve(float(q)), bounds=(low, high), method="bounded", options={"xatol": 1e-6})
    ends = [q for q in (float(at[i]), high) if curve(q) >= -float(found.fun)]
    return ends[-1] if ends else float(found.x)


def _refuse_flat(curve: _Curve, best: float, top: float) -> None:
    """Raise where the profile is flat about its top."""
    sides = [q for q in (best - NEAR, best + NEAR) if LOWEST <= q <= 1.0]
    if min(top - curve(q) for q in sides) < FLAT:
        raise HarmError(
            f"q is not identified: the likelihood hardly changes within {NEAR} of its top, as with covariates of few "
            "values that fit at any q; give q, or covariates that take more values"
        )


def _end(curve: _Curve, best: float, limit: float, drop: float, none: float) -> float:
    """Find where the profile falls below the drop; the limit's name where it does not."""
    if best == limit or curve(limit) >= drop:
        return none
    return float(brentq(lambda q: curve(float(q)) - drop, *sorted((best, limit)), xtol=1e-6))


def _joint(ready: Prepared, q: float, summit: Summit) -> FloatArray:
    """Invert the information of coefficients and q together; give the part of the coefficients."""
    likelihood = ready.likelihood(chances(q), 0.0)
    sign = np.where(ready.observed == 1, 1.0, -1.0)
    prior, posterior = likelihood.beliefs(summit.theta)
    width = summit.theta.size
    information = np.empty((width + 1, width + 1))
    information[:width, :width] = likelihood.information(prior, posterior)
    # x = 1 has the chance q P + (1 - q)(1 - P), which moves with q by 2 P - 1, and that of x = 0 by 1 - 2 P
    p = likelihood.spread(prior[1])
    slope = sign * (2 * p - 1) / np.where(ready.observed == 1, q * p + (1 - q) * (1 - p), (1 - q) * p + q * (1 - p))
    bend = likelihood.gather(likelihood.weights * sign * posterior[0] * posterior[1])
    cross = -likelihood.rows @ bend / (q * (1 - q))
    information[:width, width] = information[width, :width] = cross
    information[width, width] = float(likelihood.weights @ slope**2)
    try:
        np.linalg.cholesky(information)
    except np.linalg.LinAlgError:
        raise HarmError(
            "q and the coefficients are not identified together: the likelihood is flat at its top; give q"
        ) from None
    back = ready.at.back
    return np.asarray(back @ np.linalg.inv(information)[:width, :width] @ back.T, dtype=np.float64)
