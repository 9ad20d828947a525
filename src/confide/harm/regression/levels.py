"""The multinomial logistic model of a sensitive attribute of several levels, fitted to its misrecorded values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from confide.errors import HarmError
from confide.harm.regression.binary import coefficient_table, normal_interval, rival_line
from confide.harm.regression.design import covariates, design, labels, merge, weigh
from confide.harm.regression.likelihood import Likelihood
from confide.harm.regression.maximise import highest
from confide.harm.regression.misclassification import codes, evidence, level_chances
from confide.harm.regression.posterior import posterior_levels
from confide.harm.regression.separation import refuse_no_summit
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class MisclassifiedLevelsFit:
    """A multinomial logistic model of the true level, fitted to released levels that may be wrong."""

    coefficients: FloatArray
    """Levels 1 to K - 1 against level 0, by the intercept and the covariates."""
    covariance: FloatArray
    """The inverse of the observed information of the released data; coefficients in the order of their rows."""
    log_likelihood: float
    """The log likelihood of the released levels at the coefficients, without the ridge."""
    matrix: FloatArray
    """Pr(released | true), strata by true by released levels."""
    n: int
    """The number of records with a positive weight."""
    names: tuple[str, ...]
    """The names of the coefficients of a level, the intercept first."""
    ridge: float = 0.0
    """The precision of the normal prior on differences of slopes; zero: maximum likelihood."""
    rival: float | None = None
    """A higher log likelihood that infinite coefficients come close to, where one was found."""

    @property
    def standard_errors(self) -> FloatArray:
        """The standard errors, as the coefficients are laid out."""
        return np.asarray(np.sqrt(np.diag(self.covariance)).reshape(self.coefficients.shape), dtype=np.float64)

    def interval(self, level: float = 0.95) -> FloatArray:
        """Give normal confidence intervals: levels but one, by coefficients, by (lower, upper)."""
        found = normal_interval(self.coefficients.ravel(), self.standard_errors.ravel(), level)
        return found.reshape(*self.coefficients.shape, 2)

    def probability(self, Z: Any) -> FloatArray:  # noqa: N803
        """Give the probability of each true level before the released one is read, records by levels."""
        z = covariates(Z, width=self.coefficients.shape[1] - 1)
        eta = np.zeros((z.shape[0], self.coefficients.shape[0] + 1))
        eta[:, 1:] = self.coefficients[:, 0] + z @ self.coefficients[:, 1:].T
        share = np.exp(eta - eta.max(axis=1, keepdims=True))
        return np.asarray(share / share.sum(axis=1, keepdims=True), dtype=np.float64)

    def posterior(self, Z: Any, x: Any, *, strata: Any = None) -> FloatArray:  # noqa: N803
        """Give the probability of each true level given the released one, records by levels; eq. (3)."""
        return posterior_levels(x, self.matrix, self.probability(Z), strata=strata)

    def __repr__(self) -> str:
        """Show a table of coefficients."""
        levels = self.coefficients.shape[0] + 1
        names = [f"level {k}: {name}" for k in range(1, levels) for name in self.names]
        head = f"multinomial model of a misrecorded attribute of {levels} levels, against level 0; {self.n:,} records; "
        lines = [
            head + f"log likelihood {self.log_likelihood:.3f}",
            *coefficient_table(names, self.coefficients.ravel(), self.standard_errors.ravel()),
        ]
        lines += [f"slopes drawn together by a ridge of {self.ridge:g}"] if self.ridge else []
        return "\n".join([*lines, *rival_line(self.rival)])


def fit_misclassified_levels(
    Z: Any,  # noqa: N803
    x: Any,
    matrix: Any,
    *,
    strata: Any = None,
    weights: Any = None,
    names: Sequence[str] | None = None,
    ridge: float = 0.0,
) -> MisclassifiedLevelsFit:
    """Fit a multinomial logistic model of the true level to released levels that may be wrong.

    The several-level form of `fit_misclassified`. Records with equal covariates and levels are merged, so that
    categorical covariates cost little.

    Args:
        Z: covariates, records by covariates, without a column of ones.
        x: the released level of each record, as a code from 0.
        matrix: Pr(released | true), true levels by released ones, rows sum to one; or one such matrix for each stratum,
            as the channel of a `Swap` holds them.
        strata: the stratum of each record, as a code from 0; only for several matrices.
        weights: how many records each record stands for.
        names: the names of the covariates.
        ridge: the precision of a normal prior on the difference between the slopes of any two levels, for standardised
            covariates; zero: maximum likelihood. Rare levels and categories often need some, such as 0.1.

    >>> m = [[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]]
    >>> fit = fit_misclassified_levels(np.empty((10, 0)), [0, 0, 0, 0, 0, 1, 1, 1, 2, 2], m)
    >>> fit.probability(np.empty((1, 0))).round(3).tolist()
    [[0.604, 0.167, 0.229]]
    """
    matrices = level_chances(matrix)
    levels = matrices.shape[1]
    _refuse_unidentified(matrices)
    if not 0 <= ridge < np.inf:
        raise HarmError(f"the ridge must be a number, zero or more; found {ridge}")
    given = covariates(Z)
    called = labels(Z if hasattr(Z, "columns") else given, names)
    released = codes(x, matrices.shape[2], "the released levels")
    chance = evidence(matrices, released, strata)
    if released.size != given.shape[0]:
        raise HarmError(f"{released.size:,} released levels for {given.shape[0]:,} rows of covariates")
    count = weigh(weights, released.size)
    used = count > 0
    given, released, chance, count = given[used], released[used], chance[:, used], count[used]
    n = released.size
    if n == 0 or bool(np.all(released == released[0])):
        raise HarmError(
            f"all {n:,} released levels are the same: they tell nothing of what a level depends on; give a prior of your "
            "own to posterior_levels(observed, matrix, prior)"
        )
    impossible = int(np.isneginf(chance.max(axis=0)).sum())
    if impossible:
        raise HarmError(
            f"{impossible:,} of {n:,} records have a released level that no true level leads to; check the matrix"
        )
    place = 0 if strata is None else np.asarray(strata)[used].astype(np.int64)
    merged = merge(given, released + matrices.shape[2] * place, count)
    at = design(merged.z, merged.sums, called, records=n)
    likelihood = Likelihood(at.rows, merged.starts, merged.weights, chance[:, merged.place], ridge)
    observed = released[merged.place]
    summit = highest(likelihood, observed if levels == matrices.shape[2] else None)
    exact = bool(np.all(matrices == np.eye(levels, matrices.shape[2])))
    covariance = refuse_no_summit(summit, at, merged, observed, exact=exact)
    back = np.kron(np.eye(levels - 1), at.back)
    plain = replace(likelihood, ridge=0.0).value(summit.theta)
    theta = summit.theta @ at.back.T
    spread = back @ covariance @ back.T
    return MisclassifiedLevelsFit(theta, spread, plain, matrices, n, called, float(ridge), summit.rival)


def _refuse_unidentified(matrices: FloatArray) -> None:
    """Raise where released levels cannot tell true levels apart."""
    levels = matrices.shape[1]
    if levels < 2:
        raise HarmError("the attribute has one level only; there is nothing to learn")
    beside = np.hstack(list(matrices))
    if beside.shape[1] < levels or np.linalg.svd(beside, compute_uv=False)[-1] < 1e-9:
        raise HarmError(
            f"the matrix does not tell {levels} true levels apart: some mixture of levels is released just as another is; "
            "merge levels that are released alike"
        )
