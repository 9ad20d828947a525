"""See through misrecorded categories: eq. (3) of Lambert (1993)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr

from confide.errors import HarmError
from confide.harm.reading.as_released import AsReleased
from confide.harm.reading.reading import Amounts
from confide.harm.regression.calibration import regression_calibration
from confide.harm.regression.levels import fit_misclassified_levels
from confide.harm.regression.posterior import posterior_levels
from confide.harm.regression.profile import profile_q
from confide.harm.sensitive import Sensitive
from confide.intruder.beliefs.design import Design
from confide.linking.category import stratum_codes
from confide.release.channel import Discrete, JointKernel, Kernel
from confide.typing import FloatArray, IntArray

MOST = 20_000
"""The model is fitted to so many records at most, taken evenly, and to the first of every category."""
RIDGE = 0.1
"""A weak normal prior on slopes of standardised covariates, as in the intruder's other regressions."""


@dataclass(frozen=True, slots=True)
class ProfiledQ:
    """Find q, the probability that a value of two is recorded correctly, by maximum likelihood."""


@dataclass(frozen=True, slots=True)
class Misrecorded:
    """Allow for values that may be recorded wrongly (Lambert 1993, section 6.2).

    The prior of the true category comes from a logistic model given the other variables of the record. It is fitted to the
    released, misrecorded values by maximum likelihood, with the matrix of the release or a given q; slopes are held by
    a weak ridge, and at most 20,000 records are used. Eq. (3) turns it into a posterior. Covariates with noise
    of known variance are calibrated first (regression calibration, an approximation).

    >>> Misrecorded(["age"], q=0.9).describe()
    'allows for values recorded correctly with probability 0.9, given age'
    """

    covariates: Sequence[str] | None = None
    """The released variables to predict from; None: all."""
    q: float | ProfiledQ | None = None
    """How often a value is recorded correctly, other values being equally likely; None: as the release says."""

    def __post_init__(self) -> None:
        """Check q."""
        if self.q is not None and not isinstance(self.q, ProfiledQ) and not 0 < self.q <= 1:
            raise HarmError(f"Misrecorded: q is a probability above 0 and at most 1, or ProfiledQ(); found {self.q}")

    def amounts(self, attribute: Sensitive) -> Amounts:
        """Refuse: amounts are not recorded in a wrong category."""
        raise HarmError(f"Misrecorded is about categories, and {attribute.name!r} is an amount; use MeasurementError()")

    def categories(self, attribute: Sensitive) -> FloatArray:
        """Give the posterior of every record's category."""
        released, core = attribute.released_codes, attribute.composite.core
        known = released >= 0
        used = np.unique(released[known])
        if used.size < 2 or (self.q is None and not isinstance(core, Discrete)):
            return AsReleased().categories(attribute)
        z = self._covariates(attribute)[known]
        place = np.full(len(attribute.levels), -1, dtype=np.int64)
        place[used] = np.arange(used.size)
        x = place[released[known]]
        matrix, strata = self._matrix(attribute, used)
        found = np.zeros((released.size, len(attribute.levels)))
        rows = np.flatnonzero(known)
        if matrix is None:
            fit = profile_q(z, x)
            yes = fit.fit.posterior(z, x)
            found[np.ix_(rows, used)] = np.column_stack([1 - yes, yes])
            return found
        of = None if strata is None else strata[known]
        some = _some(x)
        fitted = fit_misclassified_levels(z[some], x[some], matrix, strata=None if of is None else of[some], ridge=RIDGE)
        found[np.ix_(rows, used)] = posterior_levels(x, matrix, fitted.probability(z), strata=of)
        return found

    def describe(self) -> str:
        """Say it in words."""
        given = "all other variables" if self.covariates is None else ", ".join(self.covariates) or "nothing else"
        if isinstance(self.q, ProfiledQ):
            how = "values recorded correctly with a probability that is estimated"
        elif self.q is None:
            how = "values that the release may have changed"
        else:
            how = f"values recorded correctly with probability {self.q:g}"
        return f"allows for {how}, given {given}"

    def _matrix(self, attribute: Sensitive, used: IntArray) -> tuple[FloatArray | None, IntArray | None]:
        """Give Pr(released | true) among the levels in use, and the stratum of each record; None: q is to be found."""
        k = used.size
        if isinstance(self.q, ProfiledQ):
            if k != 2:
                raise HarmError(
                    f"Misrecorded: q can be estimated for two categories, {attribute.name!r} has {k} in use; give q, or "
                    "leave it out to take the matrix of the release"
                )
            return None, None
        if self.q is not None:
            matrix = np.full((k, k), (1 - self.q) / (k - 1))
            matrix[np.diag_indices(k)] = self.q
            return matrix, None
        core = attribute.composite.core
        assert isinstance(core, Discrete)
        at = {level: i for i, level in enumerate(core.levels)}
        place = np.array([at.get(attribute.levels[u], -1) for u in used])
        if bool(np.any(place < 0)):
            raise HarmError(f"{attribute.name!r} holds categories that its swap matrix does not know; give q=... instead")
        matrix = core.matrix[:, place][:, :, place]
        told = matrix.sum(axis=2, keepdims=True)
        if not bool(np.all(told > 0)):
            raise HarmError(
                f"a category of {attribute.name!r} is always swapped for one that the file does not hold; give q=... instead"
            )
        matrix = matrix / told
        if not core.stratum:
            return matrix[0], None
        gone = [name for name in core.stratum if name not in attribute.records.columns]
        if gone:
            raise HarmError(f"{attribute.name!r} was swapped within {gone[0]!r}, which is not released; give q=...")
        stratum = stratum_codes([attribute.records.columns[name] for name in core.stratum], core.strata)
        if bool(np.any(stratum < 0)):
            within = " and ".join(map(repr, core.stratum))
            raise HarmError(f"{attribute.name!r} was swapped within {within}, whose values have changed since; give q=...")
        return matrix, stratum

    def _covariates(self, attribute: Sensitive) -> FloatArray:
        """Give the covariates of every record, those with noise calibrated, none of them redundant."""
        names = attribute.others(self.covariates)
        columns = [attribute.records.columns[n] for n in names]
        blocks, variances = [], []
        for name, column in zip(names, columns, strict=True):
            design = Design.of([column])
            block = design.matrix([column])[:, 1:]
            noise = np.zeros(block.shape[1])
            if block.shape[1] and design.terms[0].spread > 0:
                noise[0] = _noise(attribute, name, column.numbers[column.is_number]) / design.terms[0].spread ** 2
            blocks.append(block)
            variances.append(noise)
        z = np.column_stack([np.empty((attribute.records.n, 0)), *blocks])
        variance = np.concatenate([np.zeros(0), *variances])
        z, variance = _independent(z, variance)
        if not bool(np.any(variance > 0)):
            return z
        return regression_calibration(z, variance).values


