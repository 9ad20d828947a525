"""See through noise: the posterior of the true amount given the whole released record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from confide.errors import HarmError
from confide.harm.belief import LognormalBelief, NormalBelief
from confide.harm.belief.panels import PanelsBelief
from confide.harm.reading.as_released import AsReleased, ranges
from confide.harm.reading.interval_regression import interval_regression
from confide.harm.reading.posterior_nodes import NODES, Prior, noise_nodes, range_nodes, regression_scale
from confide.harm.reading.reading import Amounts
from confide.harm.reading.shrunk import noise_of
from confide.harm.sensitive import Sensitive
from confide.intruder.beliefs.design import Design
from confide.release.channel import Kernel
from confide.typing import BoolArray, FloatArray

SHARE = 0.05
"""On a grid of so many sds of the noise or finer the posterior is taken to be normal: its mean is off by at most 0.0002 sds
of the noise for every sd that the number lies off."""


@dataclass(frozen=True, slots=True)
class MeasurementError:
    """Allow for the noise that was added (Lambert 1993, section 6.2; Reiter 2005, section 5).

    The true amount (its logarithm, for noise that multiplies) is normal around a regression on the other variables of the
    record, and the released one adds the noise of the release. The regression is fitted to the released file, and the
    noise taken out of its residual variance. The posterior is normal (of the logarithm); where bounds, rounding
    or noise that grows with the amount make it something else, it is kept at nodes, 64 on each smooth stretch. An amount
    released as a range without noise is the regression's within the range. Correlated noise is taken variable by variable.

    >>> MeasurementError(covariates=["age"]).describe()
    'allows for the noise, given age'
    """

    covariates: Sequence[str] | None = None
    """The released variables to predict from; None: all."""

    def amounts(self, attribute: Sensitive) -> Amounts:
        """Give the posterior of every record's amount."""
        kernel, n = noise_of(attribute), attribute.records.n
        low, high = ranges(attribute)
        known = ~(np.isnan(low) | np.isnan(high))
        if not known.any():
            return Amounts(np.full(n, np.nan), NormalBelief(np.zeros(n), np.zeros(n)))
        noisy = known & _passed_noise(attribute, kernel)
        if kernel is not None and kernel.keep_zero:
            noisy &= ~((low == 0) & (high == 0))
        read = known & ~noisy & (low == high)
        if bool(np.all(read == known)):
            exact = np.where(known, low, np.nan)
            return Amounts(exact, NormalBelief(np.nan_to_num(exact), np.zeros(n)))
        scale = kernel.log_scale if kernel is not None else bool(np.all(low[known] >= 0) and np.all(low[read] > 0))
        seen = noisy if noisy.any() else known
        prior = self._prior(attribute, kernel, low, high, seen, log_scale=scale)
        plain = kernel is not None and _is_plain(kernel, low[noisy]) and not attribute.composite.after
        if kernel is not None and plain and bool(np.all(noisy | ~known | (read & (not scale)))):
            return _closed(prior, kernel, low, known, noisy)
        return _numerical(prior, kernel, low, high, known, noisy)

    def categories(self, attribute: Sensitive) -> FloatArray:
        """Read categories as they stand: noise is on amounts."""
        return AsReleased().categories(attribute)

    def describe(self) -> str:
        """Say it in words."""
        given = "all other variables" if self.covariates is None else ", ".join(self.covariates) or "nothing else"
        return f"allows for the noise, given {given}"

    def _prior(
        self, attribute: Sensitive, kernel: Kernel | None, low: FloatArray, high: FloatArray, rows: BoolArray,
        *, log_scale: bool,
    ) -> Prior:  # fmt: skip
        """Regress released amounts on the other variables, and take the noise out of the residual variance."""
        a, b = regression_scale(low, high, log_scale=log_scale)
        rows = rows & ~(np.isneginf(a) & np.isposinf(b)) & (a < np.inf) & (b > -np.inf)
        if int(rows.sum()) < 3:
            raise HarmError(
                f"MeasurementError: {attribute.name!r} has {int(rows.sum())} released amounts to learn from, too few for a "
                "regression; use AsReleased()"
            )
        columns = [attribute.records.columns[c] for c in attribute.others(self.covariates)]
        x = Design.of(columns).matrix(columns, attribute.records.n)
        coefficients, variance = interval_regression(x[rows], a[rows], b[rows])
        finite = np.where(np.isfinite(low), low, high)
        noise = float(np.mean(kernel.variance(finite[rows]))) if kernel is not None else 0.0
        shift = kernel.shift if kernel is not None else 0.0
        least = variance * np.sqrt(2.0 / int(rows.sum())) + 1e-300
        mean = np.asarray(x @ coefficients - shift, dtype=np.float64)
        sd = float(np.sqrt(max(variance - noise, least)))
        return Prior(mean, sd, log_scale, np.sign(finite) if log_scale else np.ones_like(finite))


