"""Place respondents whom the intruder knows by rank at quantiles of a fitted distribution."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from confide.errors import IntruderError
from confide.intruder.appearance.check import as_table
from confide.intruder.distribution import Distribution, Lognormal, Normal, Uniform
from confide.typing import FloatArray

Fitted = Distribution | Callable[[FloatArray], FloatArray]
"""A distribution, or its quantile function."""


def fit_lognormal(values: npt.ArrayLike) -> Lognormal:
    """Fit a lognormal to values: mean and sd (n - 1) of their logarithms.

    >>> fitted = fit_lognormal([1.0, 10.0, 100.0])
    >>> round(fitted.mean, 3), round(fitted.sd, 3)
    (2.303, 2.303)
    """
    x = _sample(values)
    if bool(np.any(x <= 0)):
        raise IntruderError(
            f"{int(np.sum(x <= 0))} of {x.size} values are zero or negative, which a lognormal cannot be; "
            "use fit_normal, or fit the positive ones"
        )
    return Lognormal(*_moments(np.log(x)))


def fit_normal(values: npt.ArrayLike) -> Normal:
    """Fit a normal to values: their mean and sd (n - 1).

    >>> fit_normal([1.0, 2.0, 3.0])
    Normal(mean=2.0, sd=1.0)
    """
    return Normal(*_moments(_sample(values)))


def quantiles_at(distribution: Fitted, p: FloatArray) -> FloatArray:
    """Give quantiles of a distribution, or of a quantile function.

    >>> quantiles_at(Uniform(0, 10), np.array([0.25])).tolist()
    [2.5]
    """
    if isinstance(distribution, Normal):
        return np.asarray(distribution.mean + distribution.sd * ndtri(p), dtype=np.float64)
    if isinstance(distribution, Lognormal):
        return np.asarray(np.exp(distribution.mean + distribution.sd * ndtri(p)), dtype=np.float64)
    if isinstance(distribution, Uniform):
        return distribution.low + (distribution.high - distribution.low) * p
    if not callable(distribution):
        raise IntruderError(f"a distribution or a quantile function is needed, found {type(distribution).__name__}")
    q = np.asarray(distribution(p), dtype=np.float64)
    if q.shape != p.shape or not bool(np.all(np.isfinite(q))):
        raise IntruderError(f"the quantile function must give {p.size} finite numbers for {p.size} probabilities")
    return q


def centres_at(distribution: Fitted, respondents: int, ranks: npt.ArrayLike | None = None) -> FloatArray:
    """Give the quantiles G⁻¹(r/(N + 1)) at ranks r (Duncan and Lambert 1987, section 4.3).

    The paper prints 1/(N + 1) for i/(N + 1). Tied respondents share a rank, which may be a half.

    >>> centres_at(Uniform(0, 4), 3).tolist()
    [1.0, 2.0, 3.0]
    """
    if isinstance(respondents, bool) or not isinstance(respondents, int | np.integer) or respondents < 1:
        raise IntruderError("respondents must be a whole number, at least 1")
    r = np.arange(1.0, respondents + 1) if ranks is None else as_table(ranks, "ranks")
    if r.ndim == 2 and r.shape[1] != 1:
        raise IntruderError(
            "ranks must be a plain list; for several variables join one belief for each in IndependentAppearance"
        )
    r = r.ravel()
    if bool(np.any((r < 1) | (r > respondents))):
        raise IntruderError(f"ranks must lie between 1 and the {respondents} respondents")
    return quantiles_at(distribution, r / (respondents + 1))


def _sample(values: npt.ArrayLike) -> FloatArray:
    """Give a list of finite numbers."""
    table = as_table(values, "values")
    if table.shape[1] != 1:
        raise IntruderError("give the values of one variable")
    return table.ravel()


def _moments(x: FloatArray) -> tuple[float, float]:
    """Give mean and sd."""
    if x.size < 2 or bool(np.all(x == x[0])):
        raise IntruderError("a distribution cannot be fitted to fewer than two different values")
    return float(x.mean()), float(x.std(ddof=1))
