"""The logistic model of a binary sensitive attribute, fitted to its misrecorded values (Lambert 1993, section 6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, ndtri

from confide.errors import HarmError
from confide.harm.regression.calibration import RegressionCalibration, regression_calibration
from confide.harm.regression.design import Design, Merged, covariates, design, labels, merge, weigh
from confide.harm.regression.likelihood import Likelihood
from confide.harm.regression.maximise import Summit, highest
from confide.harm.regression.misclassification import codes, evidence, informative, plain
from confide.harm.regression.separation import refuse_no_summit
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class MisclassifiedFit:
    """A logistic model of the true attribute Y, fitted to released values x that may be wrong."""

    coefficients: FloatArray
    """The intercept, then a coefficient for each covariate."""
    covariance: FloatArray
    """The inverse of the observed information of the released data."""
    log_likelihood: float
    """The log likelihood of the released outcomes at the coefficients, without the ridge."""
    matrix: FloatArray
    """Pr(released | true), true values by released ones."""
    n: int
    """The number of records with a positive weight."""
    names: tuple[str, ...]
    """The names of the coefficients, the intercept first."""
    ridge: float = 0.0
    """The precision of the normal prior on the slopes of standardised covariates; zero: maximum likelihood."""
    rival: float | None = None
    """A higher log likelihood that infinite coefficients come close to, where one was found; the file is then small for so
    many covariates."""
    calibration: RegressionCalibration | None = None
    """How noisy covariates were calibrated; None: they were taken as they are."""

    @property
    def q(self) -> float | tuple[float, float]:
        """The probability that a released value is right; or (sensitivity, specificity) where these differ."""
        return plain(self.matrix)

    @property
    def standard_errors(self) -> FloatArray:
        """The standard errors of the coefficients."""
        return np.asarray(np.sqrt(np.diag(self.covariance)), dtype=np.float64)

    def interval(self, level: float = 0.95) -> FloatArray:
        """Give normal confidence intervals, a row (lower, upper) for each coefficient."""
        return normal_interval(self.coefficients, self.standard_errors, level)

    def probability(self, Z: Any, *, exact: bool = False) -> FloatArray:  # noqa: N803
        """Give P[Y = 1 | z], the prior of eq. (3).

        Args:
            Z: covariates, records by covariates, as released.
            exact: whether the covariates are free of noise after all; only where the fit was calibrated.
        """
        return np.asarray(expit(self._predictor(Z, exact=exact)), dtype=np.float64)

    def posterior(self, Z: Any, x: Any, *, exact: bool = False) -> FloatArray:  # noqa: N803
        """Give P[Y = 1 | x, z], eq. (3) with the fitted probabilities as prior.

        Args:
            Z: covariates, records by covariates, as released.
            x: the released attribute, 0 or 1.
            exact: whether the covariates are free of noise after all; only where the fit was calibrated.
        """
        eta = self._predictor(Z, exact=exact)
        chance = evidence(self.matrix[None], x)
        if chance.shape[1] != eta.size:
            raise HarmError(f"{chance.shape[1]:,} outcomes for {eta.size:,} rows of covariates")
        return np.asarray(expit(eta + chance[1] - chance[0]), dtype=np.float64)

    def _predictor(self, z: Any, *, exact: bool) -> FloatArray:
        given = covariates(z, width=self.coefficients.size - 1)
        if self.calibration is not None and not exact:
            given = self.calibration.apply(given)
        return np.asarray(self.coefficients[0] + given @ self.coefficients[1:], dtype=np.float64)

    def __repr__(self) -> str:
        """Show a table of coefficients."""
        rates = self.q
        how = f"q = {rates:g}" if isinstance(rates, float) else f"sensitivity {rates[0]:g}, specificity {rates[1]:g}"
        lines = [
            f"logistic model, outcome misrecorded: {how}; {self.n:,} records; log likelihood {self.log_likelihood:.3f}",
            *coefficient_table(self.names, self.coefficients, self.standard_errors),
        ]
        if self.ridge:
            lines.append(f"slopes drawn to zero by a ridge of {self.ridge:g}")
        lines += rival_line(self.rival)
        if self.calibration is not None:
            lines.append("covariates calibrated (an approximation); standard errors leave the calibration out")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Checked inputs of a binary fit."""

    at: Design
    merged: Merged
    observed: IntArray
    n: int
    calibration: RegressionCalibration | None

    @property
    def share(self) -> float:
        """The share of ones among the released outcomes."""
        return float(self.merged.weights @ self.observed / self.merged.weights.sum())

    def likelihood(self, matrix: FloatArray, ridge: float) -> Likelihood:
        """Give the likelihood under a misclassification."""
        return Likelihood(
            self.at.rows, self.merged.starts, self.merged.weights, evidence(matrix[None], self.observed), ridge
        )