def _noise(attribute: Sensitive, name: str, values: FloatArray) -> float:
    """Give the variance of the noise on a covariate; 0 where there is none, or where it multiplies."""
    core = attribute.masking(name).core
    if isinstance(core, JointKernel):
        place = core.variables.index(name)
        return float(core.rounded[place, place])
    if isinstance(core, Kernel) and not core.log_scale and values.size:
        return float(np.mean(core.variance(values)))
    return 0.0


def _some(x: IntArray) -> IntArray:
    """Choose the records to fit the model to."""
    evenly = np.linspace(0, x.size - 1, min(x.size, MOST)).astype(np.int64)
    return np.union1d(evenly, np.unique(x, return_index=True)[1])


def _independent(z: FloatArray, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Leave out covariates that do not vary, or that others tell."""
    if not z.shape[1]:
        return z, variance
    centred = z - z.mean(axis=0)
    size = np.sqrt(np.mean(centred**2, axis=0))
    keep = np.flatnonzero(size > 1e-9)
    if not keep.size:
        return z[:, :0], variance[:0]
    scaled = centred[:, keep] / size[keep]
    _, r, order = qr(scaled.T @ scaled / z.shape[0], pivoting=True)
    rank = int(np.sum(np.abs(np.diag(r)) > 1e-9 * max(abs(r[0, 0]), 1e-300)))
    keep = np.sort(keep[order[:rank]])
    return z[:, keep], variance[keep]