def _passed_noise(attribute: Sensitive, kernel: Kernel | None) -> BoolArray:
    """Say which released values went through the noise: numbers, and what later steps made of numbers."""
    column, composite = attribute.released, attribute.composite
    assert column is not None
    if kernel is None:
        return np.zeros(column.size, dtype=np.bool_)
    later = np.zeros(column.size, dtype=np.bool_)
    for step in composite.after:
        later |= ~np.isnan(step.preimage(column)[0])
    return column.is_number | later


def _is_plain(kernel: Kernel, z: FloatArray) -> bool:
    """Say whether the noise of released numbers is as good as normal, so that the posterior is (see `SHARE`)."""
    free = np.isneginf(kernel.lower) and np.isposinf(kernel.upper)
    return bool(free and not kernel.breaks and (kernel.grid is None or kernel.is_fine(z, SHARE).all()))


def _closed(prior: Prior, kernel: Kernel, z: FloatArray, known: BoolArray, noisy: BoolArray) -> Amounts:
    """Give the normal posterior: the precision-weighted mean of the regression and the released amount."""
    s = kernel.sds[0]
    share = prior.sd**2 / (prior.sd**2 + s**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.log(np.abs(z)) - kernel.shift if prior.log_scale else z - kernel.shift
    mean = np.where(noisy, prior.mean + share * (t - prior.mean), t)
    sd = np.where(noisy, s * np.sqrt(share), 0.0)
    mean, sd = np.where(known, mean, 0.0), np.where(known, sd, 0.0)
    if not prior.log_scale:
        return Amounts(np.where(known, mean, np.nan), NormalBelief(mean, sd))
    if bool(np.any(prior.sign[known] < 0)):
        return _numerical(prior, kernel, z, z, known, noisy)
    belief = LognormalBelief(mean, sd)
    return Amounts(np.where(known, np.exp(mean + 0.5 * sd**2), np.nan), belief)


def _numerical(
    prior: Prior, kernel: Kernel | None, low: FloatArray, high: FloatArray, known: BoolArray, noisy: BoolArray
) -> Amounts:
    """Give posteriors at nodes; an amount that was read has one that counts."""
    read = known & ~noisy & (low == high)
    found = []
    for rows in (np.flatnonzero(known & ~noisy & ~read), np.flatnonzero(noisy)):
        for part in np.array_split(rows, max(1, rows.size // 20_000)):
            if part.size:
                some, a, b = prior.take(part), low[part], high[part]
                plain = kernel is None or not noisy[part[0]]
                found.append((part, range_nodes(some, a, b) if plain else noise_nodes(some, cast("Kernel", kernel), a, b)))
    panels = max((nodes.low.shape[1] for _, nodes in found), default=1)
    low_end, high_end = np.zeros((low.size, panels)), np.zeros((low.size, panels))
    values, weights = np.zeros((low.size, panels * NODES)), np.zeros((low.size, panels * NODES))
    weights[:, 0], values[read, 0] = 1.0, low[read]
    low_end[read], high_end[read] = low[read, None], low[read, None]
    for part, nodes in found:
        wide, few = nodes.values.shape[1], nodes.low.shape[1]
        values[part, :wide], weights[part, :wide] = nodes.values, nodes.weights
        low_end[part, :few], high_end[part, :few] = nodes.low, nodes.high
    estimate = np.where(known, np.einsum("ij,ij->i", values, weights), np.nan)
    sign = np.where(known & ~read, prior.sign, 0.0) if prior.log_scale else None
    return Amounts(estimate, PanelsBelief.of(values, weights, low_end, high_end, sign))