def fit_misclassified(
    Z: Any,  # noqa: N803
    x: Any,
    q: Any,
    *,
    weights: Any = None,
    names: Sequence[str] | None = None,
    covariate_error: Any = None,
    ridge: float = 0.0,
) -> MisclassifiedFit:
    """Fit a logistic model of the true attribute to released values of it that may be wrong.

    The likelihood is that of the released values, both outcomes (Lambert 1993, section 6.2). Where q = 1 the
    fit is the ordinary logistic one. Otherwise the likelihood can have several maxima: the fit is the highest finite one
    found from three starts, and `rival` says where infinite coefficients do better, as they can in small files.

    Args:
        Z: covariates, records by covariates, without a column of ones; a table with no columns fits the intercept alone.
        x: the released attribute, 0 or 1.
        q: the probability that x is right, above one half; or (sensitivity, specificity), above one together; or
            Pr(released | true) as a 2 x 2 matrix.
        weights: how many records each record stands for; the standard errors take weights as counts.
        names: the names of the covariates.
        covariate_error: the covariance of noise on the covariates, or its variances, zero where exact. Covariates are
            then calibrated (`regression_calibration`), an approximation; the standard errors take the calibrated
            covariates as given and so are a little too small.
        ridge: the precision of a normal prior on the slopes of standardised covariates; zero: maximum likelihood.

    >>> rng = np.random.default_rng(1)
    >>> z = rng.normal(size=(20_000, 1))
    >>> y = rng.random(20_000) < 1 / (1 + np.exp(1 - 2 * z[:, 0]))
    >>> x = y ^ (rng.random(20_000) < 0.1)
    >>> fit_misclassified(z, x, 0.9).coefficients.round(1).tolist()
    [-1.0, 2.1]
    >>> fit_misclassified(z, x, 1.0).coefficients.round(1).tolist()
    [-0.6, 1.2]
    """
    matrix = informative(q)
    if not 0 <= ridge < np.inf:
        raise HarmError(f"the ridge must be a number, zero or more; found {ridge}")
    ready = prepare(Z, x, weights, names, covariate_error)
    found = _intercept(ready, matrix) if ready.at.rows.shape[0] == 1 else None
    summit = highest(ready.likelihood(matrix, ridge), ready.observed, found)
    return finish(ready, matrix, summit, ridge)


def prepare(z: Any, x: Any, weights: Any, names: Sequence[str] | None, covariate_error: Any = None) -> Prepared:
    """Check covariates, outcomes and weights."""
    given = covariates(z)
    called = labels(z if hasattr(z, "columns") else given, names)
    outcome = codes(x, 2, "the released outcomes")
    if outcome.size != given.shape[0]:
        raise HarmError(f"{outcome.size:,} outcomes for {given.shape[0]:,} rows of covariates")
    count = weigh(weights, outcome.size)
    used = count > 0
    given, outcome, count = given[used], outcome[used], count[used]
    n = outcome.size
    if n == 0:
        raise HarmError("there are no records with a positive weight to fit to")
    if bool(np.all(outcome == outcome[0])):
        raise HarmError(
            f"all {n:,} released outcomes are {outcome[0]}: they tell nothing of what an outcome depends on; give a prior "
            "of your own to posterior_sensitive(x, q, prior)"
        )
    calibration = None
    if covariate_error is not None:
        calibration = regression_calibration(given, covariate_error, weights=count)
        given = calibration.values
    merged = merge(given, outcome, count)
    at = design(merged.z, merged.sums, called, records=n)
    return Prepared(at, merged, outcome[merged.place], n, calibration)


def finish(ready: Prepared, matrix: FloatArray, summit: Summit, ridge: float) -> MisclassifiedFit:
    """Turn the summit into a fit; raise where there is none."""
    exact = bool(np.all(matrix == np.eye(2)))
    covariance = refuse_no_summit(summit, ready.at, ready.merged, ready.observed, exact=exact)
    back = ready.at.back
    return MisclassifiedFit(
        back @ summit.theta[0],
        back @ covariance @ back.T,
        ready.likelihood(matrix, 0.0).value(summit.theta),
        matrix,
        ready.n,
        ready.at.names,
        float(ridge),
        summit.rival,
        ready.calibration,
    )


def _intercept(ready: Prepared, matrix: FloatArray) -> FloatArray:
    """Give the intercept without covariates in closed form; raise where the share of ones is out of reach."""
    share = ready.share
    low, high = float(matrix[0, 1]), float(matrix[1, 1])
    if not low < share < high:
        raise HarmError(
            f"{share:.4g} of the released outcomes are 1, but with this q only shares between {low:.4g} and {high:.4g} are "
            "possible in the long run; check q: give it larger, or profile it with covariates"
        )
    return np.array([[np.log((share - low) / (high - share))]])


def normal_interval(centre: FloatArray, errors: FloatArray, level: float) -> FloatArray:
    """Give normal confidence intervals, a row (lower, upper) for each coefficient."""
    if not 0 < level < 1:
        raise HarmError(f"the level of an interval lies between 0 and 1; found {level}")
    half = float(ndtri(0.5 + level / 2)) * errors
    return np.column_stack([centre - half, centre + half])


def rival_line(rival: float | None) -> list[str]:
    """Say that infinite coefficients fit better, where they do."""
    if rival is None:
        return []
    what = "a rule that takes records breaking it for misrecorded; the file is small for so many covariates"
    return [f"infinite coefficients come close to a log likelihood of {rival:.3f}: {what}"]


def coefficient_table(names: Sequence[str], centre: FloatArray, errors: FloatArray) -> list[str]:
    """Write coefficients, standard errors and 95 per cent intervals, a line each."""
    width = max(len(n) for n in names)
    lines = [f"{'':{width}}  {'coefficient':>12}  {'std. error':>11}  {'95% interval':>24}"]
    for name, c, e, (low, high) in zip(names, centre, errors, normal_interval(centre, errors, 0.95), strict=True):
        lines.append(f"{name:{width}}  {c:>12.4f}  {e:>11.4f}  {low:>11.4f}  {high:>11.4f}")
    return lines
